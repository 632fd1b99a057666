import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
} from 'node:crypto';
import { isSm2 } from '../cryptography/sm2.ts';
import { invalidCiphertext, kmsError } from '../errors.ts';
import type { Key, MaterialRecord } from '../records.ts';
import { shapeOf } from './specs.ts';

/** OAEP hash of each wrapping algorithm, and whether it also wraps an AES key. */
export const WRAPPING: Record<string, { oaepHash: string; aes: boolean }> = {
  RSAES_OAEP_SHA_1: { oaepHash: 'sha1', aes: false },
  RSAES_OAEP_SHA_256: { oaepHash: 'sha256', aes: false },
  RSA_AES_KEY_WRAP_SHA_1: { oaepHash: 'sha1', aes: true },
  RSA_AES_KEY_WRAP_SHA_256: { oaepHash: 'sha256', aes: true },
};

/** Initial value of AES key wrapping with padding (RFC 5649, section 3). */
const KEY_WRAP_IV = Buffer.from('a65959a6', 'hex');

/**
 * Unwraps key material.
 * @param privateKey PKCS #8 of the wrapping key
 * @throws AwsError `InvalidCiphertextException`
 */
export function unwrap(wrapped: Uint8Array, privateKey: Buffer, algorithm: string): Buffer {
  const { oaepHash, aes } = WRAPPING[algorithm]!;
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const length = key.asymmetricKeyDetails!.modulusLength! / 8;
  const head = aes ? wrapped.subarray(0, length) : wrapped;
  try {
    const secret = privateDecrypt({ key, oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }, head);
    if (!aes) return secret;
    const decipher = createDecipheriv('id-aes256-wrap-pad', secret, KEY_WRAP_IV);
    return Buffer.concat([decipher.update(wrapped.subarray(length)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

const wrongMaterial = (message: string): Error => kmsError('IncorrectKeyMaterialException', message);

/** Returns the public key of an imported private key, which must match the key's spec. */
function publicHalf(bytes: Buffer, { spec }: Key): Buffer {
  let privateKey: ReturnType<typeof createPrivateKey>;
  try {
    privateKey = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  } catch {
    throw wrongMaterial('The key material is not a private key in PKCS #8 format.');
  }
  const shape = shapeOf(spec);
  const { modulusLength, namedCurve } = privateKey.asymmetricKeyDetails ?? {};
  const fits =
    shape.kind === 'sm2'
      ? isSm2(privateKey)
      : privateKey.asymmetricKeyType === shape.kind &&
        (shape.kind !== 'rsa' || modulusLength === shape.modulusBits) &&
        (shape.kind !== 'ec' || namedCurve === shape.curve);
  if (!fits) throw wrongMaterial(`The key material does not match the key spec ${spec}.`);
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}

/** Returns the SHA-256 that identifies a material when it is imported again, equal in all regions of the key. */
const digestOf = (bytes: Buffer, { id }: Key): string => createHash('sha256').update(id).update(bytes).digest('hex');

/**
 * Returns the material in the unwrapped bytes.
 * @throws AwsError `IncorrectKeyMaterialException`
 */
export function readMaterial(bytes: Buffer, key: Key): Pick<MaterialRecord, 'id' | 'secret' | 'public'> {
  const shape = shapeOf(key.spec);
  const material = { id: digestOf(bytes, key), secret: bytes.toString('base64') };
  if (shape.kind !== 'symmetric' && shape.kind !== 'hmac')
    return { ...material, public: publicHalf(bytes, key).toString('base64') };
  if (bytes.length !== shape.bytes)
    throw wrongMaterial(`The key material must be ${shape.bytes} bytes long for key spec ${key.spec}.`);
  return material;
}
