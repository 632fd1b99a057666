import type { AuthEvent } from '../journal.ts';
import type { Client, Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Notes an authentication event, and logs it where the pool exports them. */
export function noteEvent(
  state: CognitoState,
  pool: Pool,
  username: string,
  client: Client | undefined,
  event: Pick<AuthEvent, 'eventType' | 'eventResponse'> & Partial<AuthEvent>,
): void {
  const isProtected = (pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') !== 'OFF';
  const noted: AuthEvent = {
    userPoolId: pool.id,
    username,
    eventId: state.ids.uuid(),
    ...(client && { clientId: client.id }),
    ...(isProtected && { riskDecision: 'NoRisk' as const, riskLevel: 'Low' as const }),
    challenges: [],
    at: state.clock.now(),
    order: ++state.journal.noted,
    ...event,
  };
  state.journal.events.add(noted);
  if (state.logs.wants(pool.id, 'userAuthEvents'))
    state.logs.log(pool.id, 'userAuthEvents', 'INFO', activityOf(noted, state.user(pool, username)?.sub));
}

/**
 * An event as it is exported.
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
    ipAddress: event.ipAddress ?? '',
    compromisedCredentialDetected: String(event.compromisedCredentialsDetected ?? false),
  };
}

/** Whether attackers know a password, as a control route has said. */
export const isCompromised = ({ journal }: CognitoState, poolId: string, password: string): boolean =>
  journal.compromised.get('')?.has(password) === true || journal.compromised.get(poolId)?.has(password) === true;
