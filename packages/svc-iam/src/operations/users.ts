import type { GetUserResponse, InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { keysOf, renameKeys } from '../credentials/access-keys.ts';
import { credentialConflict } from '../credentials/registered.ts';
import { principalUserName } from '../entities/caller.ts';
import { boundaryMember, describeUser, describeUserFully } from '../entities/describe.ts';
import { keyOf, nowOf, requireUser } from '../entities/lookup.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, deleteConflict } from '../errors.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { checkBoundary } from '../policies/boundaries.ts';
import { retirePrincipal } from '../policies/trusted-principals.ts';
import { userType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

/**
 * Creates a user.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateUser.html
 */
export async function CreateUser(input: InputOf<'CreateUser'>, ctx: IamContext): Promise<OutputOf<'CreateUser'>> {
  const { UserName: name, Path: path = '/', PermissionsBoundary: boundary } = input;
  const tags = tagging.merge(undefined, input.Tags);
  if (boundary !== undefined) await checkBoundary(ctx, boundary);
  const { users } = ctx.state;
  if (users.has(keyOf(name))) throw alreadyExists(`User with name ${name} already exists.`);
  const user = users.put(keyOf(name), {
    name,
    id: uniqueId('AIDA', ctx.ids),
    path,
    arn: userType.arn({ path, name }, ctx),
    createdAt: nowOf(ctx),
    inlinePolicies: [],
    attachedPolicies: [],
    tags,
    groups: [],
    ...(boundary !== undefined && { boundary }),
  });
  return { User: { ...describeUser(user), ...boundaryMember(user.boundary), ...tagsMember(user.tags) } };
}

/**
 * Returns a user, by default the caller.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetUser.html
 */
export function GetUser(input: InputOf<'GetUser'>, ctx: IamContext): OutputOf<'GetUser'> {
  const { type, arn, accountId } = ctx.principal;
  if (input.UserName === undefined && type === 'root') {
    const user = { UserId: accountId, Arn: arn, CreateDate: new Date(ctx.state.createdAt(nowOf(ctx))) };
    // The root user has neither a name nor a path.
    return { User: user as GetUserResponse['User'] };
  }
  return { User: describeUserFully(requireUser(ctx.state, input.UserName ?? principalUserName(ctx))) };
}

/**
 * Lists users by path.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListUsers.html
 */
export function ListUsers(input: InputOf<'ListUsers'>, ctx: IamContext): OutputOf<'ListUsers'> {
  const { PathPrefix: prefix = '/' } = input;
  const users = [...ctx.state.users.values()].filter(({ path }) => path.startsWith(prefix));
  return paging.page('ListUsers', input, users, ({ name }) => keyOf(name)).list(describeUser);
}

/**
 * Renames or moves a user with everything that belongs to it.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateUser.html
 */
export function UpdateUser(input: InputOf<'UpdateUser'>, ctx: IamContext): OutputOf<'UpdateUser'> {
  const { users } = ctx.state;
  const user = requireUser(ctx.state, input.UserName);
  const { NewUserName: name = user.name, NewPath: path = user.path } = input;
  const [from, to] = [keyOf(user.name), keyOf(name)];
  if (from !== to && users.has(to)) throw alreadyExists(`User with name ${name} already exists.`);
  const arn = userType.arn({ path, name }, ctx);
  const renamed = users.update(from, (draft) => Object.assign(draft, { name, path, arn }));
  if (from !== to) {
    users.put(to, structuredClone(renamed) as Parameters<typeof users.put>[1]);
    users.delete(from);
  }
  renameKeys(ctx.credentials, ctx.accountId, renamed);
  return NOTHING;
}

/**
 * Deletes a user that has no credentials, policies or groups left.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteUser.html
 */
export function DeleteUser(input: InputOf<'DeleteUser'>, ctx: IamContext): OutputOf<'DeleteUser'> {
  const user = requireUser(ctx.state, input.UserName);
  if (user.groups.length) throw deleteConflict('Cannot delete entity, must remove users from group first.');
  if (user.attachedPolicies.length) throw deleteConflict('Cannot delete entity, must detach all policies first.');
  if (user.inlinePolicies.length) throw deleteConflict('Cannot delete entity, must delete policies first.');
  if (user.password) throw deleteConflict('Cannot delete entity, must delete login profile first.');
  if (keysOf(ctx.credentials, ctx.accountId, user.id).length)
    throw deleteConflict('Cannot delete entity, must delete access keys first.');
  const conflict = credentialConflict(ctx.state, user);
  if (conflict !== undefined) throw deleteConflict(conflict);
  ctx.state.users.delete(keyOf(user.name));
  retirePrincipal(user, ctx);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_PutUserPermissionsBoundary.html */
export async function PutUserPermissionsBoundary(
  input: InputOf<'PutUserPermissionsBoundary'>,
  ctx: IamContext,
): Promise<OutputOf<'PutUserPermissionsBoundary'>> {
  requireUser(ctx.state, input.UserName);
  await checkBoundary(ctx, input.PermissionsBoundary);
  const user = requireUser(ctx.state, input.UserName);
  ctx.state.users.update(keyOf(user.name), (draft) => {
    draft.boundary = input.PermissionsBoundary;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteUserPermissionsBoundary.html */
export function DeleteUserPermissionsBoundary(
  input: InputOf<'DeleteUserPermissionsBoundary'>,
  ctx: IamContext,
): OutputOf<'DeleteUserPermissionsBoundary'> {
  const user = requireUser(ctx.state, input.UserName);
  ctx.state.users.update(keyOf(user.name), (draft) => {
    delete draft.boundary;
  });
  return NOTHING;
}
