import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import { addOnNotEnabled, invalid, notFound } from '../errors.ts';
import { type CognitoContext, poolOf, userIn } from '../lookup.ts';
import { MOST_ITEMS, paging } from '../paging.ts';
import type { Pool, User } from '../records.ts';
import { describeUser } from '../users/describe.ts';
import { readFilter } from '../users/filter.ts';

type Operations = CognitoIdpOperations;

function named(input: { UserPoolId: string; Username: string }, ctx: CognitoContext): { pool: Pool; user: User } {
  const pool = poolOf(input, ctx);
  return { pool, user: userIn(pool, input.Username, ctx.state) };
}

export function ListUsers(
  input: Operations['ListUsers']['input'],
  ctx: CognitoContext,
): Operations['ListUsers']['output'] {
  const pool = poolOf(input, ctx);
  const { AttributesToGet, Limit } = input;
  for (const name of AttributesToGet ?? [])
    if (!pool.schema.some((attribute) => attribute.name === name))
      throw invalid(`Some of the given attributes do not exist in the schema: ${name}`);
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
  input: Operations['ListUsersInGroup']['input'],
  ctx: CognitoContext,
): Operations['ListUsersInGroup']['output'] {
  const pool = poolOf(input, ctx);
  groupExists(pool, input.GroupName, ctx);
  const after = paging.after('ListUsersInGroup', input);
  const { users, next } = usersOf(pool, 'group', input.GroupName, false, after, input.Limit, ctx);
  return { Users: users.map((user) => describeUser(user)), ...paging.next('ListUsersInGroup', input, next) };
}

function groupExists(pool: Pool, name: string, { state }: CognitoContext): void {
  if (!state.groups.has(`${pool.id}/${name}`)) throw notFound('Group not found.');
}

/** A page of users by what they are indexed by. */
function usersOf(
  pool: Pool,
  what: string,
  value: string,
  isPrefix: boolean,
  after: string | undefined,
  limit: number | undefined,
  { state }: CognitoContext,
): { users: User[]; next: string | undefined } {
  const most = Math.min(limit || MOST_ITEMS, MOST_ITEMS);
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

export function AdminListUserAuthEvents(
  input: Operations['AdminListUserAuthEvents']['input'],
  ctx: CognitoContext,
): Operations['AdminListUserAuthEvents']['output'] {
  const { pool, user } = named(input, ctx);
  if ((pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') === 'OFF')
    throw addOnNotEnabled('User Pool Add-ons are not enabled for this user pool.');
  const events = ctx.state.journal.events
    .list()
    .filter(({ userPoolId, username }) => userPoolId === pool.id && username === user.username);
  return paging
    .page('AdminListUserAuthEvents', input, events, ({ order }) => String(order).padStart(15, '0'), {
      descending: true,
    })
    .list((event) => ({
      EventId: event.eventId,
      EventType: event.eventType === 'PasswordChange' ? 'PasswordChange' : event.eventType,
      CreationDate: new Date(event.at),
      EventResponse: event.eventResponse,
      EventRisk: {
        RiskDecision: event.riskDecision,
        RiskLevel: event.riskLevel,
        CompromisedCredentialsDetected: event.compromisedCredentialsDetected ?? false,
      },
      ChallengeResponses: event.challenges.map(({ name, response }) => ({
        ChallengeName: name === 'Password' ? 'Password' : 'Mfa',
        ChallengeResponse: response,
      })),
      EventContextData: { ...(event.ipAddress !== undefined && { IpAddress: event.ipAddress }) },
      ...(event.feedback && {
        EventFeedback: {
          FeedbackValue: event.feedback.value,
          Provider: event.feedback.provider,
          FeedbackDate: new Date(event.feedback.at),
        },
      }),
    }));
}

export function AdminUpdateAuthEventFeedback(
  input: Operations['AdminUpdateAuthEventFeedback']['input'],
  ctx: CognitoContext,
): Operations['AdminUpdateAuthEventFeedback']['output'] {
  const { pool, user } = named(input, ctx);
  const event = ctx.state.journal.events
    .list()
    .find(
      ({ eventId, userPoolId, username }) =>
        eventId === input.EventId && userPoolId === pool.id && username === user.username,
    );
  if (!event) throw notFound('Event does not exist.');
  event.feedback = { value: input.FeedbackValue, provider: 'Admin', at: ctx.clock.now() };
  return {};
}
