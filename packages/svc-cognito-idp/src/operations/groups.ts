import type { GroupType, InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { groupExists, notFound } from '../errors.ts';
import { poolOf, userIn } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { GroupRecord } from '../records.ts';

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

/**
 * Returns the group of a request.
 * @throws AwsError `ResourceNotFoundException`
 */
function groupOf(input: { UserPoolId: string; GroupName: string }, ctx: CognitoIdpContext): Readonly<GroupRecord> {
  const pool = poolOf(input, ctx);
  const group = ctx.state.groups.get(`${pool.id}/${input.GroupName}`);
  if (!group) throw notFound('Group not found.');
  return group;
}

export function CreateGroup(input: InputOf<'CreateGroup'>, ctx: CognitoIdpContext): OutputOf<'CreateGroup'> {
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

export function GetGroup(input: InputOf<'GetGroup'>, ctx: CognitoIdpContext): OutputOf<'GetGroup'> {
  return { Group: describe(groupOf(input, ctx)) };
}

export function UpdateGroup(input: InputOf<'UpdateGroup'>, ctx: CognitoIdpContext): OutputOf<'UpdateGroup'> {
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

export function DeleteGroup(input: InputOf<'DeleteGroup'>, ctx: CognitoIdpContext): OutputOf<'DeleteGroup'> {
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

export function ListGroups(input: InputOf<'ListGroups'>, ctx: CognitoIdpContext): OutputOf<'ListGroups'> {
  const pool = poolOf(input, ctx);
  const groups = [...ctx.state.groups.values()].filter(({ poolId }) => poolId === pool.id);
  return paging.page('ListGroups', input, groups, ({ name }) => name).list(describe);
}

export function AdminAddUserToGroup(
  input: InputOf<'AdminAddUserToGroup'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminAddUserToGroup'> {
  const { name } = groupOf(input, ctx);
  const user = userIn(poolOf(input, ctx), input.Username, ctx.state);
  if (user.groups.includes(name)) return {};
  ctx.state.updateUser(user, (draft) => {
    draft.groups.push(name);
  });
  return {};
}

export function AdminRemoveUserFromGroup(
  input: InputOf<'AdminRemoveUserFromGroup'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminRemoveUserFromGroup'> {
  const { name } = groupOf(input, ctx);
  const user = userIn(poolOf(input, ctx), input.Username, ctx.state);
  if (!user.groups.includes(name)) return {};
  ctx.state.updateUser(user, (draft) => {
    draft.groups = draft.groups.filter((one) => one !== name);
  });
  return {};
}

export function AdminListGroupsForUser(
  input: InputOf<'AdminListGroupsForUser'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminListGroupsForUser'> {
  const pool = poolOf(input, ctx);
  const user = userIn(pool, input.Username, ctx.state);
  const groups = user.groups.map((name) => ctx.state.groups.get(`${pool.id}/${name}`)!);
  return paging.page('AdminListGroupsForUser', input, groups, ({ name }) => name).list(describe);
}
