import type { OperationContext } from '@emu/core';
import type {
  CreateRoleRequest,
  CreateRoleResponse,
  DeleteRolePermissionsBoundaryRequest,
  DeleteRoleRequest,
  GetRoleRequest,
  GetRoleResponse,
  ListRolesRequest,
  ListRolesResponse,
  PutRolePermissionsBoundaryRequest,
  UpdateAssumeRolePolicyRequest,
  UpdateRoleDescriptionRequest,
  UpdateRoleDescriptionResponse,
  UpdateRoleRequest,
} from '@emu/service-types/iam';
import { boundaryMember, describeListedRole, describeRole, describeRoleFully } from '../entities/describe.ts';
import { keyOf, nowOf, requireRole } from '../entities/lookup.ts';
import { requireModifiableRole } from '../entities/principals.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, deleteConflict } from '../errors.ts';
import { type Empty, NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { checkBoundary } from '../policies/boundaries.ts';
import { checkTrustPolicy } from '../policies/trust.ts';
import { retirePrincipal } from '../policies/trusted-principals.ts';
import { roleType } from '../resources.ts';
import type { IamState } from '../state.ts';
import { tagging, tagsMember } from '../tags.ts';

const DEFAULT_SESSION_DURATION = 3600;

type Ctx = OperationContext<IamState>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html */
export async function CreateRole(input: CreateRoleRequest, ctx: Ctx): Promise<CreateRoleResponse> {
  const { RoleName: name, Path: path = '/', PermissionsBoundary: boundary, Description: description } = input;
  const tags = tagging.merge(undefined, input.Tags);
  checkTrustPolicy(input.AssumeRolePolicyDocument, ctx);
  if (boundary !== undefined) await checkBoundary(ctx, boundary);
  const { roles } = ctx.state;
  if (roles.has(keyOf(name))) throw alreadyExists(`Role with name ${name} already exists.`);
  const role = roles.put(keyOf(name), {
    name,
    id: uniqueId('AROA', ctx.ids),
    path,
    arn: roleType.arn({ path, name }, ctx),
    createdAt: nowOf(ctx),
    inlinePolicies: [],
    attachedPolicies: [],
    tags,
    trustPolicy: input.AssumeRolePolicyDocument,
    maxSessionDuration: input.MaxSessionDuration ?? DEFAULT_SESSION_DURATION,
    ...(description !== undefined && { description }),
    ...(boundary !== undefined && { boundary }),
  });
  return {
    Role: {
      ...describeRole(role),
      ...(input.MaxSessionDuration !== undefined && { MaxSessionDuration: role.maxSessionDuration }),
      ...boundaryMember(role.boundary),
      ...tagsMember(role.tags),
    },
  };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRole.html */
export function GetRole(input: GetRoleRequest, ctx: Ctx): GetRoleResponse {
  return { Role: describeRoleFully(requireRole(ctx.state, input.RoleName), ctx.credentials) };
}

/** Roles of a path. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRoles.html */
export function ListRoles(input: ListRolesRequest, ctx: Ctx): ListRolesResponse {
  const { PathPrefix: prefix = '/' } = input;
  const roles = [...ctx.state.roles.values()].filter(({ path }) => path.startsWith(prefix));
  return paging.page('ListRoles', input, roles, ({ name }) => keyOf(name)).list(describeListedRole);
}

/**
 * Sets the description, of service-linked roles too, and the longest session.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateRole.html
 */
export function UpdateRole(input: UpdateRoleRequest, ctx: Ctx): Empty {
  const find = input.MaxSessionDuration === undefined ? requireRole : requireModifiableRole;
  const role = find(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    if (input.Description !== undefined) draft.description = input.Description;
    draft.maxSessionDuration = input.MaxSessionDuration ?? draft.maxSessionDuration;
  });
  return NOTHING;
}

/**
 * Sets the description, of service-linked roles too.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateRoleDescription.html
 */
export function UpdateRoleDescription(input: UpdateRoleDescriptionRequest, ctx: Ctx): UpdateRoleDescriptionResponse {
  const role = requireRole(ctx.state, input.RoleName);
  const updated = ctx.state.roles.update(keyOf(role.name), (draft) => {
    draft.description = input.Description;
  });
  return { Role: describeListedRole(updated) };
}

/** Says who may assume a role. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAssumeRolePolicy.html */
export function UpdateAssumeRolePolicy(input: UpdateAssumeRolePolicyRequest, ctx: Ctx): Empty {
  const role = requireModifiableRole(ctx.state, input.RoleName);
  checkTrustPolicy(input.PolicyDocument, ctx);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    draft.trustPolicy = input.PolicyDocument;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRole.html */
export function DeleteRole(input: DeleteRoleRequest, ctx: Ctx): Empty {
  const { state } = ctx;
  const role = requireModifiableRole(state, input.RoleName);
  const key = keyOf(role.name);
  if ([...state.instanceProfiles.values()].some((profile) => profile.role === key))
    throw deleteConflict('Cannot delete entity, must remove roles from instance profile first.');
  if (role.attachedPolicies.length) throw deleteConflict('Cannot delete entity, must detach all policies first.');
  if (role.inlinePolicies.length) throw deleteConflict('Cannot delete entity, must delete policies first.');
  state.roles.delete(key);
  ctx.credentials.forgetUse(role.arn);
  retirePrincipal(role, ctx);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutRolePermissionsBoundary.html */
export async function PutRolePermissionsBoundary(input: PutRolePermissionsBoundaryRequest, ctx: Ctx): Promise<Empty> {
  requireModifiableRole(ctx.state, input.RoleName);
  await checkBoundary(ctx, input.PermissionsBoundary);
  const role = requireModifiableRole(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    draft.boundary = input.PermissionsBoundary;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRolePermissionsBoundary.html */
export function DeleteRolePermissionsBoundary(input: DeleteRolePermissionsBoundaryRequest, ctx: Ctx): Empty {
  const role = requireModifiableRole(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    delete draft.boundary;
  });
  return NOTHING;
}
