import { identityDirectory } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { accessDenied } from '../errors.ts';

const refused = (): Error => accessDenied('Mfa Authentication must be used for this request');

/**
 * Validates `x-amz-mfa` if the bucket has MFA Delete: serial number of a device, a space, and its current code. Root
 * users have no devices here, so devices of any user in their account are valid. Without IAM, any code of six digits is
 * valid.
 * @returns undefined if the bucket does not require it
 * @throws AwsError `AccessDenied`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/MultiFactorAuthenticationDelete.html
 */
export function mfaFor(ctx: S3Context, bucket: Bucket, mfa: string | undefined): Promise<void> | undefined {
  // Requests of services on the owner's behalf, e.g. lifecycle rules, need no code.
  if (bucket.record.mfaDelete !== 'Enabled' || ctx.principal.type === 'service') return undefined;
  return checkMfa(ctx, mfa);
}

/**
 * Validates `x-amz-mfa`.
 * @throws AwsError `AccessDenied`
 */
export async function checkMfa(ctx: S3Context, mfa: string | undefined): Promise<void> {
  const [, serialNumber, code] = /^(\S+) (\d{6})$/.exec(mfa ?? '') ?? [];
  if (serialNumber === undefined || code === undefined) throw refused();
  const directory = await ctx.capability(identityDirectory);
  if (!directory?.verifyMfa) return;
  const { accountId, userId, type } = ctx.principal;
  if (!directory.verifyMfa(accountId, type === 'root' ? undefined : userId, serialNumber, code)) throw refused();
}
