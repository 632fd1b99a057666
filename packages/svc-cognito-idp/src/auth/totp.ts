import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD = 30;
const DIGITS = 6;
/** Periods before and after the current one with accepted codes. */
const WINDOW = 1;

/** Decodes base32 (RFC 4648); undefined for invalid text. */
export function fromBase32(text: string): Buffer | undefined {
  const plain = text.replace(/=+$/, '').replaceAll(' ', '').toUpperCase();
  if (plain === '' || !/^[A-Z2-7]+$/.test(plain)) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of plain) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

/** Returns the code of a period (RFC 6238, HMAC-SHA-1). */
function codeAt(secret: Buffer, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash[19]! & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Returns the period of a code; undefined if it does not match a period near now.
 * @param now epoch milliseconds
 * @param usedAt period of the last used code; codes up to it are invalid
 */
export function periodOf(secret: string, code: string, now: number, usedAt = -1): number | undefined {
  const bytes = fromBase32(secret);
  if (!bytes) return undefined;
  const current = Math.floor(now / 1000 / PERIOD);
  for (let period = current - WINDOW; period <= current + WINDOW; period++)
    if (period > usedAt && codeAt(bytes, period) === code.trim()) return period;
  return undefined;
}
