import { type OperationContext, type ResourceDirectory, resourceDirectory } from '@emu/core';
import type { TaggingState } from '../state.ts';

/** What handlers of the tagging API have. */
export type TaggingContext = OperationContext<TaggingState>;

/** The resources of all services. */
export async function directoryOf(ctx: TaggingContext): Promise<ResourceDirectory> {
  const directory = await ctx.capability(resourceDirectory);
  return directory!;
}
