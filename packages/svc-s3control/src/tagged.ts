import type { Collection } from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import type { S3ControlContext } from './context.ts';
import type { Tag } from './generated/s3control.ts';
import type { S3ControlState } from './state.ts';

/** A resource that has tags. */
export interface TaggedResource {
  tags(): readonly Tag[] | Promise<readonly Tag[]>;
  /** Puts tags in the place of all there are. */
  replace(tags: Tag[]): unknown;
}

/**
 * Finds a resource of a kind by its ARN; undefined where the ARN is not of that kind or there is no such resource.
 * @param arn of the caller's account and region, or a bucket's
 */
export type TaggedResourceFinder = (
  arn: string,
  ctx: S3ControlContext,
) => TaggedResource | undefined | Promise<TaggedResource | undefined>;

export const noSuchResource = (): AwsError =>
  awsError('NoSuchResource', "The specified resource doesn't exist.", { status: 404 });

/**
 * Finds records of the caller's account and region.
 * @param pattern of the ARN after the account, whose first group is the record's key
 */
function kept<Record extends { tags: Tag[] }>(
  pattern: RegExp,
  collectionOf: (state: S3ControlState) => Collection<Record>,
): TaggedResourceFinder {
  return (arn, { state, region, accountId }) => {
    const [, service, place, account, rest = ''] = /^arn:[^:]+:([^:]+):([^:]+):(\d{12}):(.+)$/.exec(arn) ?? [];
    if (!/^s3(express)?$/.test(service ?? '') || place !== region || account !== accountId) return undefined;
    const key = pattern.exec(rest)?.[1];
    const collection = collectionOf(state);
    const record = key === undefined ? undefined : collection.get(key);
    return (
      record && {
        tags: () => record.tags as readonly Tag[],
        replace: (tags) => {
          collection.update(key!, (draft) => {
            draft.tags = tags;
          });
        },
      }
    );
  };
}

/** Access points. */
export const accessPoint = kept(/^accesspoint\/([^/]+)$/, ({ accessPoints }) => accessPoints);

/** Groups of Storage Lens. */
export const storageLensGroup = kept(/^storage-lens-group\/([^/]+)$/, ({ storageLensGroups }) => storageLensGroups);

/** The S3 Access Grants instance, its locations and its grants. */
export const accessGrants: readonly TaggedResourceFinder[] = [
  kept(/^access-grants\/(default)$/, ({ accessGrantsInstances }) => accessGrantsInstances),
  kept(/^access-grants\/default\/location\/([^/]+)$/, ({ accessGrantsLocations }) => accessGrantsLocations),
  kept(/^access-grants\/default\/grant\/([^/]+)$/, ({ accessGrants }) => accessGrants),
];

/** Buckets, whose tags are S3's: what one API puts the other shows. */
export const bucket: TaggedResourceFinder = async (arn, ctx) => {
  const match = /^arn:[^:]+:(?:s3:::|s3express:[^:]+:\d{12}:bucket\/)([^/:]+)$/.exec(arn);
  if (!match) return undefined;
  const input = { Bucket: match[1]!, ExpectedBucketOwner: ctx.accountId };
  try {
    await ctx.call('s3', 'HeadBucket', input);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NoSuchBucket') return undefined;
    throw error;
  }
  return {
    tags: async () => {
      try {
        return (await ctx.call<{ TagSet: Tag[] }>('s3', 'GetBucketTagging', input)).TagSet;
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
