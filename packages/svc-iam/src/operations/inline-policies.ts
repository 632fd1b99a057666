import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { NOTHING } from '../outputs.ts';
import { deleteInline, getInline, listInline, putInline } from '../policies/inline.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutUserPolicy.html */
export function PutUserPolicy(input: InputOf<'PutUserPolicy'>, ctx: IamContext): OutputOf<'PutUserPolicy'> {
  putInline(ctx, 'user', input.UserName, input.PolicyName, input.PolicyDocument);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetUserPolicy.html */
export function GetUserPolicy(
  { UserName, PolicyName }: InputOf<'GetUserPolicy'>,
  ctx: IamContext,
): OutputOf<'GetUserPolicy'> {
  return { UserName, PolicyName, PolicyDocument: getInline(ctx, 'user', UserName, PolicyName) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteUserPolicy.html */
export function DeleteUserPolicy(input: InputOf<'DeleteUserPolicy'>, ctx: IamContext): OutputOf<'DeleteUserPolicy'> {
  deleteInline(ctx, 'user', input.UserName, input.PolicyName);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListUserPolicies.html */
export function ListUserPolicies(input: InputOf<'ListUserPolicies'>, ctx: IamContext): OutputOf<'ListUserPolicies'> {
  return listInline('ListUserPolicies', ctx, 'user', input.UserName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutGroupPolicy.html */
export function PutGroupPolicy(input: InputOf<'PutGroupPolicy'>, ctx: IamContext): OutputOf<'PutGroupPolicy'> {
  putInline(ctx, 'group', input.GroupName, input.PolicyName, input.PolicyDocument);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetGroupPolicy.html */
export function GetGroupPolicy(
  { GroupName, PolicyName }: InputOf<'GetGroupPolicy'>,
  ctx: IamContext,
): OutputOf<'GetGroupPolicy'> {
  return { GroupName, PolicyName, PolicyDocument: getInline(ctx, 'group', GroupName, PolicyName) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteGroupPolicy.html */
export function DeleteGroupPolicy(input: InputOf<'DeleteGroupPolicy'>, ctx: IamContext): OutputOf<'DeleteGroupPolicy'> {
  deleteInline(ctx, 'group', input.GroupName, input.PolicyName);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListGroupPolicies.html */
export function ListGroupPolicies(input: InputOf<'ListGroupPolicies'>, ctx: IamContext): OutputOf<'ListGroupPolicies'> {
  return listInline('ListGroupPolicies', ctx, 'group', input.GroupName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutRolePolicy.html */
export function PutRolePolicy(input: InputOf<'PutRolePolicy'>, ctx: IamContext): OutputOf<'PutRolePolicy'> {
  putInline(ctx, 'role', input.RoleName, input.PolicyName, input.PolicyDocument);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html */
export function GetRolePolicy(
  { RoleName, PolicyName }: InputOf<'GetRolePolicy'>,
  ctx: IamContext,
): OutputOf<'GetRolePolicy'> {
  return { RoleName, PolicyName, PolicyDocument: getInline(ctx, 'role', RoleName, PolicyName) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRolePolicy.html */
export function DeleteRolePolicy(input: InputOf<'DeleteRolePolicy'>, ctx: IamContext): OutputOf<'DeleteRolePolicy'> {
  deleteInline(ctx, 'role', input.RoleName, input.PolicyName);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRolePolicies.html */
export function ListRolePolicies(input: InputOf<'ListRolePolicies'>, ctx: IamContext): OutputOf<'ListRolePolicies'> {
  return listInline('ListRolePolicies', ctx, 'role', input.RoleName, input);
}
