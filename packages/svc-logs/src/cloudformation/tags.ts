import { type ProviderContext, tagList } from '@emu/core/service';

/** Returns the tags of a resource; undefined if it is missing. */
export const tagsOf = async (resourceArn: string, ctx: ProviderContext) =>
  tagList((await ctx.call('logs', 'ListTagsForResource', { resourceArn })).tags);

/** Error code of CloudWatch Logs for missing resources. */
export const GONE = ['ResourceNotFoundException'];
