import type { KmsOperations } from '@emu/service-types/kms';
import { notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { checkPolicy, POLICY_NAME } from '../policy.ts';
import { tagging } from '../tags.ts';
import { type KmsContext, ownKey, refusePendingDeletion } from './context.ts';

type In<Name extends keyof KmsOperations> = KmsOperations[Name]['input'];
type Out<Name extends keyof KmsOperations> = KmsOperations[Name]['output'];

/** A key's policy. */
export async function GetKeyPolicy(input: In<'GetKeyPolicy'>, ctx: KmsContext): Promise<Out<'GetKeyPolicy'>> {
  const { key } = await ownKey(input.KeyId, ctx, false);
  if ((input.PolicyName ?? POLICY_NAME) !== POLICY_NAME) throw notFound('No such policy exists');
  return { Policy: key.policy, PolicyName: POLICY_NAME };
}

/** Replaces a key's policy. */
export async function PutKeyPolicy(input: In<'PutKeyPolicy'>, ctx: KmsContext) {
  refusePendingDeletion(await ownKey(input.KeyId, ctx));
  if ((input.PolicyName ?? POLICY_NAME) !== POLICY_NAME) throw notFound('No such policy exists');
  await checkPolicy(input.Policy, input.BypassPolicyLockoutSafetyCheck, ctx);
  const target = await ownKey(input.KeyId, ctx);
  target.state.update(target.key.id, (draft) => {
    draft.policy = input.Policy;
  });
  return {};
}

/** The names of a key's policies: there is one. */
export async function ListKeyPolicies(input: In<'ListKeyPolicies'>, ctx: KmsContext): Promise<Out<'ListKeyPolicies'>> {
  await ownKey(input.KeyId, ctx, false);
  return paging.page('ListKeyPolicies', input, [POLICY_NAME], (name) => name).list((item) => item);
}

/** Adds tags to a key, over those of the same keys. */
export async function TagResource(input: In<'TagResource'>, ctx: KmsContext) {
  const target = await ownKey(input.KeyId, ctx);
  refusePendingDeletion(target);
  const tags = tagging.merge(target.key.tags, input.Tags);
  target.state.update(target.key.id, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** Removes tags by their keys. */
export async function UntagResource(input: In<'UntagResource'>, ctx: KmsContext) {
  const target = await ownKey(input.KeyId, ctx);
  refusePendingDeletion(target);
  target.state.update(target.key.id, (draft) => {
    draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  return {};
}

/** A key's tags, by key. */
export async function ListResourceTags(
  input: In<'ListResourceTags'>,
  ctx: KmsContext,
): Promise<Out<'ListResourceTags'>> {
  const { key } = await ownKey(input.KeyId, ctx, false);
  return paging
    .page('ListResourceTags', input, key.tags, ({ TagKey }) => TagKey, { defaultLimit: 50 })
    .list((tag) => ({ ...tag }));
}
