import { createHash, randomBytes } from 'node:crypto';

/** The only source of randomness for services, so that a seed makes a run reproducible. */
export interface Ids {
  /** A version 4 UUID. */
  uuid(): string;
  /** Returns random bytes. */
  bytes(length: number): Buffer;
  /** Lower-case hexadecimal digits. */
  hex(length: number): string;
  /** Returns random characters of an ASCII alphabet; by default upper-case letters and digits, as in AWS's ids. */
  chars(length: number, alphabet?: string): string;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
}

/** Ids whose sequence can be continued from a stored position. */
export interface IdSource extends Ids {
  /** Position in the seed's sequence; always 0 without a seed. */
  position: number;
  /** Identifies a seed's sequence without disclosing the seed; undefined without a seed. */
  readonly sequence: string | undefined;
  /**
   * Called with the position up to which ids are reserved, before they are used. If it is stored, the sequence
   * continues there after a crash, so that no id repeats.
   */
  onReserve: ((end: number) => void) | undefined;
}

/** Positions per reservation. */
const RESERVED = 4096;

const HEX = Buffer.from('0123456789abcdef', 'latin1');
const HYPHEN = '-'.charCodeAt(0);
/** Positions of the bytes of a UUID in its text. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const UUID_BYTES = 16;
const written = Buffer.alloc(36, HYPHEN);

/** Returns the version 4 UUID of the 16 bytes at an offset, without changing them. */
function uuidOf(bytes: Uint8Array, from: number): string {
  // A flat string: a concatenated one keeps its pieces, 32 bytes each, until it is searched or written.
  for (let index = 0; index < UUID_BYTES; index++) {
    let byte = bytes[from + index]!;
    if (index === 6) byte = (byte & 0x0f) | 0x40;
    else if (index === 8) byte = (byte & 0x3f) | 0x80;
    const place = UUID_PLACES[index]!;
    written[place] = HEX[byte >> 4]!;
    written[place + 1] = HEX[byte & 0x0f]!;
  }
  return written.toString('latin1');
}

const UPPER_ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Bytes requested from the system at once, as a few cost as much as many; also the most that one call takes from the
 * pool.
 */
const POOL = 4096;
const LONGEST_POOLED = 128;

abstract class IdsBase implements IdSource {
  position = 0;
  readonly sequence: string | undefined = undefined;
  onReserve: ((end: number) => void) | undefined;

  abstract bytes(length: number): Buffer;

  uuid(): string {
    return uuidOf(this.bytes(UUID_BYTES), 0);
  }

  hex(length: number): string {
    return this.bytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length);
  }

  chars(length: number, alphabet = UPPER_ALPHANUMERIC): string {
    const characters = this.bytes(length);
    for (const [index, byte] of characters.entries()) characters[index] = alphabet.charCodeAt(byte % alphabet.length);
    return characters.toString('latin1');
  }

  random(): number {
    return this.bytes(6).readUIntBE(0, 6) / 2 ** 48;
  }
}

class RandomIds extends IdsBase {
  private pool: Buffer = Buffer.alloc(0);
  private given = 0;

  bytes(length: number): Buffer {
    if (length > LONGEST_POOLED) return randomBytes(length);
    const from = this.take(length);
    // A copy, as callers may write to the bytes.
    return Buffer.from(this.pool.subarray(from, this.given));
  }

  override uuid(): string {
    // Each request has one or two UUIDs: written from the pool directly.
    const from = this.take(UUID_BYTES);
    return uuidOf(this.pool, from);
  }

  /** Takes bytes out of the pool. @returns their offset */
  private take(length: number): number {
    if (this.given + length > this.pool.length) {
      this.pool = randomBytes(POOL);
      this.given = 0;
    }
    const from = this.given;
    this.given += length;
    return from;
  }
}

/** Hashes a counter with the seed: reproducible, and evenly distributed. */
class SeededIds extends IdsBase {
  override readonly sequence: string;
  /** Position that ends the current reservation. */
  private reserveAt = 0;

  constructor(private readonly seed: string) {
    super();
    this.sequence = createHash('sha256').update(`sequence of ${seed}`).digest('hex').slice(0, 16);
  }

  bytes(length: number): Buffer {
    const end = this.position + Math.ceil(length / 32);
    if (this.onReserve && end > this.reserveAt) {
      this.reserveAt = end + RESERVED / 2;
      this.onReserve(end + RESERVED);
    }
    const blocks: Buffer[] = [];
    for (let size = 0; size < length; size += 32)
      blocks.push(
        createHash('sha256')
          .update(`${this.seed}/${this.position++}`)
          .digest(),
      );
    return Buffer.concat(blocks).subarray(0, length);
  }
}

/** Returns ids from the machine's random source, or reproducible ones for a seed. */
export function createIds(seed?: string): IdSource {
  return seed === undefined ? new RandomIds() : new SeededIds(seed);
}
