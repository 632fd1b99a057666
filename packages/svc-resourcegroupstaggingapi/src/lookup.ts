import { type ResourceDirectory, resourceDirectory } from '@emu/core/service';
import type { ResourcegroupstaggingapiContext } from './context.ts';

/** Resources of all services. */
export async function directoryOf(ctx: ResourcegroupstaggingapiContext): Promise<ResourceDirectory> {
  const directory = await ctx.capability(resourceDirectory);
  return directory!;
}
