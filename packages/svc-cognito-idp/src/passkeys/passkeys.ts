import type { PasskeyRecord, Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

const CHALLENGE_BYTES = 32;

const keyOf = ({ poolId, username }: Pick<User, 'poolId' | 'username'>, id: string): string =>
  `${poolId}/${username}/${id}`;

type Passkey = Readonly<PasskeyRecord>;

/** Returns a challenge for an authenticator, in base64url. */
export const newChallenge = ({ ids }: CognitoState): string => ids.bytes(CHALLENGE_BYTES).toString('base64url');

/** Returns the passkeys of a user, oldest first. */
export const passkeysOf = ({ poolId, username }: User, { passkeys }: CognitoState): Passkey[] =>
  ([...passkeys.values()] as Passkey[])
    .filter((one) => one.poolId === poolId && one.username === username)
    .sort((a, b) => a.createdAt - b.createdAt);

/** Returns a passkey of a user; undefined if unknown. */
export const passkeyOf = (user: User, id: string, { passkeys }: CognitoState): Passkey | undefined =>
  passkeys.get(keyOf(user, id)) as Passkey | undefined;

export const putPasskey = (passkey: PasskeyRecord, { passkeys }: CognitoState): void => {
  passkeys.put(keyOf(passkey, passkey.id), passkey);
};

export const deletePasskey = (user: User, id: string, { passkeys }: CognitoState): boolean =>
  passkeys.delete(keyOf(user, id));

/**
 * Records a use of a passkey.
 * @param signCount counter of its authenticator
 */
export const recordPasskeyUse = (passkey: Passkey, signCount: number, { passkeys }: CognitoState): void => {
  passkeys.update(keyOf(passkey, passkey.id), (draft) => {
    draft.signCount = signCount;
  });
};

/** Returns the credential request options of the challenge WEB_AUTHN. */
export function requestOptions(
  pool: Pool,
  user: User,
  { challenge, relyingPartyId }: { challenge: string; relyingPartyId: string },
  state: CognitoState,
): object {
  return {
    challenge,
    timeout: 180_000,
    rpId: relyingPartyId,
    allowCredentials: passkeysOf(user, state)
      .filter((one) => one.relyingPartyId === relyingPartyId)
      .map(({ id, transports }) => ({ id, type: 'public-key', transports: [...transports] })),
    userVerification: pool.webAuthn?.UserVerification ?? 'preferred',
  };
}
