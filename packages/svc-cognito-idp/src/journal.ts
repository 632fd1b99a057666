import type { CognitoAuthEvent, CognitoPreTokenGenerationInvocation } from '@emu/control-client';
import { RecordBuffer } from '@emu/core/service';

/** An issued token, for the control route that lists tokens. */
export interface IssuedToken {
  poolId: string;
  clientId: string;
  username: string;
  type: 'access' | 'id' | 'refresh';
  token: string;
  /** Grant on which its validity depends; undefined for tokens of clients. */
  grantId: string | undefined;
  issuedAt: number;
  expiresAt: number;
}

/** A sign-in, sign-up or password change, as in AdminListUserAuthEvents. */
export interface AuthEvent extends Omit<CognitoAuthEvent, 'timestamp'> {
  at: number;
  /** Increasing number of the event, as several may have the same time. */
  order: number;
  challenges: { name: 'Password' | 'Mfa'; response: 'Success' | 'Failure' }[];
  /** Token with which a notified user gives feedback. */
  feedbackToken?: string;
  feedback?: { value: 'Valid' | 'Invalid'; provider: string; at: number };
}

/** Risk level set by a control route. */
export type RiskLevel = 'Low' | 'Medium' | 'High';

const MAX_TOKENS = 3_000;
const MAX_EVENTS = 5_000;
const MAX_INVOCATIONS = 1_000;

/** Recent events for control routes: bounded, and not persisted. */
export interface Journal {
  readonly tokens: RecordBuffer<IssuedToken>;
  readonly events: RecordBuffer<AuthEvent>;
  /** Recent events by id, for updating an event with the outcome of its sign-in. */
  readonly eventsById: Map<string, AuthEvent>;
  /** Number of recorded events. */
  noted: number;
  readonly preTokenGenerations: RecordBuffer<CognitoPreTokenGenerationInvocation & { accountId: string }>;
  /** Compromised passwords by pool; the empty name stands for all pools. */
  readonly compromised: Map<string, Set<string>>;
  /** Risks of sign-ins by pool, and by user and address in the form of `riskTarget`. */
  readonly risks: Map<string, Map<string, RiskLevel>>;
}

/** Returns the key of a risk: of a user, an address, both, or all sign-ins. */
export const riskTarget = (username = '', ipAddress = ''): string => `${ipAddress}/${username}`;

/** Adds an event. */
export function addEvent({ events, eventsById }: Journal, event: AuthEvent): void {
  events.add(event);
  eventsById.set(event.eventId, event);
  if (eventsById.size > MAX_EVENTS) eventsById.delete(eventsById.keys().next().value!);
}

const journals = new WeakMap<object, Journal>();

/**
 * Returns the journal of an emulator.
 * @param service its handle of this service
 */
export function journalOf(service: object): Journal {
  let journal = journals.get(service);
  if (!journal) {
    journal = {
      tokens: new RecordBuffer(MAX_TOKENS),
      events: new RecordBuffer(MAX_EVENTS),
      eventsById: new Map(),
      noted: 0,
      preTokenGenerations: new RecordBuffer(MAX_INVOCATIONS),
      compromised: new Map(),
      risks: new Map(),
    };
    journals.set(service, journal);
  }
  return journal;
}

/** Removes the events of an account's pools, or of all. */
export function resetJournal(
  service: { states(): Iterable<{ accountId: string; state: { pools: { has(id: string): boolean } } }> },
  accountId: string | undefined,
): void {
  const journal = journalOf(service);
  const states = [...service.states()].filter((one) => one.accountId === accountId);
  const isGone = (poolId: string): boolean =>
    accountId === undefined || states.some(({ state }) => state.pools.has(poolId));
  journal.tokens.clear(({ poolId }) => isGone(poolId));
  journal.events.clear(({ userPoolId }) => isGone(userPoolId));
  journal.preTokenGenerations.clear(({ userPoolId }) => isGone(userPoolId));
  for (const [id, { userPoolId }] of [...journal.eventsById]) if (isGone(userPoolId)) journal.eventsById.delete(id);
  for (const byPool of [journal.compromised, journal.risks])
    for (const poolId of [...byPool.keys()]) if (isGone(poolId)) byPool.delete(poolId);
}
