import { changeTags, type TaggedProperties } from '@emu/core/providers';
import { type ProviderContext, tagList, tagMap } from '@emu/core/service';

/** Sets the changed tags of a resource and removes missing ones. */
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

/** Returns the tags of a resource; undefined if it is missing. */
export const tagsOf = async (resourceArn: string, ctx: ProviderContext) =>
  tagList((await ctx.call('logs', 'ListTagsForResource', { resourceArn })).tags);

/** Error code of CloudWatch Logs for missing resources. */
export const GONE = ['ResourceNotFoundException'];
