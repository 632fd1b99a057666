import type { OperationContext } from '@emu/core';
import type {
  AttachGroupPolicyRequest,
  AttachRolePolicyRequest,
  AttachUserPolicyRequest,
  DetachGroupPolicyRequest,
  DetachRolePolicyRequest,
  DetachUserPolicyRequest,
  ListAttachedGroupPoliciesRequest,
  ListAttachedGroupPoliciesResponse,
  ListAttachedRolePoliciesRequest,
  ListAttachedRolePoliciesResponse,
  ListAttachedUserPoliciesRequest,
  ListAttachedUserPoliciesResponse,
  ListEntitiesForPolicyRequest,
  ListEntitiesForPolicyResponse,
} from '@emu/service-types/iam';
import { type Empty, NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { attach, detach, entitiesOf, listAttached } from '../policies/attachments.ts';
import { requirePolicy } from '../policies/managed.ts';
import type { IamState } from '../state.ts';

type Ctx = OperationContext<IamState>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachUserPolicy.html */
export async function AttachUserPolicy(input: AttachUserPolicyRequest, ctx: Ctx): Promise<Empty> {
  await attach(ctx, 'user', input.UserName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DetachUserPolicy.html */
export function DetachUserPolicy(input: DetachUserPolicyRequest, ctx: Ctx): Empty {
  detach(ctx, 'user', input.UserName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedUserPolicies.html */
export function ListAttachedUserPolicies(
  input: ListAttachedUserPoliciesRequest,
  ctx: Ctx,
): ListAttachedUserPoliciesResponse {
  return listAttached('ListAttachedUserPolicies', ctx, 'user', input.UserName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachGroupPolicy.html */
export async function AttachGroupPolicy(input: AttachGroupPolicyRequest, ctx: Ctx): Promise<Empty> {
  await attach(ctx, 'group', input.GroupName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DetachGroupPolicy.html */
export function DetachGroupPolicy(input: DetachGroupPolicyRequest, ctx: Ctx): Empty {
  detach(ctx, 'group', input.GroupName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedGroupPolicies.html */
export function ListAttachedGroupPolicies(
  input: ListAttachedGroupPoliciesRequest,
  ctx: Ctx,
): ListAttachedGroupPoliciesResponse {
  return listAttached('ListAttachedGroupPolicies', ctx, 'group', input.GroupName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachRolePolicy.html */
export async function AttachRolePolicy(input: AttachRolePolicyRequest, ctx: Ctx): Promise<Empty> {
  await attach(ctx, 'role', input.RoleName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DetachRolePolicy.html */
export function DetachRolePolicy(input: DetachRolePolicyRequest, ctx: Ctx): Empty {
  detach(ctx, 'role', input.RoleName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedRolePolicies.html */
export function ListAttachedRolePolicies(
  input: ListAttachedRolePoliciesRequest,
  ctx: Ctx,
): ListAttachedRolePoliciesResponse {
  return listAttached('ListAttachedRolePolicies', ctx, 'role', input.RoleName, input);
}

/**
 * One page of the users, groups and roles a policy is attached to or is the boundary of.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListEntitiesForPolicy.html
 */
export async function ListEntitiesForPolicy(
  input: ListEntitiesForPolicyRequest,
  ctx: Ctx,
): Promise<ListEntitiesForPolicyResponse> {
  await requirePolicy(ctx, input.PolicyArn);
  const { items, next } = paging.page(
    'ListEntitiesForPolicy',
    input,
    entitiesOf(ctx.state, input),
    ({ kind, name }) => `${kind}/${name}`,
  );
  const those = (wanted: string) => items.filter(({ kind }) => kind === wanted);
  return {
    PolicyGroups: those('group').map(({ name, id }) => ({ GroupName: name, GroupId: id })),
    PolicyUsers: those('user').map(({ name, id }) => ({ UserName: name, UserId: id })),
    PolicyRoles: those('role').map(({ name, id }) => ({ RoleName: name, RoleId: id })),
    ...next,
  };
}
