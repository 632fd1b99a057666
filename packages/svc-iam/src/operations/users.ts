import type { OperationContext } from '@emu/core';
import { principalUserName } from '../callers.ts';
import { describeUser } from '../describe.ts';
import { arnOf, keyOf, nowOf, requireUser } from '../entities.ts';
import { alreadyExists, deleteConflict, quotaExceeded } from '../errors.ts';
import type {
  CreateUserRequest,
  CreateUserResponse,
  DeleteUserRequest,
  GetUserRequest,
  GetUserResponse,
  ListUsersRequest,
  ListUsersResponse,
} from '../generated/iam.ts';
import { paginate } from '../paging.ts';
import type { IamState } from '../state.ts';
import { mergeTags, tagsMember } from '../tags.ts';
import { uniqueId } from '../unique-ids.ts';
import { credentialConflict } from '../user-credentials.ts';

const MAX_USERS = 5000;
type Ctx = OperationContext<IamState>;

/** Makes a user. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateUser.html */
export function CreateUser(input: CreateUserRequest, ctx: Ctx): CreateUserResponse {
  const { users } = ctx.state;
  const { UserName: name, Path: path = '/' } = input;
  if (users.has(keyOf(name))) throw alreadyExists(`User with name ${name} already exists.`);
  if (users.size >= MAX_USERS) throw quotaExceeded('UsersPerAccount', MAX_USERS);
  const user = users.put(keyOf(name), {
    name,
    id: uniqueId('AIDA', ctx.ids),
    path,
    arn: arnOf(ctx, `user${path}${name}`),
    createdAt: nowOf(ctx),
    inlinePolicies: {},
    attachedPolicies: [],
    tags: mergeTags([], input.Tags),
    groups: [],
  });
  return { User: { ...describeUser(user), ...tagsMember(user.tags) } };
}

/** A user, by default the caller. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetUser.html */
export function GetUser(input: GetUserRequest, ctx: Ctx): GetUserResponse {
  const user = requireUser(ctx.state, input.UserName ?? principalUserName(ctx));
  return { User: { ...describeUser(user), ...tagsMember(user.tags) } };
}

/** Users of a path. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListUsers.html */
export function ListUsers(input: ListUsersRequest, ctx: Ctx): ListUsersResponse {
  const { PathPrefix: prefix = '/' } = input;
  const users = [...ctx.state.users.values()].filter(({ path }) => path.startsWith(prefix));
  const { items, page } = paginate(users, ({ name }) => keyOf(name), input);
  return { Users: items.map(describeUser), ...page };
}

/** Deletes a user that nothing belongs to any more. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteUser.html */
export function DeleteUser(input: DeleteUserRequest, ctx: Ctx): {} {
  const user = requireUser(ctx.state, input.UserName);
  if (user.attachedPolicies.length) throw deleteConflict('Cannot delete entity, must detach all policies first.');
  const conflict = credentialConflict(ctx.state, user);
  if (conflict !== undefined) throw deleteConflict(conflict);
  ctx.state.users.delete(keyOf(user.name));
  return {};
}
