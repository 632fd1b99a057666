import type { Collection, ResourceType } from '@emu/core/service';
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
  INSTANCE,
  type S3ControlRecords,
  storageLensGroupType,
} from './resources.ts';
import type { S3ControlState } from './state.ts';

/** A taggable resource. */
export interface TaggedResource {
  tags(): readonly Tag[] | Promise<readonly Tag[]>;
  /** Replaces all tags. */
  replace(tags: Tag[]): unknown;
}

/**
 * Finds a resource of a kind by ARN; undefined for other ARNs and missing resources.
 * @param arn of the caller's account and region, or of a bucket
 */
export type TaggedResourceFinder = (
  arn: string,
  ctx: S3controlContext,
) => TaggedResource | undefined | Promise<TaggedResource | undefined>;

export const noSuchResource = (): AwsError =>
  s3controlError('NoSuchResource', "The specified resource doesn't exist.", { status: 404 });

/**
 * Creates a lookup in the records of the caller's account and region.
 * @param keyOf returns the record key of a resource
 */
function kept<Key, Record extends { tags: Tag[] }>(
  type: ResourceType<Key, S3ControlRecords>,
  keyOf: (key: Key) => string,
  collectionOf: (state: S3ControlState) => Collection<Record>,
): TaggedResourceFinder {
  return (arn, { state, region, accountId }) => {
    const address = type.parse(arn);
    if (address?.place.region !== region || address.place.accountId !== accountId) return undefined;
    const key = keyOf(address.key);
    const collection = collectionOf(state);
    const record = collection.get(key);
    return (
      record && {
        tags: () => record.tags as readonly Tag[],
        replace: (tags) => {
          collection.update(key, (draft) => {
            draft.tags = tags;
          });
        },
      }
    );
  };
}

const nameOf = ({ name }: { name: string }): string => name;
const idOf = ({ id }: { id: string }): string => id;

/** Access points of general purpose and directory buckets. */
export const accessPoints: readonly TaggedResourceFinder[] = [accessPointType, directoryAccessPointType].map((type) =>
  kept(type, nameOf, (state) => state.accessPoints),
);

/** Groups of Storage Lens. */
export const storageLensGroup = kept(storageLensGroupType, nameOf, ({ storageLensGroups }) => storageLensGroups);

/** The S3 Access Grants instance, its locations and grants. */
export const accessGrants: readonly TaggedResourceFinder[] = [
  kept(
    accessGrantsInstanceType,
    () => INSTANCE,
    (state) => state.accessGrantsInstances,
  ),
  kept(accessGrantsLocationType, idOf, (state) => state.accessGrantsLocations),
  kept(accessGrantType, idOf, (state) => state.accessGrants),
];

/** Finds buckets, whose tags are shared with S3's operations. */
export const bucket: TaggedResourceFinder = async (arn, ctx) => {
  const name = bucketNameOf(arn);
  if (name === undefined) return undefined;
  const input = { Bucket: name, ExpectedBucketOwner: ctx.accountId };
  try {
    await ctx.call('s3', 'HeadBucket', input);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NoSuchBucket') return undefined;
    throw error;
  }
  return {
    tags: async () => {
      try {
        return (await ctx.call('s3', 'GetBucketTagging', input)).TagSet;
      } catch (error) {
        if (error instanceof AwsError && error.code === 'NoSuchTagSet') return [];
        throw error;
      }
    },
    replace: (tags) =>
      tags.length
        ? ctx.call('s3', 'PutBucketTagging', { ...input, Tagging: { TagSet: tags } })
        : ctx.call('s3', 'DeleteBucketTagging', input),
  };
};
