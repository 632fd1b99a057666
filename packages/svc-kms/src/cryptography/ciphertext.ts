import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { invalidCiphertext } from '../errors.ts';

/** First bytes of every symmetric ciphertext: format and version. */
const MAGIC = Buffer.of(1, 2, 2, 0);
const MRK = 'mrk-';
const ID_START = 5;
const MATERIAL_START = ID_START + 16;
const NONCE_START = MATERIAL_START + 32;
const TAG_START = NONCE_START + 12;
const DATA_START = TAG_START + 16;

/** Encryption context: pairs to which a ciphertext is bound. */
export type EncryptionContext = Readonly<Record<string, string>>;

/** Key and material of a ciphertext. */
export interface CiphertextHeader {
  keyId: string;
  materialId: string;
}

/** Returns the context in a canonical form, independent of its order. Lengths separate the parts. */
function serialize(context: EncryptionContext): Buffer {
  const parts: Buffer[] = [];
  for (const name of Object.keys(context).sort())
    for (const text of [name, context[name]!]) {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      parts.push(length, bytes);
    }
  return Buffer.concat(parts);
}

/** Returns the authenticated data of a ciphertext. */
const authenticated = (head: Buffer, context: EncryptionContext | undefined): Buffer =>
  context ? Buffer.concat([head, serialize(context)]) : head;

function headerOf({ keyId, materialId }: CiphertextHeader): Buffer {
  const multiRegion = keyId.startsWith(MRK);
  const id = multiRegion ? keyId.slice(MRK.length) : keyId.replaceAll('-', '');
  return Buffer.concat([MAGIC, Buffer.of(multiRegion ? 1 : 0), Buffer.from(id, 'hex'), Buffer.from(materialId, 'hex')]);
}

/**
 * Encrypts with AES-256-GCM. The ciphertext contains the ids of key and material, so that Decrypt needs no key id.
 * These and the context are authenticated.
 * @param nonce 12 random bytes
 */
export function seal(
  plaintext: Uint8Array,
  key: KeyObject,
  header: CiphertextHeader,
  context: EncryptionContext | undefined,
  nonce: Buffer,
): Buffer {
  const head = headerOf(header);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(authenticated(head, context));
  const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), data]);
}

/**
 * Returns the key and material of a ciphertext.
 * @throws AwsError `InvalidCiphertextException`
 */
export function readHeader(blob: Uint8Array): CiphertextHeader {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.length);
  if (bytes.length < DATA_START || !bytes.subarray(0, MAGIC.length).equals(MAGIC) || bytes[4]! > 1)
    throw invalidCiphertext();
  const id = bytes.toString('hex', ID_START, MATERIAL_START);
  return {
    keyId: bytes[4]
      ? `${MRK}${id}`
      : `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`,
    materialId: bytes.toString('hex', MATERIAL_START, NONCE_START),
  };
}

/**
 * Decrypts a ciphertext created by `seal`.
 * @throws AwsError `InvalidCiphertextException` for a modified ciphertext or a different context
 */
export function open(blob: Uint8Array, key: KeyObject, context: EncryptionContext | undefined): Buffer {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.length);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(NONCE_START, TAG_START));
  decipher.setAAD(authenticated(bytes.subarray(0, NONCE_START), context));
  decipher.setAuthTag(bytes.subarray(TAG_START, DATA_START));
  try {
    const data = decipher.update(bytes.subarray(DATA_START));
    // In this mode `final` only verifies the tag.
    decipher.final();
    return data;
  } catch {
    throw invalidCiphertext();
  }
}
