import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { boundaryMember, describeListedRole, describeRole, describeRoleFully } from '../entities/describe.ts';
import { keyOf, nowOf, requireRole } from '../entities/lookup.ts';
import { requireModifiableRole } from '../entities/principals.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, deleteConflict } from '../errors.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { checkBoundary } from '../policies/boundaries.ts';
import { checkTrustPolicy } from '../policies/trust.ts';
import { retirePrincipal } from '../policies/trusted-principals.ts';
import { roleType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

const DEFAULT_SESSION_DURATION = 3600;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html */
export async function CreateRole(input: InputOf<'CreateRole'>, ctx: IamContext): Promise<OutputOf<'CreateRole'>> {
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
export function GetRole(input: InputOf<'GetRole'>, ctx: IamContext): OutputOf<'GetRole'> {
  return { Role: describeRoleFully(requireRole(ctx.state, input.RoleName), ctx.credentials) };
}

/**
 * Lists roles by path.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRoles.html
 */
export function ListRoles(input: InputOf<'ListRoles'>, ctx: IamContext): OutputOf<'ListRoles'> {
  const { PathPrefix: prefix = '/' } = input;
  const roles = [...ctx.state.roles.values()].filter(({ path }) => path.startsWith(prefix));
  return paging.page('ListRoles', input, roles, ({ name }) => keyOf(name)).list(describeListedRole);
}

/**
 * Sets the description and the maximum session duration, also of service-linked roles.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateRole.html
 */
export function UpdateRole(input: InputOf<'UpdateRole'>, ctx: IamContext): OutputOf<'UpdateRole'> {
  const find = input.MaxSessionDuration === undefined ? requireRole : requireModifiableRole;
  const role = find(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    if (input.Description !== undefined) draft.description = input.Description;
    draft.maxSessionDuration = input.MaxSessionDuration ?? draft.maxSessionDuration;
  });
  return NOTHING;
}

/**
 * Sets the description, also of service-linked roles.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateRoleDescription.html
 */
export function UpdateRoleDescription(
  input: InputOf<'UpdateRoleDescription'>,
  ctx: IamContext,
): OutputOf<'UpdateRoleDescription'> {
  const role = requireRole(ctx.state, input.RoleName);
  const updated = ctx.state.roles.update(keyOf(role.name), (draft) => {
    draft.description = input.Description;
  });
  return { Role: describeListedRole(updated) };
}

/**
 * Sets the trust policy of a role.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAssumeRolePolicy.html
 */
export function UpdateAssumeRolePolicy(
  input: InputOf<'UpdateAssumeRolePolicy'>,
  ctx: IamContext,
): OutputOf<'UpdateAssumeRolePolicy'> {
  const role = requireModifiableRole(ctx.state, input.RoleName);
  checkTrustPolicy(input.PolicyDocument, ctx);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    draft.trustPolicy = input.PolicyDocument;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRole.html */
export function DeleteRole(input: InputOf<'DeleteRole'>, ctx: IamContext): OutputOf<'DeleteRole'> {
  const { state } = ctx;
  const role = requireModifiableRole(state, input.RoleName);
  const key = keyOf(role.name);
  if ([...state.instanceProfiles.values()].some((profile) => profile.role === key))
    throw deleteConflict('Cannot delete entity, must remove roles from instance profile first.');
  if (role.attachedPolicies.length) throw deleteConflict('Cannot delete entity, must detach all policies first.');
  if (role.inlinePolicies.length) throw deleteConflict('Cannot delete entity, must delete policies first.');
  state.roles.delete(key);
  ctx.credentials.discardUse(role.arn);
  retirePrincipal(role, ctx);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutRolePermissionsBoundary.html */
export async function PutRolePermissionsBoundary(
  input: InputOf<'PutRolePermissionsBoundary'>,
  ctx: IamContext,
): Promise<OutputOf<'PutRolePermissionsBoundary'>> {
  requireModifiableRole(ctx.state, input.RoleName);
  await checkBoundary(ctx, input.PermissionsBoundary);
  const role = requireModifiableRole(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    draft.boundary = input.PermissionsBoundary;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRolePermissionsBoundary.html */
export function DeleteRolePermissionsBoundary(
  input: InputOf<'DeleteRolePermissionsBoundary'>,
  ctx: IamContext,
): OutputOf<'DeleteRolePermissionsBoundary'> {
  const role = requireModifiableRole(ctx.state, input.RoleName);
  ctx.state.roles.update(keyOf(role.name), (draft) => {
    delete draft.boundary;
  });
  return NOTHING;
}
