import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { IdentityPoolKeys, ServiceHandle } from '@emu/core/service';
import type { KeyRecord } from '../records.ts';
import type { IdentityState } from '../state.ts';

/** Issuer of the tokens of all identities. */
export const ISSUER = 'https://cognito-identity.amazonaws.com';

const generate = promisify(generateKeyPair);
const THE_KEY = 'current';
const pending = new WeakMap<IdentityState, Promise<void>>();
/** Parsed keys by record. */
const read = new WeakMap<object, KeyObject>();

async function make(state: IdentityState): Promise<void> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  state.keys.put(THE_KEY, {
    kid: `${state.region}-${state.ids.uuid()}`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
}

/** Returns the signing key of a region, generated at its first use. */
async function keyOf(state: IdentityState): Promise<Readonly<KeyRecord>> {
  const known = state.keys.get(THE_KEY);
  if (known) return known;
  let making = pending.get(state);
  if (!making) {
    making = make(state).finally(() => pending.delete(state));
    pending.set(state, making);
  }
  await making;
  return state.keys.get(THE_KEY)!;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs an OpenID token.
 * @param state of the pool
 * @param claims besides issuer and times
 * @param duration validity in seconds
 */
export async function signToken(
  state: IdentityState,
  claims: Readonly<Record<string, unknown>>,
  duration: number,
): Promise<string> {
  const record = await keyOf(state);
  let key = read.get(record);
  if (!key) {
    key = createPrivateKey(record.privateKey);
    read.set(record, key);
  }
  const now = Math.floor(state.clock.now() / 1000);
  const head = encoded({ kid: record.kid, typ: 'JWS', alg: 'RS512' });
  const input = `${head}.${encoded({ ...claims, iss: ISSUER, exp: now + duration, iat: now })}`;
  return `${input}.${sign('sha512', Buffer.from(input), key).toString('base64url')}`;
}

/** Returns the public keys of every account and region. */
export function openKeys(handle: ServiceHandle<IdentityState>): IdentityPoolKeys {
  return {
    keySet() {
      const records = [...handle.states()].flatMap(({ state }) => [...state.keys.values()]);
      return {
        keys: records.map(({ kid, privateKey }) => {
          const { n, e } = createPublicKey(privateKey).export({ format: 'jwk' });
          return { kty: 'RSA', alg: 'RS512', use: 'sig', kid, n: n!, e: e! };
        }),
      };
    },
  };
}
