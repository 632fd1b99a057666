import type { CloudformationContext } from '../context.ts';
import { invalid } from '../errors.ts';
import { objectAddress, readObject } from '../templates/template-url.ts';
import { checkPolicy } from './policy.ts';

/**
 * Returns the stack policy of a request, given inline or by a URL in S3.
 * @param member member name without `Body` and `URL`
 * @returns undefined if the request has none
 * @throws AwsError `ValidationError`
 */
export async function policyText(
  body: string | undefined,
  url: string | undefined,
  member: string,
  ctx: CloudformationContext,
): Promise<string | undefined> {
  if (body !== undefined && url !== undefined) throw invalid(`You cannot specify both ${member}URL and ${member}Body`);
  if (url !== undefined) return checkPolicy(await readObject(objectAddress(url, ctx.endpoint, `${member}URL`), ctx));
  return body === undefined ? undefined : checkPolicy(body);
}
