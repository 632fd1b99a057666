import { createPublicKey, verify } from 'node:crypto';
import type { ServiceHandle } from '@emu/core/service';
import type { IdentityState } from '../state.ts';
import { openKeys } from './keys.ts';

/** Verifies an OpenID token by the keys of all regions' identity pools. */
export function verifyByKeys(token: string, handle: ServiceHandle<IdentityState>): boolean {
  const [head = '', body = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${body}`);
  return openKeys(handle)
    .keySet()
    .keys.some((jwk) =>
      verify(
        'sha512',
        signed,
        createPublicKey({ key: { ...jwk }, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    );
}
