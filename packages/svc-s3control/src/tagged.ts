import type { ResourceType, TaggedResource, TagPurpose } from '@emu/core/service';
import type { Tag } from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import { bucketNameOf } from './bucket-arns.ts';
import type { S3controlContext } from './context.ts';
import { s3controlError } from './errors.ts';
import {
  accessGrantsInstanceType,
  accessGrantsLocationType,
  accessGrantType,
  accessPointType,
  directoryAccessPointType,
  type S3ControlRecords,
  storageLensGroupType,
} from './resources.ts';

type Tagged = TaggedResource<Tag[]> | undefined;

/**
 * Finds a resource of a kind by ARN; undefined for other ARNs and missing resources.
 * @param arn of the caller's account and region, or of a bucket
 */
type TaggedResourceFinder = (arn: string, ctx: S3controlContext, purpose: TagPurpose) => Tagged | Promise<Tagged>;

export const noSuchResource = (): AwsError =>
  s3controlError('NoSuchResource', "The specified resource doesn't exist.", { status: 404 });

/** Finds resources of a type in the caller's account and region. */
const ofType =
  <Key>(type: ResourceType<Key, S3ControlRecords, Tag[]>): TaggedResourceFinder =>
  (arn, { state, region, accountId }) => {
    const address = type.parse(arn);
    if (address?.place.region !== region || address.place.accountId !== accountId) return undefined;
    return type.tagged(state, address.key);
  };

/** Finds buckets, whose tags are shared with S3's operations. */
const bucket: TaggedResourceFinder = async (arn, ctx, purpose) => {
  const name = bucketNameOf(arn);
  if (name === undefined) return undefined;
  const input = { Bucket: name, ExpectedBucketOwner: ctx.accountId };
  try {
    await ctx.call('s3', 'HeadBucket', input);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NoSuchBucket') return undefined;
    throw error;
  }
  const present = await bucketTags(input, ctx);
  return {
    tags: present,
    async replace(tags) {
      if (purpose === 'untag' && tags.length === present.length) return;
      if (tags.length) await ctx.call('s3', 'PutBucketTagging', { ...input, Tagging: { TagSet: tags } });
      else await ctx.call('s3', 'DeleteBucketTagging', input);
    },
  };
};

async function bucketTags(
  input: { Bucket: string; ExpectedBucketOwner: string },
  ctx: S3controlContext,
): Promise<readonly Tag[]> {
  try {
    return (await ctx.call('s3', 'GetBucketTagging', input)).TagSet;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NoSuchTagSet') return [];
    throw error;
  }
}

/** Lookups of all taggable resource types. */
export const FINDERS: readonly TaggedResourceFinder[] = [
  bucket,
  ofType(accessPointType),
  ofType(directoryAccessPointType),
  ofType(storageLensGroupType),
  ofType(accessGrantsInstanceType),
  ofType(accessGrantsLocationType),
  ofType(accessGrantType),
];
