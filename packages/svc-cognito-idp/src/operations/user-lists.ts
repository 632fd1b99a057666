import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import { MAX_ITEMS, paging } from '../paging.ts';
import { attributeOf } from '../pools/schema.ts';
import type { Pool, User } from '../records.ts';
import { describeUser } from '../users/describe.ts';
import { readFilter } from '../users/filter.ts';

export function ListUsers(input: InputOf<'ListUsers'>, ctx: CognitoIdpContext): OutputOf<'ListUsers'> {
  const pool = poolOf(input, ctx);
  const { AttributesToGet, Limit } = input;
  if (AttributesToGet?.some((name) => !attributeOf(pool, name)))
    throw invalidParameter('One or more requested attributes do not exist.');
  const { name, value, isPrefix } = input.Filter
    ? readFilter(input.Filter)
    : { name: 'all', value: '', isPrefix: false };
  const { users, next } = usersOf(pool, name, value, isPrefix, paging.after('ListUsers', input), Limit, ctx);
  return {
    Users: users.map((user) => describeUser(user, AttributesToGet)),
    ...paging.next('ListUsers', input, next),
  };
}

export function ListUsersInGroup(
  input: InputOf<'ListUsersInGroup'>,
  ctx: CognitoIdpContext,
): OutputOf<'ListUsersInGroup'> {
  const pool = poolOf(input, ctx);
  groupExists(pool, input.GroupName, ctx);
  const after = paging.after('ListUsersInGroup', input);
  const { users, next } = usersOf(pool, 'group', input.GroupName, false, after, input.Limit, ctx);
  return { Users: users.map((user) => describeUser(user)), ...paging.next('ListUsersInGroup', input, next) };
}

function groupExists(pool: Pool, name: string, { state }: CognitoIdpContext): void {
  if (!state.groups.has(`${pool.id}/${name}`)) throw notFound('Group not found.');
}

/** Returns a page of users from an index. */
function usersOf(
  pool: Pool,
  what: string,
  value: string,
  isPrefix: boolean,
  after: string | undefined,
  limit: number | undefined,
  { state }: CognitoIdpContext,
): { users: User[]; next: string | undefined } {
  const most = Math.min(limit || MAX_ITEMS, MAX_ITEMS);
  const users: User[] = [];
  let last: string | undefined;
  for (const { key, place } of state.index(pool.id).find(what, value, isPrefix, after)) {
    if (users.length === most) return { users, next: last };
    const user = state.userByKey(key);
    if (user) users.push(user);
    last = place;
  }
  return { users, next: undefined };
}
