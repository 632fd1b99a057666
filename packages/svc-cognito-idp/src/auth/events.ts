import { type AuthEvent, addEvent } from '../journal.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Client, Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';
import type { RequestOrigin } from './origin.ts';

/** Returns the origin members of an event. */
const contextOf = ({ ip, deviceName, timezone }: RequestOrigin): Partial<AuthEvent> => ({
  ...(ip !== undefined && { ipAddress: ip }),
  ...(deviceName !== undefined && { deviceName }),
  ...(timezone !== undefined && { timezone }),
});

type Noted = Pick<AuthEvent, 'eventType' | 'eventResponse'> & Partial<AuthEvent>;

/** Records an authentication event and exports it if the pool exports them. An existing event is updated. */
export function recordEvent(
  state: CognitoState,
  pool: Pool,
  username: string,
  client: Client | undefined,
  event: Noted,
  origin: RequestOrigin = {},
): AuthEvent {
  const { journal } = state;
  const known = event.eventId === undefined ? undefined : journal.eventsById.get(event.eventId);
  const noted = known ?? newEvent(state, pool, username, client, event);
  if (known) Object.assign(known, { ...event, challenges: [...known.challenges, ...(event.challenges ?? [])] });
  Object.assign(noted, contextOf(origin));
  if (!known) addEvent(journal, noted);
  if (state.logs.wants(pool.id, 'userAuthEvents'))
    state.logs.log(pool.id, 'userAuthEvents', 'INFO', activityOf(noted, state.user(pool, username)?.sub));
  return noted;
}

function newEvent(
  state: CognitoState,
  pool: Pool,
  username: string,
  client: Client | undefined,
  event: Noted,
): AuthEvent {
  const isProtected = (pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') !== 'OFF';
  return {
    userPoolId: pool.id,
    username,
    ...(client && { clientId: client.id }),
    ...(isProtected && { riskDecision: 'NoRisk' as const }),
    at: state.clock.now(),
    order: ++state.journal.noted,
    ...event,
    eventId: event.eventId ?? state.ids.uuid(),
    challenges: event.challenges ?? [],
  };
}

/** Context of a sign-in event. */
interface SignIn extends LocatedClient {
  readonly eventId: string;
  readonly origin: RequestOrigin;
}

/** Records the outcome of a sign-in; its tokens have the id of its event. */
export const recordSignIn = (auth: SignIn, username: string, event: Omit<Noted, 'eventType'>): AuthEvent =>
  recordEvent(
    auth.state,
    auth.pool,
    username,
    auth.client,
    { eventType: 'SignIn', eventId: auth.eventId, ...event },
    auth.origin,
  );

/**
 * Returns the exported form of an event.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-adaptive-authentication.html
 */
function activityOf(event: AuthEvent, sub: string | undefined): Record<string, unknown> {
  return {
    version: '1',
    eventId: event.eventId,
    eventType: event.eventType,
    userSub: sub ?? '',
    userName: event.username,
    userPoolId: event.userPoolId,
    clientId: event.clientId ?? '',
    creationDate: new Date(event.at).toUTCString(),
    eventResponse: event.eventResponse,
    riskLevel: event.riskLevel ?? '',
    riskDecision: event.riskDecision ?? '',
    challenges: event.challenges.map(({ name, response }) => `${name}:${response}`),
    deviceName: event.deviceName ?? '',
    ipAddress: event.ipAddress ?? '',
    compromisedCredentialDetected: String(event.compromisedCredentialsDetected ?? false),
  };
}

/** Whether a password is compromised, as set by a control route. */
export const isCompromised = ({ journal }: CognitoState, poolId: string, password: string): boolean =>
  journal.compromised.get('')?.has(password) === true || journal.compromised.get(poolId)?.has(password) === true;
