import type { KeyValueTag } from './tag-lists.ts';

const DEFAULT_LIMIT = 50;

/** Paging parameters of a resource's tags. */
interface TagPageInput {
  readonly ExclusiveStartTagKey?: string | undefined;
  /** 50 by default. */
  readonly Limit?: number | undefined;
}

/** Returns tags as a list, in the order of their keys. */
export const sortedTags = (tags: Readonly<Record<string, string>>): KeyValueTag[] =>
  Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));

/**
 * Returns the tags after a key, as Kinesis and Firehose list them.
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListTagsForStream.html
 */
export function tagPage(
  tags: Readonly<Record<string, string>>,
  { ExclusiveStartTagKey: after, Limit = DEFAULT_LIMIT }: TagPageInput,
): { Tags: KeyValueTag[]; HasMoreTags: boolean } {
  const rest = sortedTags(tags).filter(({ Key }) => after === undefined || Key > after);
  return { Tags: rest.slice(0, Limit), HasMoreTags: rest.length > Limit };
}
