import type { Properties } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/** Returns the input that names a resource of the account. */
export const inAccount = <Key extends Properties>(key: Key, { accountId }: ProviderContext) => ({
  AccountId: accountId,
  ...key,
});

/** Returns the tags of a resource; undefined if it is missing. */
export async function tagsOf(ResourceArn: string, ctx: ProviderContext) {
  const { Tags } = await ctx.call('s3control', 'ListTagsForResource', { AccountId: ctx.accountId, ResourceArn });
  return Tags?.length ? Tags : undefined;
}
