import type { ProviderContext } from '@emu/core';
import { changeTags, type TaggedProperties, tagList, tagMap } from '@emu/core/providers';

/** Sets the tags of a resource that differ, and takes those away that are gone. */
export const changeTagsOf = (
  resourceArn: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> =>
  changeTags(previous.Tags, desired.Tags, {
    set: (tags) => ctx.call('logs', 'TagResource', { resourceArn, tags: tagMap(tags)! }),
    remove: (tagKeys) => ctx.call('logs', 'UntagResource', { resourceArn, tagKeys: [...tagKeys] }),
  });

/** The tags of a resource; undefined where it has none. */
export const tagsOf = async (resourceArn: string, ctx: ProviderContext) =>
  tagList((await ctx.call('logs', 'ListTagsForResource', { resourceArn })).tags);

/** What every operation of CloudWatch Logs answers where there is nothing of a name. */
export const GONE = ['ResourceNotFoundException'];
