import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { invalidParameter, notAuthorized } from '../errors.ts';
import { jsonOf, readCredential } from '../passkeys/credential.ts';
import { newChallenge, passkeyOf, passkeysOf, recordPasskeyUse, requestOptions } from '../passkeys/passkeys.ts';
import { checkOrigin, hasPasskeys, isMultiFactor, relyingPartyOf, verifiesUsers } from '../passkeys/relying-party.ts';
import type { Pool, Session, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { type Auth, type AuthAnswer, challenge, complete } from './auth.ts';
import { factorsOf } from './mfa.ts';

const WRONG = 'Incorrect username or password.';

/**
 * Whether a user can sign in with a passkey: if a second factor is required, passkeys must count as two factors.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow-methods.html
 */
export function canUsePasskey(pool: Pool, user: User, state: CognitoState): boolean {
  if (!hasPasskeys(pool) || passkeysOf(user, state).length === 0) return false;
  if (isMultiFactor(pool.webAuthn) && user.passkeyMfa !== false) return true;
  return pool.mfa !== 'ON' && factorsOf(pool, user).length === 0;
}

/** Returns the challenge for a passkey. */
export function askForPasskey(auth: Auth, user: User, carried: { username: string; givenName: string }): AuthAnswer {
  const { pool, state } = auth;
  const passkey = { challenge: newChallenge(state), relyingPartyId: relyingPartyOf(pool, state) };
  const options = requestOptions(pool, user, passkey, state);
  return challenge(
    auth,
    { ...carried, challenge: 'WEB_AUTHN', passkeyChallenge: passkey.challenge },
    { CREDENTIAL_REQUEST_OPTIONS: JSON.stringify(options) },
  );
}

/**
 * Verifies the signed passkey challenge and continues.
 * @param given JSON of the credential
 */
export async function withPasskey(auth: Auth, session: Session, given: string): Promise<AuthAnswer> {
  const { pool, state } = auth;
  const credential = readCredential(jsonOf(given));
  const relyingPartyId = relyingPartyOf(pool, state);
  // A session is valid for one answer.
  state.sessions.delete(session.id);
  const user = state.user(pool, session.username ?? '');
  const passkey = user && passkeyOf(user, credential.id, state);
  if (!user || !passkey || session.passkeyChallenge === undefined) throw notAuthorized(WRONG);
  if (!user.enabled) throw notAuthorized('User is disabled.');
  checkOrigin(credential.origin, relyingPartyId);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyAuthenticationResponse({
    response: credential.json as unknown as AuthenticationResponseJSON,
    expectedChallenge: session.passkeyChallenge,
    expectedOrigin: credential.origin,
    expectedRPID: relyingPartyId,
    requireUserVerification: verifiesUsers(pool),
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.signCount,
      transports: [...passkey.transports],
    },
  }).catch((error: unknown) => {
    throw invalidParameter(`Invalid credential: ${(error as Error).message}`);
  });
  if (!verified.verified) throw notAuthorized(WRONG);
  recordPasskeyUse(passkey, verified.authenticationInfo.newCounter, state);
  return complete(auth, user, undefined);
}
