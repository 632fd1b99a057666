import { resourceDirectory } from '../capabilities/resource-directory.ts';
import { changeTags, type TaggedProperties } from '../cloudformation/building.ts';
import type { ProviderContext } from '../cloudformation/provider.ts';
import { tagMap } from '../resources/tag-lists.ts';

/**
 * Changes the tags of the resource of an ARN by the operations that its service declares, as `changeTags` does.
 * @throws Error for an ARN without such operations
 */
export async function changeTagsOf(
  arn: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> {
  const directory = await ctx.capability(resourceDirectory);
  const resource = await directory?.tagging(arn, ctx.accountId, ctx.region);
  if (!resource) throw new Error(`no operations change the tags of ${arn}`);
  const run = ({ operation, input }: { operation: string; input: unknown }) =>
    ctx.callJson(resource.service, operation, input);
  await changeTags(previous.Tags, desired.Tags, {
    set: (tags) => run(resource.tag(tagMap(tags) ?? {})),
    remove: (keys) => run(resource.untag(keys)),
  });
}
