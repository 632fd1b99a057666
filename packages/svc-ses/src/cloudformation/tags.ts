import { changeTags, type TaggedProperties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** Adds, changes and removes the tags of a resource. */
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

/** Returns the tags of a resource; undefined if it has none. */
export async function tagsOf(ResourceArn: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('sesv2', 'ListTagsForResource', { ResourceArn });
  return Tags.length ? Tags : undefined;
}

/** Error code of all SES operations for an unknown resource. */
export const GONE = ['NotFoundException'];
