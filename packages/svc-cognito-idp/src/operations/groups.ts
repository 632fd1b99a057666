import type { CognitoIdpOperations, GroupType } from '@emu/service-types/cognito-idp';
import { groupExists, notFound } from '../errors.ts';
import { type CognitoContext, poolOf, userIn } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { GroupRecord } from '../records.ts';

type Operations = CognitoIdpOperations;

const describe = ({
  poolId,
  name,
  description,
  roleArn,
  precedence,
  createdAt,
  updatedAt,
}: Readonly<GroupRecord>): GroupType => ({
  GroupName: name,
  UserPoolId: poolId,
  ...(description !== undefined && { Description: description }),
  ...(roleArn !== undefined && { RoleArn: roleArn }),
  ...(precedence !== undefined && { Precedence: precedence }),
  LastModifiedDate: new Date(updatedAt),
  CreationDate: new Date(createdAt),
});

/** The group of a request. @throws AwsError `ResourceNotFoundException` */
function groupOf(input: { UserPoolId: string; GroupName: string }, ctx: CognitoContext): Readonly<GroupRecord> {
  const pool = poolOf(input, ctx);
  const group = ctx.state.groups.get(`${pool.id}/${input.GroupName}`);
  if (!group) throw notFound('Group not found.');
  return group;
}

export function CreateGroup(
  input: Operations['CreateGroup']['input'],
  ctx: CognitoContext,
): Operations['CreateGroup']['output'] {
  const pool = poolOf(input, ctx);
  const { GroupName: name, Description, RoleArn, Precedence } = input;
  const key = `${pool.id}/${name}`;
  if (ctx.state.groups.has(key)) throw groupExists();
  const now = ctx.clock.now();
  const group = ctx.state.groups.put(key, {
    poolId: pool.id,
    name,
    ...(Description !== undefined && { description: Description }),
    ...(RoleArn !== undefined && { roleArn: RoleArn }),
    ...(Precedence !== undefined && { precedence: Precedence }),
    createdAt: now,
    updatedAt: now,
  });
  return { Group: describe(group) };
}

export function GetGroup(
  input: Operations['GetGroup']['input'],
  ctx: CognitoContext,
): Operations['GetGroup']['output'] {
  return { Group: describe(groupOf(input, ctx)) };
}

export function UpdateGroup(
  input: Operations['UpdateGroup']['input'],
  ctx: CognitoContext,
): Operations['UpdateGroup']['output'] {
  const { poolId, name } = groupOf(input, ctx);
  const { Description, RoleArn, Precedence } = input;
  const changed = ctx.state.groups.update(`${poolId}/${name}`, (draft) => {
    if (Description !== undefined) draft.description = Description;
    if (RoleArn !== undefined) draft.roleArn = RoleArn;
    if (Precedence !== undefined) draft.precedence = Precedence;
    draft.updatedAt = ctx.clock.now();
  });
  return { Group: describe(changed) };
}

export function DeleteGroup(
  input: Operations['DeleteGroup']['input'],
  ctx: CognitoContext,
): Operations['DeleteGroup']['output'] {
  const { state } = ctx;
  const { poolId, name } = groupOf(input, ctx);
  for (const { key } of [...state.index(poolId).find('group', name, false)]) {
    const user = state.userByKey(key);
    if (user)
      state.updateUser(user, (draft) => {
        draft.groups = draft.groups.filter((one) => one !== name);
      });
  }
  state.groups.delete(`${poolId}/${name}`);
  return {};
}

export function ListGroups(
  input: Operations['ListGroups']['input'],
  ctx: CognitoContext,
): Operations['ListGroups']['output'] {
  const pool = poolOf(input, ctx);
  const groups = [...ctx.state.groups.values()].filter(({ poolId }) => poolId === pool.id);
  return paging.page('ListGroups', input, groups, ({ name }) => name).list(describe);
}

export function AdminAddUserToGroup(
  input: Operations['AdminAddUserToGroup']['input'],
  ctx: CognitoContext,
): Operations['AdminAddUserToGroup']['output'] {
  const { name } = groupOf(input, ctx);
  const user = userIn(poolOf(input, ctx), input.Username, ctx.state);
  if (user.groups.includes(name)) return {};
  ctx.state.updateUser(user, (draft) => {
    draft.groups.push(name);
  });
  return {};
}

export function AdminRemoveUserFromGroup(
  input: Operations['AdminRemoveUserFromGroup']['input'],
  ctx: CognitoContext,
): Operations['AdminRemoveUserFromGroup']['output'] {
  const { name } = groupOf(input, ctx);
  const user = userIn(poolOf(input, ctx), input.Username, ctx.state);
  if (!user.groups.includes(name)) return {};
  ctx.state.updateUser(user, (draft) => {
    draft.groups = draft.groups.filter((one) => one !== name);
  });
  return {};
}

export function AdminListGroupsForUser(
  input: Operations['AdminListGroupsForUser']['input'],
  ctx: CognitoContext,
): Operations['AdminListGroupsForUser']['output'] {
  const pool = poolOf(input, ctx);
  const user = userIn(pool, input.Username, ctx.state);
  const groups = user.groups.map((name) => ctx.state.groups.get(`${pool.id}/${name}`)!);
  return paging.page('AdminListGroupsForUser', input, groups, ({ name }) => name).list(describe);
}
