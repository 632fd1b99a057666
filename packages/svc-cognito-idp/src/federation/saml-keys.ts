import { selfSigned } from '@emu/core/certificates';
import type { SamlKeyRecord } from '../records.ts';
import type { CognitoState } from '../state.ts';

const YEARS = 10;
/** Pending key generations by state and pool. */
const making = new WeakMap<CognitoState, Map<string, Promise<SamlKeyRecord>>>();

/** Returns the key pair with which a pool signs SAML requests and decrypts assertions; generated on first use. */
export async function samlKeyOf(poolId: string, state: CognitoState): Promise<Readonly<SamlKeyRecord>> {
  const existing = state.samlKeys.get(poolId);
  if (existing) return existing;
  const pending = making.get(state) ?? new Map<string, Promise<SamlKeyRecord>>();
  making.set(state, pending);
  let made = pending.get(poolId);
  if (!made) {
    made = make(poolId, state).finally(() => pending.delete(poolId));
    pending.set(poolId, made);
  }
  return made;
}

async function make(poolId: string, state: CognitoState): Promise<SamlKeyRecord> {
  const notBefore = state.clock.now();
  const end = new Date(notBefore);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS);
  const made = await selfSigned({ subject: { commonName: poolId }, notBefore, notAfter: end.getTime() });
  const key = { poolId, privateKey: made.key, certificate: made.cert };
  if (state.pools.has(poolId)) state.samlKeys.put(poolId, key);
  return key;
}

/** Returns a certificate without PEM delimiters, as in SAML metadata. */
export const bareCertificate = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
