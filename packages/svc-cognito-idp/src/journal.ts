import type { CognitoAuthEvent, CognitoPreTokenGenerationInvocation } from '@emu/control-client';
import { RecordBuffer } from '@emu/core';

/** A token that was handed out, for the route that lists them. */
export interface IssuedToken {
  poolId: string;
  clientId: string;
  username: string;
  type: 'access' | 'id' | 'refresh';
  token: string;
  /** Grant that it stands and falls with; undefined for tokens of clients. */
  grantId: string | undefined;
  issuedAt: number;
  expiresAt: number;
}

/** A sign-in, sign-up or change of password, with what AdminListUserAuthEvents says of it. */
export interface AuthEvent extends Omit<CognitoAuthEvent, 'timestamp'> {
  at: number;
  /** Grows with each event: several may be of one moment. */
  order: number;
  challenges: { name: 'Password' | 'Mfa'; response: 'Success' | 'Failure' }[];
  /** What the user who was notified of it shows to say whether it was theirs. */
  feedbackToken?: string;
  feedback?: { value: 'Valid' | 'Invalid'; provider: string; at: number };
}

/** A level of risk, as a control route has set it. */
export type RiskLevel = 'Low' | 'Medium' | 'High';

const MOST_TOKENS = 3_000;
const MOST_EVENTS = 5_000;
const MOST_INVOCATIONS = 1_000;

/** What happened, for the control routes: bounded, and gone when the emulator ends. */
export interface Journal {
  readonly tokens: RecordBuffer<IssuedToken>;
  readonly events: RecordBuffer<AuthEvent>;
  /** The latest events by their ids: what a sign-in comes to is noted of the event that it began with. */
  readonly eventsById: Map<string, AuthEvent>;
  /** How many events were noted. */
  noted: number;
  readonly preTokenGenerations: RecordBuffer<CognitoPreTokenGenerationInvocation & { accountId: string }>;
  /** Passwords that attackers know, by pool; those of every pool under the empty name. */
  readonly compromised: Map<string, Set<string>>;
  /** Risks of sign-ins, by pool, and by user and address as `riskTarget` writes them. */
  readonly risks: Map<string, Map<string, RiskLevel>>;
}

/** Whose sign-ins a risk is of: a user's, an address's, both, or everybody's. */
export const riskTarget = (username = '', ipAddress = ''): string => `${ipAddress}/${username}`;

/** Adds an event. */
export function addEvent({ events, eventsById }: Journal, event: AuthEvent): void {
  events.add(event);
  eventsById.set(event.eventId, event);
  if (eventsById.size > MOST_EVENTS) eventsById.delete(eventsById.keys().next().value!);
}

const journals = new WeakMap<object, Journal>();

/** The journal of an emulator. @param service its handle of this service */
export function journalOf(service: object): Journal {
  let journal = journals.get(service);
  if (!journal) {
    journal = {
      tokens: new RecordBuffer(MOST_TOKENS),
      events: new RecordBuffer(MOST_EVENTS),
      eventsById: new Map(),
      noted: 0,
      preTokenGenerations: new RecordBuffer(MOST_INVOCATIONS),
      compromised: new Map(),
      risks: new Map(),
    };
    journals.set(service, journal);
  }
  return journal;
}

/** Forgets what happened in the pools of an account, or in all. */
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
