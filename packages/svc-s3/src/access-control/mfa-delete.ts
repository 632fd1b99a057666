import { identityDirectory } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { accessDenied } from '../errors.ts';

const refused = (): Error => accessDenied('Mfa Authentication must be used for this request');

/**
 * Checks `x-amz-mfa` where a bucket has MFA Delete: the serial number of a device, a space, and a code it shows. Root users
 * have no devices here, so that any of their account's users counts for them. In an emulator without IAM nobody knows of
 * devices, and any code of six digits will do.
 * @returns undefined where the bucket does not ask for it
 * @throws AwsError `AccessDenied`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/MultiFactorAuthenticationDelete.html
 */
export function mfaFor(ctx: S3Context, bucket: Bucket, mfa: string | undefined): Promise<void> | undefined {
  // What services do for the owner, e.g. by lifecycle rules, is not asked for codes.
  if (bucket.record.mfaDelete !== 'Enabled' || ctx.principal.type === 'service') return undefined;
  return checkMfa(ctx, mfa);
}

/** Checks `x-amz-mfa`. @throws AwsError `AccessDenied` */
export async function checkMfa(ctx: S3Context, mfa: string | undefined): Promise<void> {
  const [, serialNumber, code] = /^(\S+) (\d{6})$/.exec(mfa ?? '') ?? [];
  if (serialNumber === undefined || code === undefined) throw refused();
  const directory = await ctx.capability(identityDirectory);
  if (!directory?.verifyMfa) return;
  const { accountId, userId, type } = ctx.principal;
  if (!directory.verifyMfa(accountId, type === 'root' ? undefined : userId, serialNumber, code)) throw refused();
}
