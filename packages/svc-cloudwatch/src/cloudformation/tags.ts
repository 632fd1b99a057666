import { changeTags, type TaggedProperties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** Sets the tags of a resource that differ, and takes those away that are gone. */
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

/** The tags of a resource; undefined where it has none. */
export async function tagsOf(ResourceARN: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('cloudwatch', 'ListTagsForResource', { ResourceARN });
  return Tags?.length ? Tags : undefined;
}
