import { constants, createHash, type KeyObject, privateEncrypt, publicDecrypt } from 'node:crypto';

/** Computes MGF1 of RFC 8017, appendix B.2.1. */
function mask(seed: Buffer, length: number, hash: string): Buffer {
  const blocks: Buffer[] = [];
  for (let size = 0, counter = 0; size < length; counter++) {
    const suffix = Buffer.alloc(4);
    suffix.writeUInt32BE(counter);
    const block = createHash(hash).update(seed).update(suffix).digest();
    blocks.push(block);
    size += block.length;
  }
  return Buffer.concat(blocks).subarray(0, length);
}

const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, index) => byte ^ b[index]!));

const commonHash = (digest: Uint8Array, salt: Buffer, hash: string): Buffer =>
  createHash(hash).update(Buffer.alloc(8)).update(digest).update(salt).digest();

const modulusBits = (key: KeyObject): number => key.asymmetricKeyDetails!.modulusLength!;

/**
 * Creates a RSASSA-PSS signature (RFC 8017, section 8.1) of a digest from the caller; node:crypto accepts messages
 * only.
 * @param salt with the length of the digest, as in KMS
 */
export function signPssDigest(digest: Uint8Array, key: KeyObject, hash: string, salt: Buffer): Buffer {
  const length = modulusBits(key) / 8;
  const dataLength = length - digest.length - 1;
  const h = commonHash(digest, salt, hash);
  const data = Buffer.alloc(dataLength);
  data[dataLength - salt.length - 1] = 1;
  salt.copy(data, dataLength - salt.length);
  const masked = xor(data, mask(h, dataLength, hash));
  masked[0]! &= 0x7f;
  const encoded = Buffer.concat([masked, h, Buffer.of(0xbc)]);
  return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded);
}

/** Verifies the RSASSA-PSS signature of a digest, with a salt of the digest's length (RFC 8017, section 9.1.2). */
export function verifyPssDigest(digest: Uint8Array, key: KeyObject, hash: string, signature: Uint8Array): boolean {
  const length = modulusBits(key) / 8;
  if (signature.length !== length) return false;
  let encoded: Buffer;
  try {
    encoded = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
  } catch {
    // A number not smaller than the modulus is not a signature.
    return false;
  }
  const dataLength = length - digest.length - 1;
  const masked = encoded.subarray(0, dataLength);
  const h = encoded.subarray(dataLength, -1);
  if (encoded.at(-1) !== 0xbc || masked[0]! & 0x80) return false;
  const data = xor(masked, mask(h, dataLength, hash));
  data[0]! &= 0x7f;
  const saltStart = dataLength - digest.length;
  if (data[saltStart - 1] !== 1 || data.subarray(0, saltStart - 1).some((byte) => byte !== 0)) return false;
  return commonHash(digest, data.subarray(saltStart), hash).equals(h);
}
