import { changeTags, type Properties, type TaggedProperties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** The input that names something of the account. */
export const inAccount = <Key extends Properties>(key: Key, { accountId }: ProviderContext) => ({
  AccountId: accountId,
  ...key,
});

/** Sets the tags of a resource that differ, and takes those away that are gone. */
export function changeTagsOf(
  ResourceArn: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> {
  const at = { AccountId: ctx.accountId, ResourceArn };
  return changeTags(previous.Tags, desired.Tags, {
    set: (Tags) => ctx.call('s3control', 'TagResource', { ...at, Tags: [...Tags] }),
    remove: (TagKeys) => ctx.call('s3control', 'UntagResource', { ...at, TagKeys: [...TagKeys] }),
  });
}

/** The tags of a resource; undefined where it has none. */
export async function tagsOf(ResourceArn: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('s3control', 'ListTagsForResource', { AccountId: ctx.accountId, ResourceArn });
  return Tags?.length ? Tags : undefined;
}
