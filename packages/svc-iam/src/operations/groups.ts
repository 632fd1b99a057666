import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { describeGroup, describeUser } from '../entities/describe.ts';
import { keyOf, nowOf, requireGroup, requireUser } from '../entities/lookup.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, deleteConflict, quotaExceeded } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { groupType } from '../resources.ts';
import type { IamState, User } from '../state.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateGroup.html */
export function CreateGroup(input: InputOf<'CreateGroup'>, ctx: IamContext): OutputOf<'CreateGroup'> {
  const { groups } = ctx.state;
  const { GroupName: name, Path: path = '/' } = input;
  if (groups.has(keyOf(name))) throw alreadyExists(`Group with name ${name} already exists.`);
  const group = groups.put(keyOf(name), {
    name,
    id: uniqueId('AGPA', ctx.ids),
    path,
    arn: groupType.arn({ path, name }, ctx),
    createdAt: nowOf(ctx),
    inlinePolicies: [],
    attachedPolicies: [],
  });
  return { Group: describeGroup(group) };
}

/**
 * Returns a group and one page of its users.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetGroup.html
 */
export function GetGroup(input: InputOf<'GetGroup'>, ctx: IamContext): OutputOf<'GetGroup'> {
  const group = requireGroup(ctx.state, input.GroupName);
  const { items, next } = paging.page('GetGroup', input, membersOf(ctx.state, group.name), ({ name }) => keyOf(name));
  return { Group: describeGroup(group), Users: items.map(describeUser), ...next };
}

/**
 * Lists groups by path.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListGroups.html
 */
export function ListGroups(input: InputOf<'ListGroups'>, ctx: IamContext): OutputOf<'ListGroups'> {
  const { PathPrefix: prefix = '/' } = input;
  const groups = [...ctx.state.groups.values()].filter(({ path }) => path.startsWith(prefix));
  return paging.page('ListGroups', input, groups, ({ name }) => keyOf(name)).list(describeGroup);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListGroupsForUser.html */
export function ListGroupsForUser(input: InputOf<'ListGroupsForUser'>, ctx: IamContext): OutputOf<'ListGroupsForUser'> {
  const user = requireUser(ctx.state, input.UserName);
  const groups = user.groups.flatMap((key) => ctx.state.groups.get(key) ?? []);
  return paging.page('ListGroupsForUser', input, groups, ({ name }) => keyOf(name)).list(describeGroup);
}

/**
 * Renames or moves a group; its users and policies stay.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateGroup.html
 */
export function UpdateGroup(input: InputOf<'UpdateGroup'>, ctx: IamContext): OutputOf<'UpdateGroup'> {
  const { groups, users } = ctx.state;
  const group = requireGroup(ctx.state, input.GroupName);
  const { NewGroupName: name = group.name, NewPath: path = group.path } = input;
  const [from, to] = [keyOf(group.name), keyOf(name)];
  if (from !== to && groups.has(to)) throw alreadyExists(`Group with name ${name} already exists.`);
  const arn = groupType.arn({ path, name }, ctx);
  const renamed = groups.update(from, (draft) => Object.assign(draft, { name, path, arn }));
  if (from === to) return NOTHING;
  groups.put(to, structuredClone(renamed) as Parameters<typeof groups.put>[1]);
  for (const member of membersOf(ctx.state, group.name))
    users.update(keyOf(member.name), (draft) => {
      draft.groups = draft.groups.map((key) => (key === from ? to : key));
    });
  groups.delete(from);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteGroup.html */
export function DeleteGroup(input: InputOf<'DeleteGroup'>, ctx: IamContext): OutputOf<'DeleteGroup'> {
  const group = requireGroup(ctx.state, input.GroupName);
  if (membersOf(ctx.state, group.name).length)
    throw deleteConflict('Cannot delete entity, must remove users from group first.');
  if (group.attachedPolicies.length) throw deleteConflict('Cannot delete entity, must detach all policies first.');
  if (group.inlinePolicies.length) throw deleteConflict('Cannot delete entity, must delete policies first.');
  ctx.state.groups.delete(keyOf(group.name));
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_AddUserToGroup.html */
export function AddUserToGroup(input: InputOf<'AddUserToGroup'>, ctx: IamContext): OutputOf<'AddUserToGroup'> {
  const key = keyOf(requireGroup(ctx.state, input.GroupName).name);
  const user = requireUser(ctx.state, input.UserName);
  if (user.groups.includes(key)) return NOTHING;
  if (user.groups.length >= LIMITS.groupsPerUser) throw quotaExceeded('GroupsPerUser', LIMITS.groupsPerUser);
  ctx.state.users.update(keyOf(user.name), (draft) => draft.groups.push(key));
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_RemoveUserFromGroup.html */
export function RemoveUserFromGroup(
  input: InputOf<'RemoveUserFromGroup'>,
  ctx: IamContext,
): OutputOf<'RemoveUserFromGroup'> {
  const key = keyOf(requireGroup(ctx.state, input.GroupName).name);
  const user = requireUser(ctx.state, input.UserName);
  if (!user.groups.includes(key)) return NOTHING;
  ctx.state.users.update(keyOf(user.name), (draft) => {
    draft.groups = draft.groups.filter((one) => one !== key);
  });
  return NOTHING;
}

function membersOf(state: IamState, groupName: string): User[] {
  const key = keyOf(groupName);
  return [...state.users.values()].filter(({ groups }) => groups.includes(key));
}
