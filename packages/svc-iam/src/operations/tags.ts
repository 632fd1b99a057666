import type { OperationContext } from '@emu/core';
import type {
  ListInstanceProfileTagsRequest,
  ListInstanceProfileTagsResponse,
  ListPolicyTagsRequest,
  ListPolicyTagsResponse,
  ListRoleTagsRequest,
  ListRoleTagsResponse,
  ListUserTagsRequest,
  ListUserTagsResponse,
  TagInstanceProfileRequest,
  TagPolicyRequest,
  TagRoleRequest,
  TagUserRequest,
  UntagInstanceProfileRequest,
  UntagPolicyRequest,
  UntagRoleRequest,
  UntagUserRequest,
} from '@emu/service-types/iam';
import { keyOf, requireInstanceProfile, requireRole, requireUser } from '../entities/lookup.ts';
import { type Empty, NOTHING } from '../outputs.ts';
import { requireLocalPolicy, requirePolicy } from '../policies/managed.ts';
import type { IamState } from '../state.ts';
import { pageOfTags, tagging } from '../tags.ts';

type Ctx = OperationContext<IamState>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagUser.html */
export function TagUser(input: TagUserRequest, ctx: Ctx): Empty {
  const { name, tags } = requireUser(ctx.state, input.UserName);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.users.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagUser.html */
export function UntagUser(input: UntagUserRequest, ctx: Ctx): Empty {
  const { name, tags } = requireUser(ctx.state, input.UserName);
  ctx.state.users.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListUserTags.html */
export function ListUserTags(input: ListUserTagsRequest, ctx: Ctx): ListUserTagsResponse {
  return pageOfTags('ListUserTags', requireUser(ctx.state, input.UserName).tags, input);
}

/** Service-linked roles have tags too. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagRole.html */
export function TagRole(input: TagRoleRequest, ctx: Ctx): Empty {
  const { name, tags } = requireRole(ctx.state, input.RoleName);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.roles.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagRole.html */
export function UntagRole(input: UntagRoleRequest, ctx: Ctx): Empty {
  const { name, tags } = requireRole(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRoleTags.html */
export function ListRoleTags(input: ListRoleTagsRequest, ctx: Ctx): ListRoleTagsResponse {
  return pageOfTags('ListRoleTags', requireRole(ctx.state, input.RoleName).tags, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagInstanceProfile.html */
export function TagInstanceProfile(input: TagInstanceProfileRequest, ctx: Ctx): Empty {
  const { name, tags } = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.instanceProfiles.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagInstanceProfile.html */
export function UntagInstanceProfile(input: UntagInstanceProfileRequest, ctx: Ctx): Empty {
  const { name, tags } = requireInstanceProfile(ctx.state, input.InstanceProfileName);
  ctx.state.instanceProfiles.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListInstanceProfileTags.html */
export function ListInstanceProfileTags(
  input: ListInstanceProfileTagsRequest,
  ctx: Ctx,
): ListInstanceProfileTagsResponse {
  return pageOfTags(
    'ListInstanceProfileTags',
    requireInstanceProfile(ctx.state, input.InstanceProfileName).tags,
    input,
  );
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagPolicy.html */
export function TagPolicy(input: TagPolicyRequest, ctx: Ctx): Empty {
  const { name, tags } = requireLocalPolicy(ctx, input.PolicyArn);
  const merged = tagging.merge(tags, input.Tags);
  ctx.state.policies.update(keyOf(name), (draft) => {
    draft.tags = merged;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UntagPolicy.html */
export function UntagPolicy(input: UntagPolicyRequest, ctx: Ctx): Empty {
  const { name, tags } = requireLocalPolicy(ctx, input.PolicyArn);
  ctx.state.policies.update(keyOf(name), (draft) => {
    draft.tags = tagging.remove(tags, input.TagKeys);
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListPolicyTags.html */
export async function ListPolicyTags(input: ListPolicyTagsRequest, ctx: Ctx): Promise<ListPolicyTagsResponse> {
  const policy = await requirePolicy(ctx, input.PolicyArn);
  return pageOfTags('ListPolicyTags', 'tags' in policy ? policy.tags : [], input);
}
