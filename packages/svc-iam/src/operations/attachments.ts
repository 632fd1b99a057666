import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { attach, detach, entitiesOf, listAttached } from '../policies/attachments.ts';
import { requirePolicy } from '../policies/managed.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachUserPolicy.html */
export async function AttachUserPolicy(
  input: InputOf<'AttachUserPolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'AttachUserPolicy'>> {
  await attach(ctx, 'user', input.UserName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DetachUserPolicy.html */
export function DetachUserPolicy(input: InputOf<'DetachUserPolicy'>, ctx: IamContext): OutputOf<'DetachUserPolicy'> {
  detach(ctx, 'user', input.UserName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedUserPolicies.html */
export function ListAttachedUserPolicies(
  input: InputOf<'ListAttachedUserPolicies'>,
  ctx: IamContext,
): OutputOf<'ListAttachedUserPolicies'> {
  return listAttached('ListAttachedUserPolicies', ctx, 'user', input.UserName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachGroupPolicy.html */
export async function AttachGroupPolicy(
  input: InputOf<'AttachGroupPolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'AttachGroupPolicy'>> {
  await attach(ctx, 'group', input.GroupName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DetachGroupPolicy.html */
export function DetachGroupPolicy(input: InputOf<'DetachGroupPolicy'>, ctx: IamContext): OutputOf<'DetachGroupPolicy'> {
  detach(ctx, 'group', input.GroupName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedGroupPolicies.html */
export function ListAttachedGroupPolicies(
  input: InputOf<'ListAttachedGroupPolicies'>,
  ctx: IamContext,
): OutputOf<'ListAttachedGroupPolicies'> {
  return listAttached('ListAttachedGroupPolicies', ctx, 'group', input.GroupName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachRolePolicy.html */
export async function AttachRolePolicy(
  input: InputOf<'AttachRolePolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'AttachRolePolicy'>> {
  await attach(ctx, 'role', input.RoleName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DetachRolePolicy.html */
export function DetachRolePolicy(input: InputOf<'DetachRolePolicy'>, ctx: IamContext): OutputOf<'DetachRolePolicy'> {
  detach(ctx, 'role', input.RoleName, input.PolicyArn);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedRolePolicies.html */
export function ListAttachedRolePolicies(
  input: InputOf<'ListAttachedRolePolicies'>,
  ctx: IamContext,
): OutputOf<'ListAttachedRolePolicies'> {
  return listAttached('ListAttachedRolePolicies', ctx, 'role', input.RoleName, input);
}

/**
 * Lists the users, groups and roles that a policy is attached to or that have it as boundary.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListEntitiesForPolicy.html
 */
export async function ListEntitiesForPolicy(
  input: InputOf<'ListEntitiesForPolicy'>,
  ctx: IamContext,
): Promise<OutputOf<'ListEntitiesForPolicy'>> {
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
