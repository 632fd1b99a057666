import type { ProviderContext } from '@emu/core/service';

/** Returns the tags of a resource; undefined if it has none. */
export async function tagsOf(ResourceArn: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('sesv2', 'ListTagsForResource', { ResourceArn });
  return Tags.length ? Tags : undefined;
}

/** Error code of all SES operations for an unknown resource. */
export const GONE = ['NotFoundException'];
