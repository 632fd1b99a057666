import { type AccessPointDirectory, accessPointDirectory, type PublicAccessSettings } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { type AccessPointUse, accessPointUse } from './access-points.ts';

const NAMES = ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'] as const;

/**
 * Returns the blocked public access: the union of the settings of bucket, owner's account and access point.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
 */
export function publicAccessOf(
  directory: AccessPointDirectory | undefined,
  bucket: Bucket,
  use: AccessPointUse | undefined,
  partition: string,
): PublicAccessSettings {
  const account = directory?.publicAccessBlock(bucket.accountId, partition);
  const point = use?.point.publicAccessBlock;
  const own = bucket.record.configurations.publicAccessBlock;
  const [acls, ignored, policy, restricted] = NAMES.map(
    (name) => own?.[name] === true || account?.[name] === true || point?.[name] === true,
  );
  return {
    BlockPublicAcls: acls!,
    IgnorePublicAcls: ignored!,
    BlockPublicPolicy: policy!,
    RestrictPublicBuckets: restricted!,
  };
}

/** Returns the same for operations, which may have to wait for S3 Control's settings. */
export async function publicAccess(ctx: S3Context, bucket: Bucket, input: object): Promise<PublicAccessSettings> {
  return publicAccessOf(
    await ctx.handle.capability(accessPointDirectory),
    bucket,
    accessPointUse(input),
    ctx.partition,
  );
}
