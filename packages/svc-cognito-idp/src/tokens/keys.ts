import { createPublicKey, type KeyObject } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { KeyRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';

const ALGORITHM = 'RS256';

/** A pool's imported keys. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: KeyObject;
}

/** Imported keys by record. */
const imported = new WeakMap<object, Promise<SigningKey>>();
/** Pending key generations by state and pool. */
const making = new WeakMap<CognitoState, Map<string, Promise<void>>>();

/** Returns the record of a pool's keys, generated on first use in Node's thread pool. */
async function keyRecordOf(poolId: string, state: CognitoState): Promise<Readonly<KeyRecord>> {
  const existing = state.keys.get(poolId);
  if (existing) return existing as Readonly<KeyRecord>;
  let pending = making.get(state);
  if (!pending) {
    pending = new Map();
    making.set(state, pending);
  }
  let made = pending.get(poolId);
  if (!made) {
    made = make(poolId, state).finally(() => pending.delete(poolId));
    pending.set(poolId, made);
  }
  await made;
  return state.keys.get(poolId) as Readonly<KeyRecord>;
}

async function make(poolId: string, state: CognitoState): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = state.ids.bytes(32).toString('base64');
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)]);
  state.keys.put(poolId, {
    poolId,
    kid,
    privateJwk: privateJwk as Record<string, string>,
    publicJwk: publicJwk as Record<string, string>,
  });
}

/** Returns a pool's keys. */
export async function signingKey(poolId: string, state: CognitoState): Promise<SigningKey> {
  const record = await keyRecordOf(poolId, state);
  let key = imported.get(record);
  if (!key) {
    key = importJWK({ ...record.privateJwk, alg: ALGORITHM }, ALGORITHM).then((privateKey) => ({
      kid: record.kid,
      privateKey: privateKey as CryptoKey,
      publicKey: createPublicKey({ key: { ...record.publicJwk }, format: 'jwk' }),
    }));
    imported.set(record, key);
  }
  return key;
}

/** Returns the JSON Web Key Set of a pool. */
export async function keySet(poolId: string, state: CognitoState): Promise<object> {
  const { kid, publicJwk } = await keyRecordOf(poolId, state);
  const { e, n } = publicJwk;
  return { keys: [{ alg: ALGORITHM, e, kid, kty: 'RSA', n, use: 'sig' }] };
}
