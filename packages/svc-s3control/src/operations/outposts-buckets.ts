import type { InputOf, OutputOf } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { s3controlError } from '../errors.ts';
import { checkOutpostId, findOutpostsBucket } from '../outposts/buckets.ts';
import { paging } from '../paging.ts';
import { outpostsBucketType } from '../resources.ts';

/** Maximum buckets per account and Outpost. */
const MAX_BUCKETS = 100;

/**
 * Creates a bucket on an Outpost.
 * @throws AwsError `InvalidRequest`, `InvalidBucketName`, `BucketAlreadyOwnedByYou`, `TooManyBuckets`
 */
export function CreateBucket(input: InputOf<'CreateBucket'>, ctx: S3controlContext): OutputOf<'CreateBucket'> {
  const outpostId = checkOutpostId(input.OutpostId);
  const { Bucket: name } = input;
  const { outpostsBuckets } = ctx.state;
  const valid = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..') && !/^[\d.]+$/.test(name);
  if (!valid)
    throw s3controlError('InvalidBucketName', 'The specified bucket is not valid.', {
      status: 400,
      members: { BucketName: name },
    });
  const key = `${outpostId}/${name}`;
  if (outpostsBuckets.has(key))
    throw s3controlError(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      { status: 409 },
    );
  if ([...outpostsBuckets.values()].filter((bucket) => bucket.outpostId === outpostId).length >= MAX_BUCKETS)
    throw s3controlError('TooManyBuckets', 'You have attempted to create more buckets than allowed', { status: 400 });
  outpostsBuckets.put(key, { name, outpostId, createdAt: ctx.clock.now() });
  return { Location: `/${name}`, BucketArn: outpostsBucketType.arn({ outpostId, name }, ctx) };
}

/** @throws AwsError `NoSuchBucket` */
export function GetBucket(input: InputOf<'GetBucket'>, ctx: S3controlContext): OutputOf<'GetBucket'> {
  const { bucket } = findOutpostsBucket(ctx, input);
  return { Bucket: bucket.name, PublicAccessBlockEnabled: true, CreationDate: new Date(bucket.createdAt) };
}

/** @throws AwsError `NoSuchBucket` */
export function DeleteBucket(input: InputOf<'DeleteBucket'>, ctx: S3controlContext): OutputOf<'DeleteBucket'> {
  ctx.state.outpostsBuckets.delete(findOutpostsBucket(ctx, input).key);
  return {};
}

/** Lists the buckets of an Outpost, or of all in the region. */
export function ListRegionalBuckets(
  input: InputOf<'ListRegionalBuckets'>,
  ctx: S3controlContext,
): OutputOf<'ListRegionalBuckets'> {
  checkAccount(ctx, input.AccountId);
  const { OutpostId: wanted } = input;
  const buckets = [...ctx.state.outpostsBuckets.values()].filter(
    ({ outpostId }) => wanted === undefined || outpostId === wanted,
  );
  return paging
    .page('ListRegionalBuckets', input, buckets, ({ name, outpostId }) => `${name}/${outpostId}`)
    .list(({ name, outpostId, createdAt }) => ({
      Bucket: name,
      BucketArn: outpostsBucketType.arn({ outpostId, name }, ctx),
      PublicAccessBlockEnabled: true,
      CreationDate: new Date(createdAt),
      OutpostId: outpostId,
    }));
}
