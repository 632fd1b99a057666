import { isRegionName } from '@emu/core/service';
import { awsError } from '@emu/wire';
import { findBucket } from '../buckets/lookup.ts';
import type { S3Context } from '../context.ts';

/** The region that was looked at last: clients sign for the same one all day. */
let known = '';

/**
 * Refuses a signature for what is no region, e.g. the `US` that s3cmd signs for at first, and names the right one, by
 * which such clients sign again.
 * @param bucket that the request names
 * @throws AwsError `AuthorizationHeaderMalformed`, `AuthorizationQueryParametersError`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function checkSigningRegion(ctx: S3Context, bucket: string | undefined): void {
  const { region, http } = ctx;
  if (region === known || http === undefined) return;
  if (isRegionName(region)) {
    known = region;
    return;
  }
  // A signature may be good for all regions, and emu's own may be called anything.
  if (region === '*' || region === ctx.settings.region) return;
  const expected = (bucket === undefined ? undefined : findBucket(ctx, bucket)?.region) ?? ctx.settings.region;
  const wrong = `the region '${region}' is wrong; expecting '${expected}'`;
  const members = { Region: expected };
  throw http.headers.authorization === undefined
    ? awsError('AuthorizationQueryParametersError', `Error parsing the X-Amz-Credential parameter; ${wrong}`, {
        status: 400,
        members,
      })
    : awsError('AuthorizationHeaderMalformed', `The authorization header is malformed; ${wrong}`, {
        status: 400,
        members,
      });
}
