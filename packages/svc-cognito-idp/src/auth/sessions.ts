import type { ChallengeNameType } from '@emu/service-types/cognito-idp';
import { notAuthorized } from '../errors.ts';
import type { Client, Pool, Session, SessionRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';

const MINUTE = 60_000;
const SECRET_BYTES = 96;
/** Number of wrong answers that ends a session. */
const MAX_FAILURES = 3;

/** Initial members of a session. */
export type NewSession = Omit<SessionRecord, 'id' | 'poolId' | 'clientId' | 'expiresAt' | 'failures'>;

/** Starts a session, or continues a previous one. */
export function beginSession(pool: Pool, client: Client, session: NewSession, state: CognitoState): Session {
  return state.putSession({
    ...session,
    id: Buffer.concat([Buffer.from(`${pool.id}.`), state.ids.bytes(SECRET_BYTES)]).toString('base64'),
    poolId: pool.id,
    clientId: client.id,
    expiresAt: state.clock.now() + client.authSessionValidity * MINUTE,
    failures: 0,
  });
}

/** Returns the pool id in a session token; undefined for invalid text. */
export function poolIdOf(session: string): string | undefined {
  const bytes = Buffer.from(session, 'base64');
  const end = bytes.indexOf('.');
  return end > 0 ? bytes.subarray(0, end).toString() : undefined;
}

/**
 * Returns the session of a request.
 * @throws AwsError `NotAuthorizedException` if it is unknown, expired, or belongs to another client or challenge
 */
export function sessionOf(
  id: string,
  clientId: string,
  challenge: ChallengeNameType | undefined,
  state: CognitoState,
): Session {
  const session = state.sessions.get(id);
  if (session?.clientId !== clientId) throw notAuthorized('Invalid session for the user.');
  if (session.expiresAt <= state.clock.now()) {
    state.sessions.delete(id);
    throw notAuthorized('Invalid session for the user, session is expired.');
  }
  if (challenge !== undefined && session.challenge !== challenge) throw notAuthorized('Invalid session for the user.');
  return session;
}

/** Counts a wrong answer; too many end the session. */
export function countFailure({ id, failures }: Session, state: CognitoState): void {
  if (failures + 1 >= MAX_FAILURES) state.sessions.delete(id);
  else
    state.sessions.update(id, (draft) => {
      draft.failures++;
    });
}
