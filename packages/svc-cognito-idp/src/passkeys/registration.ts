import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { passkeyChallengeNotFound, passkeyNotSupported, passkeyRelyingPartyMismatch } from '../errors.ts';
import type { LocatedPool } from '../lookup.ts';
import type { User } from '../records.ts';
import { readCredential } from './credential.ts';
import { newChallenge, passkeysOf, putPasskey } from './passkeys.ts';
import { checkOrigin, relyingPartyOf, verifiesUsers } from './relying-party.ts';

const TIMEOUT = 60_000;
/** Time limit of a registration, in milliseconds. */
const VALIDITY = 5 * 60_000;
/** ES256 and RS256. */
const ALGORITHMS = [-7, -257];

interface Registering extends LocatedPool {
  user: User;
}

/**
 * Starts the registration of a passkey.
 * @returns options for `navigator.credentials.create`, as JSON
 * @throws AwsError `WebAuthnNotEnabledException`, `WebAuthnConfigurationMissingException`
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_StartWebAuthnRegistration.html
 */
export function beginRegistration({ state, pool, user }: Registering) {
  const rpId = relyingPartyOf(pool, state);
  const challenge = newChallenge(state);
  const expiresAt = state.clock.now() + VALIDITY;
  state.passkeyChallenges.put(challengeKey(user), {
    poolId: pool.id,
    username: user.username,
    challenge,
    expiresAt,
  });
  const { RelyingPartyId: _, UserVerification: userVerification = 'preferred' } = pool.webAuthn ?? {};
  return {
    authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification },
    challenge,
    excludeCredentials: passkeysOf(user, state).map(({ id }) => ({ id, type: 'public-key' })),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    rp: { id: rpId, name: rpId },
    timeout: TIMEOUT,
    user: { displayName: user.username, id: Buffer.from(user.sub).toString('base64url'), name: user.username },
  };
}

const challengeKey = ({ poolId, username }: User): string => `${poolId}/${username}`;

/**
 * Completes a registration with the browser's credential.
 * @throws AwsError if verification fails, or challenge, origin or relying party differ
 */
export async function completeRegistration({ state, pool, user }: Registering, sent: unknown): Promise<void> {
  const relyingPartyId = relyingPartyOf(pool, state);
  const credential = readCredential(sent);
  const begun = state.passkeyChallenges.get(challengeKey(user));
  if (!begun || begun.expiresAt <= state.clock.now())
    throw passkeyChallengeNotFound('No registration is under way, or it has expired.');
  if (begun.challenge !== credential.challenge)
    throw passkeyChallengeNotFound('The challenge of the credential does not match the registration.');
  checkOrigin(credential.origin, relyingPartyId);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const response = credential.json as unknown as RegistrationResponseJSON;
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: begun.challenge,
    expectedOrigin: credential.origin,
    expectedRPID: relyingPartyId,
    requireUserVerification: verifiesUsers(pool),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    const { name, message } = error as Error;
    throw name === 'UnexpectedRPIDHash' ? passkeyRelyingPartyMismatch() : passkeyNotSupported(message);
  });
  if (!verified.verified) throw passkeyNotSupported('The attestation of the credential could not be verified.');
  const { fmt, aaguid, credential: made } = verified.registrationInfo;
  state.passkeyChallenges.delete(challengeKey(user));
  const { authenticatorAttachment: attachment } = response;
  putPasskey(
    {
      id: made.id,
      poolId: pool.id,
      username: user.username,
      name: attachment === 'cross-platform' ? 'Security key' : 'Passkey',
      relyingPartyId,
      publicKey: Buffer.from(made.publicKey).toString('base64url'),
      signCount: made.counter,
      ...(attachment && { attachment: attachment as 'platform' | 'cross-platform' }),
      transports: [...(made.transports ?? [])],
      format: fmt,
      aaguid,
      createdAt: state.clock.now(),
    },
    state,
  );
}
