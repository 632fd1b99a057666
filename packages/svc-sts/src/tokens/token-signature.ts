import { createPublicKey } from 'node:crypto';
import type { DeepReadonly } from '@emu/core/service';
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet, type JWK } from 'jose';
import type { SigningKey } from './identity-token.ts';

/** Result of a verification: valid, invalid, or the keys are unavailable. */
export type SignatureCheck = 'valid' | 'invalid' | 'no key';

/** Public keys that verify tokens (RFC 7517). */
export function publicKeySet(keys: Iterable<DeepReadonly<SigningKey>>): JSONWebKeySet {
  const described = [...keys].map(({ id, algorithm, privateKey }): JWK => {
    const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
    return { ...(jwk as JWK), kid: id, alg: algorithm, use: 'sig' };
  });
  return { keys: described };
}

/** Whether a token is signed by one of the keys. @param token a JWT in compact serialisation */
export async function checkSignature(token: string, keys: JSONWebKeySet): Promise<SignatureCheck> {
  try {
    await compactVerify(token, createLocalJWKSet(keys));
    return 'valid';
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return checkEach(token, error);
    if (error instanceof errors.JWSSignatureVerificationFailed) return 'invalid';
    if (error instanceof errors.JOSEError) return 'no key';
    throw error;
  }
}

/** Verifies a token without key id by every candidate, because any key of its algorithm may have signed it. */
async function checkEach(token: string, candidates: errors.JWKSMultipleMatchingKeys): Promise<SignatureCheck> {
  for await (const key of candidates)
    try {
      await compactVerify(token, key);
      return 'valid';
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  return 'invalid';
}
