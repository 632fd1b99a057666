import type { ProviderContext } from '@emu/core/service';

/** Returns the tags of a resource; undefined if it has none. */
export async function tagsOf(ResourceARN: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('cloudwatch', 'ListTagsForResource', { ResourceARN });
  return Tags?.length ? Tags : undefined;
}
