import { changeTags, type Properties, type TaggedProperties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** Returns the input that names a resource of the account. */
export const inAccount = <Key extends Properties>(key: Key, { accountId }: ProviderContext) => ({
  AccountId: accountId,
  ...key,
});

/** Sets changed tags of a resource and removes missing ones. */
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

/** Returns the tags of a resource; undefined if it is missing. */
export async function tagsOf(ResourceArn: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('s3control', 'ListTagsForResource', { AccountId: ctx.accountId, ResourceArn });
  return Tags?.length ? Tags : undefined;
}
