import type { AuthEvent } from '../journal.ts';
import type { Client, Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Notes an authentication event. */
export function noteEvent(
  state: CognitoState,
  pool: Pool,
  username: string,
  client: Client | undefined,
  event: Pick<AuthEvent, 'eventType' | 'eventResponse'> & Partial<AuthEvent>,
): void {
  const isProtected = (pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') !== 'OFF';
  state.journal.events.add({
    userPoolId: pool.id,
    username,
    eventId: state.ids.uuid(),
    ...(client && { clientId: client.id }),
    ...(isProtected && { riskDecision: 'NoRisk' as const, riskLevel: 'Low' as const }),
    challenges: [],
    at: state.clock.now(),
    order: ++state.journal.noted,
    ...event,
  });
}

/** Whether attackers know a password, as a control route has said. */
export const isCompromised = ({ journal }: CognitoState, poolId: string, password: string): boolean =>
  journal.compromised.get('')?.has(password) === true || journal.compromised.get(poolId)?.has(password) === true;
