import { constants, createPublicKey, privateDecrypt, publicEncrypt } from 'node:crypto';
import type { EncryptionAlgorithmSpec } from '@emu/service-types/kms';
import { type EncryptionContext, open, seal } from '../cryptography/ciphertext.ts';
import { decryptSm2, encryptSm2, SM2_MAX_BYTES } from '../cryptography/sm2.ts';
import { invalid, invalidCiphertext } from '../errors.ts';
import type { Key } from '../records.ts';
import type { KmsState } from '../state.ts';
import { currentMaterial, publicKey, secretKey } from './material.ts';
import { shapeOf } from './specs.ts';

/** Digest sizes for OAEP in bytes. */
const OAEP = {
  RSAES_OAEP_SHA_1: { oaepHash: 'sha1', digestBytes: 20 },
  RSAES_OAEP_SHA_256: { oaepHash: 'sha256', digestBytes: 32 },
} as const;

type OaepAlgorithm = keyof typeof OAEP;

/**
 * Encrypts with a key's current material.
 * @throws AwsError `ValidationException` for a plaintext too long for an RSA or SM2 key
 */
export function encrypt(
  plaintext: Uint8Array,
  { key, state }: { key: Key; state: KmsState },
  algorithm: EncryptionAlgorithmSpec,
  context: EncryptionContext | undefined,
): Buffer {
  const material = currentMaterial(key);
  const arn = state.arnOf(key.id);
  if (algorithm === 'SYMMETRIC_DEFAULT')
    return seal(
      plaintext,
      secretKey(material, arn),
      { keyId: key.id, materialId: material!.id },
      context,
      state.ids.bytes(12),
    );
  if (algorithm === 'SM2PKE') {
    if (plaintext.length > SM2_MAX_BYTES) throw tooLong(algorithm, key.spec, SM2_MAX_BYTES);
    return encryptSm2(publicKey(material, arn), plaintext, state.ids);
  }
  const { oaepHash, digestBytes } = OAEP[algorithm as OaepAlgorithm];
  const shape = shapeOf(key.spec);
  const most = (shape.kind === 'rsa' ? shape.modulusBits / 8 : 0) - 2 * digestBytes - 2;
  if (plaintext.length > most) throw tooLong(algorithm, key.spec, most);
  return publicEncrypt(
    { key: publicKey(material, arn), oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING },
    plaintext,
  );
}

const tooLong = (algorithm: string, spec: string, most: number): Error =>
  invalid(`Algorithm ${algorithm} and key spec ${spec} cannot encrypt data larger than ${most} bytes.`);

/** Decrypts RSA OAEP and SM2. @throws AwsError `InvalidCiphertextException` */
export function decryptAsymmetric(
  ciphertext: Uint8Array,
  { key, state }: { key: Key; state: KmsState },
  algorithm: EncryptionAlgorithmSpec,
): Buffer {
  const secret = secretKey(currentMaterial(key), state.arnOf(key.id));
  if (algorithm === 'SM2PKE') {
    const plaintext = decryptSm2(secret, ciphertext);
    if (!plaintext) throw invalidCiphertext();
    return plaintext;
  }
  const { oaepHash } = OAEP[algorithm as OaepAlgorithm];
  try {
    return privateDecrypt({ key: secret, oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }, ciphertext);
  } catch {
    throw invalidCiphertext();
  }
}

/**
 * Decrypts a symmetric ciphertext of a key.
 * @param materialId id of the material in the ciphertext, which may be of an earlier rotation
 * @throws AwsError `InvalidCiphertextException`
 */
export function decryptSymmetric(
  blob: Uint8Array,
  { key, state }: { key: Key; state: KmsState },
  materialId: string,
  context: EncryptionContext | undefined,
): Buffer {
  const material = key.materials.find(({ id }) => id === materialId);
  if (!material) throw invalidCiphertext();
  return open(blob, secretKey(material, state.arnOf(key.id)), context);
}

/**
 * Parses a public key in DER.
 * @returns undefined for invalid bytes
 */
export function parsePublicKey(der: Uint8Array) {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
