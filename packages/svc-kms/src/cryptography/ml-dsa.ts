import type { Ids } from '@emu/core/service';
import type { DSA } from '@noble/post-quantum/ml-dsa.js';
import { invalid } from '../errors.ts';

/** Parameter sets of ML-DSA (FIPS 204). */
export type MlDsaVariant = 44 | 65 | 87;

/** Last arc of the object identifiers 2.16.840.1.101.3.4.3.x (RFC 9881). */
const ARC: Record<MlDsaVariant, number> = { 44: 17, 65: 18, 87: 19 };
const SEED_BYTES = 32;
const MU_BYTES = 64;
const NONCE_BYTES = 32;

/** Returns the implementation of a parameter set, loaded when first needed. */
async function algorithmOf(variant: MlDsaVariant): Promise<DSA> {
  const library = await import('@noble/post-quantum/ml-dsa.js');
  return library[`ml_dsa${variant}`];
}

/** Returns the length octets of DER. */
const derLength = (length: number): Buffer =>
  length < 128 ? Buffer.of(length) : Buffer.of(0x82, length >> 8, length & 0xff);

const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), derLength(content.length), content]);
};

/** Encodes a public key as SubjectPublicKeyInfo. */
function encodePublicKey(variant: MlDsaVariant, key: Uint8Array): Buffer {
  const identifier = der(0x06, Buffer.of(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, ARC[variant]));
  return der(0x30, der(0x30, identifier), der(0x03, Buffer.of(0), key));
}

/** Generates a key pair. @returns the seed of the private key, and the public key as SubjectPublicKeyInfo */
export async function generateMlDsa(variant: MlDsaVariant, ids: Ids): Promise<{ seed: Buffer; publicKey: Buffer }> {
  const seed = ids.bytes(SEED_BYTES);
  const { publicKey } = (await algorithmOf(variant)).keygen(Uint8Array.from(seed));
  return { seed, publicKey: encodePublicKey(variant, publicKey) };
}

/** Data to sign: a message, or its `mu` computed by the caller. */
export interface MlDsaSignable {
  bytes: Uint8Array;
  externalMu: boolean;
}

/** @throws AwsError `ValidationException` for a `mu` of the wrong length */
export function checkMu({ bytes, externalMu }: MlDsaSignable): void {
  if (externalMu && bytes.length !== MU_BYTES)
    throw invalid('External mu is invalid length for algorithm ML_DSA_SHAKE_256.');
}

/** Signs with the key of a seed. */
export async function signMlDsa(
  variant: MlDsaVariant,
  seed: Uint8Array,
  { bytes, externalMu }: MlDsaSignable,
  ids: Ids,
): Promise<Uint8Array> {
  const algorithm = await algorithmOf(variant);
  const { secretKey } = algorithm.keygen(Uint8Array.from(seed));
  const extraEntropy = Uint8Array.from(ids.bytes(NONCE_BYTES));
  return externalMu
    ? algorithm.internal.sign(bytes, secretKey, { externalMu, extraEntropy })
    : algorithm.sign(bytes, secretKey, { extraEntropy });
}

/** Verifies a signature by the key of a seed. */
export async function verifyMlDsa(
  variant: MlDsaVariant,
  seed: Uint8Array,
  { bytes, externalMu }: MlDsaSignable,
  signature: Uint8Array,
): Promise<boolean> {
  const algorithm = await algorithmOf(variant);
  if (signature.length !== algorithm.lengths.signature) return false;
  const { publicKey } = algorithm.keygen(Uint8Array.from(seed));
  return externalMu
    ? algorithm.internal.verify(signature, bytes, publicKey, { externalMu })
    : algorithm.verify(signature, bytes, publicKey);
}
