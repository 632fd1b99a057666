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
  challenges: { name: string; response: 'Success' | 'Failure' }[];
  feedback?: { value: 'Valid' | 'Invalid'; provider: string; at: number };
}

const MOST_TOKENS = 3_000;
const MOST_EVENTS = 5_000;
const MOST_INVOCATIONS = 1_000;

/** What happened, for the control routes: bounded, and gone when the emulator ends. */
export interface Journal {
  readonly tokens: RecordBuffer<IssuedToken>;
  readonly events: RecordBuffer<AuthEvent>;
  /** How many events were noted. */
  noted: number;
  readonly preTokenGenerations: RecordBuffer<CognitoPreTokenGenerationInvocation & { accountId: string }>;
  /** Passwords that attackers know, by pool; those of every pool under the empty name. */
  readonly compromised: Map<string, Set<string>>;
}

const journals = new WeakMap<object, Journal>();

/** The journal of an emulator. @param service its handle of this service */
export function journalOf(service: object): Journal {
  let journal = journals.get(service);
  if (!journal) {
    journal = {
      tokens: new RecordBuffer(MOST_TOKENS),
      events: new RecordBuffer(MOST_EVENTS),
      noted: 0,
      preTokenGenerations: new RecordBuffer(MOST_INVOCATIONS),
      compromised: new Map(),
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
  for (const poolId of [...journal.compromised.keys()]) if (isGone(poolId)) journal.compromised.delete(poolId);
}
