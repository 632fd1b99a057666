import type { ChallengeNameType } from '@emu/service-types/cognito-idp';
import { notAuthorized } from '../errors.ts';
import type { Client, Pool, Session, SessionRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';

const MINUTE = 60_000;
const SECRET_BYTES = 96;
/** Wrong answers after which a session is over. */
const MOST_FAILURES = 3;

/** What a session begins with. */
export type NewSession = Omit<SessionRecord, 'id' | 'poolId' | 'clientId' | 'expiresAt' | 'failures'>;

/** Begins a session, or goes on with one that has been taken. */
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

/** Id of the pool that a session is of; undefined for a text that is none. */
export function poolIdOf(session: string): string | undefined {
  const bytes = Buffer.from(session, 'base64');
  const end = bytes.indexOf('.');
  return end > 0 ? bytes.subarray(0, end).toString() : undefined;
}

/**
 * The session of a request.
 * @throws AwsError `NotAuthorizedException` for one that is not there, over, or of another client or challenge
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

/** Notes a wrong answer; a session with too many is over. */
export function noteFailure({ id, failures }: Session, state: CognitoState): void {
  if (failures + 1 >= MOST_FAILURES) state.sessions.delete(id);
  else
    state.sessions.update(id, (draft) => {
      draft.failures++;
    });
}
