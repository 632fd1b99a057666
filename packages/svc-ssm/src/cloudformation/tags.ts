import { changeTags, type TaggedProperties, unlessEmpty } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';
import type { ResourceTypeForTagging } from '@emu/service-types/ssm';

/** Returns the tags of a resource in template form; undefined if it has none. */
export async function tagsOf(ResourceType: ResourceTypeForTagging, ResourceId: string, ctx: ProviderContext) {
  const { TagList = [] } = await ctx.call('ssm', 'ListTagsForResource', { ResourceType, ResourceId });
  return unlessEmpty(TagList);
}

/** Changes the tags of a resource. */
export const retag = (
  ResourceType: ResourceTypeForTagging,
  ResourceId: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> =>
  changeTags(previous.Tags, desired.Tags, {
    set: (Tags) => ctx.call('ssm', 'AddTagsToResource', { ResourceType, ResourceId, Tags: [...Tags] }),
    remove: (TagKeys) => ctx.call('ssm', 'RemoveTagsFromResource', { ResourceType, ResourceId, TagKeys: [...TagKeys] }),
  });
