import type { Ids } from '@emu/core/service';
import type { StsState } from '../state.ts';
import { createSigningKey, type JwtAlgorithm, type SigningKey } from './identity-token.ts';

/** Returns the account's key for an algorithm, generated at its first use. */
export async function signingKeyOf(
  { signingKeys, pendingKeys }: StsState,
  algorithm: JwtAlgorithm,
  ids: Ids,
): Promise<SigningKey> {
  const known = signingKeys.get(algorithm);
  if (known) return known;
  let pending = pendingKeys.get(algorithm);
  if (!pending) {
    pending = createSigningKey(algorithm, ids.uuid())
      .then((key) => signingKeys.put(algorithm, key))
      .finally(() => pendingKeys.delete(algorithm));
    pendingKeys.set(algorithm, pending);
  }
  return pending;
}
