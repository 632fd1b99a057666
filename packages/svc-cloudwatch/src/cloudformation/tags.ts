import { changeTags, type TaggedProperties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** Adds, changes and removes the tags of a resource. */
export const changeTagsOf = (
  ResourceARN: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> =>
  changeTags(previous.Tags, desired.Tags, {
    set: (Tags) => ctx.call('cloudwatch', 'TagResource', { ResourceARN, Tags: [...Tags] }),
    remove: (TagKeys) => ctx.call('cloudwatch', 'UntagResource', { ResourceARN, TagKeys: [...TagKeys] }),
  });

/** Returns the tags of a resource; undefined if it has none. */
export async function tagsOf(ResourceARN: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('cloudwatch', 'ListTagsForResource', { ResourceARN });
  return Tags?.length ? Tags : undefined;
}
