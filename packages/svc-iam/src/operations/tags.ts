import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { keyOf, requireInstanceProfile, requireRole, requireUser } from '../entities/lookup.ts';
import { NOTHING } from '../outputs.ts';
import { requireLocalPolicy, requirePolicy } from '../policies/managed.ts';
import { pageOfTags, tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagUser.html */
export function TagUser(input: InputOf<'TagUser'>, ctx: IamContext): OutputOf<'TagUser'> {
  const { name, tags } = requireUser(ctx.state, input.UserName);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.users.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagUser.html */
export function UntagUser(input: InputOf<'UntagUser'>, ctx: IamContext): OutputOf<'UntagUser'> {
  const { name, tags } = requireUser(ctx.state, input.UserName);
  ctx.state.users.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListUserTags.html */
export function ListUserTags(input: InputOf<'ListUserTags'>, ctx: IamContext): OutputOf<'ListUserTags'> {
  return pageOfTags('ListUserTags', requireUser(ctx.state, input.UserName).tags, input);
}

/**
 * Tags a role, also a service-linked one.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagRole.html
 */
export function TagRole(input: InputOf<'TagRole'>, ctx: IamContext): OutputOf<'TagRole'> {
  const { name, tags } = requireRole(ctx.state, input.RoleName);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.roles.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagRole.html */
export function UntagRole(input: InputOf<'UntagRole'>, ctx: IamContext): OutputOf<'UntagRole'> {
  const { name, tags } = requireRole(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRoleTags.html */
export function ListRoleTags(input: InputOf<'ListRoleTags'>, ctx: IamContext): OutputOf<'ListRoleTags'> {
  return pageOfTags('ListRoleTags', requireRole(ctx.state, input.RoleName).tags, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagInstanceProfile.html */
export function TagInstanceProfile(
  input: InputOf<'TagInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'TagInstanceProfile'> {
  const { name, tags } = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.instanceProfiles.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagInstanceProfile.html */
export function UntagInstanceProfile(
  input: InputOf<'UntagInstanceProfile'>,
  ctx: IamContext,
): OutputOf<'UntagInstanceProfile'> {
  const { name, tags } = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  ctx.state.instanceProfiles.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListInstanceProfileTags.html */
export function ListInstanceProfileTags(
  input: InputOf<'ListInstanceProfileTags'>,
  ctx: IamContext,
): OutputOf<'ListInstanceProfileTags'> {
  return pageOfTags(
    'ListInstanceProfileTags',
    requireInstanceProfile(ctx.state, input.InstanceProfileName).tags,
    input,
  );
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagPolicy.html */
export function TagPolicy(input: InputOf<'TagPolicy'>, ctx: IamContext): OutputOf<'TagPolicy'> {
  const { name, tags } = requireLocalPolicy(ctx, input.PolicyArn);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.policies.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagPolicy.html */
export function UntagPolicy(input: InputOf<'UntagPolicy'>, ctx: IamContext): OutputOf<'UntagPolicy'> {
  const { name, tags } = requireLocalPolicy(ctx, input.PolicyArn);
  ctx.state.policies.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListPolicyTags.html */
export async function ListPolicyTags(
  input: InputOf<'ListPolicyTags'>,
  ctx: IamContext,
): Promise<OutputOf<'ListPolicyTags'>> {
  const policy = await requirePolicy(ctx, input.PolicyArn);
  return pageOfTags('ListPolicyTags', 'tags' in policy ? policy.tags : [], input);
}
