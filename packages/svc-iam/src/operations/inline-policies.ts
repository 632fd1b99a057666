import type { OperationContext } from '@emu/core';
import type {
  DeleteGroupPolicyRequest,
  DeleteRolePolicyRequest,
  DeleteUserPolicyRequest,
  GetGroupPolicyRequest,
  GetGroupPolicyResponse,
  GetRolePolicyRequest,
  GetRolePolicyResponse,
  GetUserPolicyRequest,
  GetUserPolicyResponse,
  ListGroupPoliciesRequest,
  ListGroupPoliciesResponse,
  ListRolePoliciesRequest,
  ListRolePoliciesResponse,
  ListUserPoliciesRequest,
  ListUserPoliciesResponse,
  PutGroupPolicyRequest,
  PutRolePolicyRequest,
  PutUserPolicyRequest,
} from '@emu/service-types/iam';
import { type Empty, NOTHING } from '../outputs.ts';
import { deleteInline, getInline, listInline, putInline } from '../policies/inline.ts';
import type { IamState } from '../state.ts';

type Ctx = OperationContext<IamState>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutUserPolicy.html */
export function PutUserPolicy(input: PutUserPolicyRequest, ctx: Ctx): Empty {
  putInline(ctx, 'user', input.UserName, input.PolicyName, input.PolicyDocument);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetUserPolicy.html */
export function GetUserPolicy({ UserName, PolicyName }: GetUserPolicyRequest, ctx: Ctx): GetUserPolicyResponse {
  return { UserName, PolicyName, PolicyDocument: getInline(ctx, 'user', UserName, PolicyName) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteUserPolicy.html */
export function DeleteUserPolicy(input: DeleteUserPolicyRequest, ctx: Ctx): Empty {
  deleteInline(ctx, 'user', input.UserName, input.PolicyName);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListUserPolicies.html */
export function ListUserPolicies(input: ListUserPoliciesRequest, ctx: Ctx): ListUserPoliciesResponse {
  return listInline('ListUserPolicies', ctx, 'user', input.UserName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutGroupPolicy.html */
export function PutGroupPolicy(input: PutGroupPolicyRequest, ctx: Ctx): Empty {
  putInline(ctx, 'group', input.GroupName, input.PolicyName, input.PolicyDocument);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetGroupPolicy.html */
export function GetGroupPolicy({ GroupName, PolicyName }: GetGroupPolicyRequest, ctx: Ctx): GetGroupPolicyResponse {
  return { GroupName, PolicyName, PolicyDocument: getInline(ctx, 'group', GroupName, PolicyName) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteGroupPolicy.html */
export function DeleteGroupPolicy(input: DeleteGroupPolicyRequest, ctx: Ctx): Empty {
  deleteInline(ctx, 'group', input.GroupName, input.PolicyName);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListGroupPolicies.html */
export function ListGroupPolicies(input: ListGroupPoliciesRequest, ctx: Ctx): ListGroupPoliciesResponse {
  return listInline('ListGroupPolicies', ctx, 'group', input.GroupName, input);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutRolePolicy.html */
export function PutRolePolicy(input: PutRolePolicyRequest, ctx: Ctx): Empty {
  putInline(ctx, 'role', input.RoleName, input.PolicyName, input.PolicyDocument);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html */
export function GetRolePolicy({ RoleName, PolicyName }: GetRolePolicyRequest, ctx: Ctx): GetRolePolicyResponse {
  return { RoleName, PolicyName, PolicyDocument: getInline(ctx, 'role', RoleName, PolicyName) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRolePolicy.html */
export function DeleteRolePolicy(input: DeleteRolePolicyRequest, ctx: Ctx): Empty {
  deleteInline(ctx, 'role', input.RoleName, input.PolicyName);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRolePolicies.html */
export function ListRolePolicies(input: ListRolePoliciesRequest, ctx: Ctx): ListRolePoliciesResponse {
  return listInline('ListRolePolicies', ctx, 'role', input.RoleName, input);
}
