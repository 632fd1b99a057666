import type { KeyObject } from 'node:crypto';
import { eddsa } from '@noble/curves/abstract/edwards.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';

const DOMAIN = Buffer.from('SigEd25519 no Ed25519 collisions');

/** Clamps a scalar (RFC 8032, section 5.1.5). */
function adjustScalarBytes(bytes: Uint8Array): Uint8Array {
  bytes[0]! &= 248;
  bytes[31] = (bytes[31]! & 127) | 64;
  return bytes;
}

/** Ed25519ph (RFC 8032, section 5.1) for digests from the caller, which node:crypto lacks. */
const ed25519ph = eddsa(ed25519.Point, sha512, {
  adjustScalarBytes,
  domain: (data: Uint8Array, context: Uint8Array, prehashed: boolean) =>
    Buffer.concat([DOMAIN, Buffer.of(prehashed ? 1 : 0, context.length), context, data]),
  prehash: ((digest: Uint8Array) => digest) as typeof sha512,
});

const raw = (text: string | undefined): Uint8Array => Uint8Array.from(Buffer.from(text!, 'base64url'));

/** Signs a SHA-512 digest. */
export const signEd25519ph = (key: KeyObject, digest: Uint8Array): Buffer =>
  Buffer.from(ed25519ph.sign(Uint8Array.from(digest), raw(key.export({ format: 'jwk' }).d)));

/** Verifies the signature of a SHA-512 digest. */
export function verifyEd25519ph(key: KeyObject, digest: Uint8Array, signature: Uint8Array): boolean {
  try {
    const point = raw(key.export({ format: 'jwk' }).x);
    return ed25519ph.verify(Uint8Array.from(signature), Uint8Array.from(digest), point);
  } catch {
    // Malformed signature.
    return false;
  }
}
