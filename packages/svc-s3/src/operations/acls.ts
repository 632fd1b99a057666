import type { InputOf, OutputOf } from '@emu/service-types/s3';
import { type AclInput, checkAclAllowed, grantsOf, ownerOnly, readAcl } from '../access-control/acl.ts';
import { ownerOf } from '../access-control/owners.ts';
import type { S3Context } from '../context.ts';
import { s3Error } from '../errors.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import { requireBucket, requireVersion, stateOf } from '../lookup.ts';
import { replicateChange } from '../objects/replication.ts';
import type { AccessControl } from '../records.ts';

/** @throws AwsError `MissingSecurityHeader` and errors of `readAcl` */
function requireAcl(input: AclInput, owner: string, bucketOwner: string): AccessControl {
  const acl = readAcl(input, owner, bucketOwner);
  if (!acl)
    throw s3Error('MissingSecurityHeader', 'Your request was missing a required header', {
      status: 400,
      members: { MissingHeaderName: 'x-amz-acl' },
    });
  return acl;
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketAcl.html */
export async function PutBucketAcl(input: InputOf<'PutBucketAcl'>, ctx: S3Context): Promise<OutputOf<'PutBucketAcl'>> {
  const bucket = requireBucket(ctx, input);
  const acl = requireAcl(input, bucket.accountId, bucket.accountId);
  await checkAclAllowed(ctx, bucket, input, acl);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    draft.acl = acl;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketAcl.html */
export function GetBucketAcl(input: InputOf<'GetBucketAcl'>, ctx: S3Context): OutputOf<'GetBucketAcl'> {
  const bucket = requireBucket(ctx, input);
  return { Owner: ownerOf(bucket.accountId), Grants: grantsOf(bucket.record.acl ?? ownerOnly(bucket.accountId)) };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectAcl.html */
export async function PutObjectAcl(input: InputOf<'PutObjectAcl'>, ctx: S3Context): Promise<OutputOf<'PutObjectAcl'>> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  const acl = requireAcl(input, version.owner ?? bucket.accountId, bucket.accountId);
  await checkAclAllowed(ctx, bucket, input, acl);
  const changed = stateOf(ctx, bucket).updateVersion(bucket, version, (draft) => {
    draft.acl = acl;
  });
  replicateChange(ctx, bucket, changed);
  const { size: _size, ...event } = eventOf(bucket, version);
  emit(ctx, bucket, { ...event, name: 'ObjectAcl:Put' });
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAcl.html */
export function GetObjectAcl(input: InputOf<'GetObjectAcl'>, ctx: S3Context): OutputOf<'GetObjectAcl'> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId);
  const owner = version.owner ?? bucket.accountId;
  return { Owner: ownerOf(owner), Grants: grantsOf(version.acl ?? ownerOnly(owner)) };
}
