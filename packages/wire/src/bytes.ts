import { isUtf8 } from 'node:buffer';

/** Returns a `Buffer` over the same memory. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Decodes UTF-8. @returns undefined for malformed bytes */
export function utf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? bufferOf(bytes).toString('utf8') : undefined;
}

/** Encodes base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('base64');
}

/** Shared, because it is immutable. */
const NO_BYTES = Buffer.alloc(0);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes base64 strictly: standard alphabet, complete groups of four, no stray bits.
 * @returns the bytes, or the error in the words of AWS's JSON services
 */
export function fromBase64(text: string): Uint8Array | string {
  if (text === '') return NO_BYTES;
  if (text.length % 4 !== 0) return `Base64 encoded length is expected a multiple of 4 bytes but found: ${text.length}`;
  if (!BASE64.test(text)) {
    const stray = /[^A-Za-z0-9+/=]/.exec(text)?.[0] ?? '=';
    return `Invalid Base64 character: '${stray}'`;
  }
  // Unused bits of the last character must be zero.
  if (text.endsWith('=')) {
    const [last, allowed] = text.endsWith('==') ? [text.at(-3)!, 'AQgw'] : [text.at(-2)!, 'AEIMQUYcgkosw048'];
    if (!allowed.includes(last)) return 'Invalid last non-pad Base64 character dectected';
  }
  return Buffer.from(text, 'base64');
}
