import { changeTags, type TaggedProperties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** Sets the tags of a resource that differ, and takes those away that are gone. */
export const changeTagsOf = (
  ResourceArn: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> =>
  changeTags(previous.Tags, desired.Tags, {
    set: (Tags) => ctx.call('sesv2', 'TagResource', { ResourceArn, Tags: [...Tags] }),
    remove: (TagKeys) => ctx.call('sesv2', 'UntagResource', { ResourceArn, TagKeys: [...TagKeys] }),
  });

/** The tags of a resource; undefined where it has none. */
export async function tagsOf(ResourceArn: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('sesv2', 'ListTagsForResource', { ResourceArn });
  return Tags.length ? Tags : undefined;
}

/** What every operation of SES's answers where there is nothing of a name. */
export const GONE = ['NotFoundException'];
