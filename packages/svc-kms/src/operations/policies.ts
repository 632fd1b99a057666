import type { InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { ownKey, refusePendingDeletion } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkPolicy, POLICY_NAME } from '../policy.ts';

/** Returns the policy of a key. */
export async function GetKeyPolicy(input: InputOf<'GetKeyPolicy'>, ctx: KmsContext): Promise<OutputOf<'GetKeyPolicy'>> {
  const { key } = await ownKey(input.KeyId, ctx, false);
  if ((input.PolicyName ?? POLICY_NAME) !== POLICY_NAME) throw notFound('No such policy exists');
  return { Policy: key.policy, PolicyName: POLICY_NAME };
}

/** Replaces a key's policy. */
export async function PutKeyPolicy(input: InputOf<'PutKeyPolicy'>, ctx: KmsContext) {
  refusePendingDeletion(await ownKey(input.KeyId, ctx));
  if ((input.PolicyName ?? POLICY_NAME) !== POLICY_NAME) throw notFound('No such policy exists');
  await checkPolicy(input.Policy, input.BypassPolicyLockoutSafetyCheck, ctx);
  const target = await ownKey(input.KeyId, ctx);
  target.state.update(target.key.id, (draft) => {
    draft.policy = input.Policy;
  });
  return {};
}

/** Lists the policy names of a key, always one. */
export async function ListKeyPolicies(
  input: InputOf<'ListKeyPolicies'>,
  ctx: KmsContext,
): Promise<OutputOf<'ListKeyPolicies'>> {
  await ownKey(input.KeyId, ctx, false);
  return paging.page('ListKeyPolicies', input, [POLICY_NAME], (name) => name).list((item) => item);
}
