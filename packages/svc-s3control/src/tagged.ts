import { AwsError, awsError } from '@emu/wire';
import type { S3ControlContext } from './context.ts';
import type { Tag } from './generated/s3control.ts';

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

/** The caller's access points. */
export const accessPoint: TaggedResourceFinder = (arn, { state, region, accountId }) => {
  const match = /^arn:[^:]+:s3(?:express)?:([^:]+):(\d{12}):accesspoint\/([^/]+)$/.exec(arn);
  const record = match && match[1] === region && match[2] === accountId ? state.accessPoints.get(match[3]!) : undefined;
  return (
    record && {
      tags: () => record.tags,
      replace: (tags) => {
        state.accessPoints.update(record.name, (draft) => {
          draft.tags = tags;
        });
      },
    }
  );
};

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
