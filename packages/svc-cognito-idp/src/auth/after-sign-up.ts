import { notAuthorized } from '../errors.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Session, User } from '../records.ts';
import { type Auth, type AuthAnswer, checkMaySignIn, complete, preAuthentication } from './auth.ts';
import { secondFactor } from './mfa.ts';
import { assess } from './risks.ts';
import { beginSession, sessionOf } from './sessions.ts';

/** Whether a client allows a sign-in right after the sign-up. */
const allowsChoice = ({ client }: LocatedClient): boolean => client.flows?.includes('ALLOW_USER_AUTH') === true;

/**
 * Returns the session that links a sign-up to its confirmation, and the confirmation to a sign-in; undefined if the
 * client does not have the flow USER_AUTH.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmSignUp.html
 */
export function signUpSession(located: LocatedClient, user: User, signUp: 'begun' | 'confirmed'): string | undefined {
  if (!allowsChoice(located)) return undefined;
  const { username } = user;
  const session = { challenge: 'SELECT_CHALLENGE' as const, username, givenName: username, signUp, admin: false };
  return beginSession(located.pool, located.client, session, located.state).id;
}

/**
 * Returns the session of a user's sign-up, which the caller must delete.
 * @throws AwsError `NotAuthorizedException` for any other session
 */
export function signUpSessionOf(
  { state, client }: LocatedClient,
  id: string,
  user: User,
  signUp: 'begun' | 'confirmed',
): Session {
  const session = sessionOf(id, client.id, 'SELECT_CHALLENGE', state);
  if (session.signUp !== signUp || session.username !== user.username)
    throw notAuthorized('Invalid session for the user.');
  return session;
}

/** Signs in a user who has just confirmed their sign-up; the confirmation code counts as the first factor. */
export async function withSignUp(auth: Auth, user: User, sessionId: string): Promise<AuthAnswer> {
  checkMaySignIn(user);
  const { id } = signUpSessionOf(auth, sessionId, user, 'confirmed');
  auth.state.sessions.delete(id);
  await preAuthentication(auth, user);
  const assessed = { ...auth, isAtRisk: await assess(auth, user) };
  return (await secondFactor(assessed, user, undefined)) ?? complete(assessed, user, undefined);
}
