import { createHmac } from 'node:crypto';
import { iamError } from '../errors.ts';

/** Milliseconds of a code's period. */
const PERIOD = 30_000;
/** Periods around the present searched for two consecutive codes: ten minutes either way. */
const SEARCHED = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base32 without padding. */
function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let size = 0;
  for (const character of text) {
    bits = ((bits << 5) | BASE32.indexOf(character)) & 0xffff;
    size += 5;
    if (size >= 8) {
      size -= 8;
      bytes.push((bits >> size) & 0xff);
    }
  }
  return Buffer.from(bytes);
}

/**
 * Returns the code of a period, RFC 6238 with SHA-1 and six digits.
 * @param seed in base32
 */
export function totp(seed: string, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const digest = createHmac('sha1', fromBase32(seed)).update(counter).digest();
  const offset = digest.at(-1)! & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/**
 * Returns the period of a time.
 * @param time epoch milliseconds
 */
export const periodAt = (time: number): number => Math.floor(time / PERIOD);

/**
 * Returns how far a device's clock is ahead, determined from two consecutive codes.
 * @param now epoch milliseconds
 * @returns periods
 * @throws AwsError `InvalidAuthenticationCode`
 */
export function driftOf(seed: string, codes: readonly [string, string], now: number): number {
  const present = periodAt(now);
  // The nearest match counts, since codes may repeat.
  for (let distance = 0; distance <= SEARCHED; distance++)
    for (const period of distance ? [present - distance, present + distance] : [present])
      if (period >= 1 && totp(seed, period - 1) === codes[0] && totp(seed, period) === codes[1])
        return period - present;
  throw iamError('InvalidAuthenticationCodeException', 'Authentication code for device is not valid.');
}

/**
 * Returns the period of a code, with a tolerance of one; undefined if it does not match or was used before.
 * @param drift periods by which the device's clock is ahead
 * @param after period of the last used code; codes up to it are invalid
 * @param now epoch milliseconds
 */
export function periodOf(seed: string, code: string, drift: number, after: number, now: number): number | undefined {
  const present = periodAt(now) + drift;
  return [present, present - 1, present + 1].find((period) => period > after && totp(seed, period) === code);
}
