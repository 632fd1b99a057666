import { createHash, randomBytes } from 'node:crypto';

/** The only source of chance for services, so that a seed makes a run reproducible. */
export interface Ids {
  /** A version 4 UUID. */
  uuid(): string;
  /** Random bytes. */
  bytes(length: number): Buffer;
  /** Lower-case hexadecimal digits. */
  hex(length: number): string;
  /** Characters of an alphabet of ASCII, by default upper-case letters and digits as in AWS's ids. */
  chars(length: number, alphabet?: string): string;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
}

/** Ids whose sequence can be taken up where it was. */
export interface IdSource extends Ids {
  /** How far a seed's sequence has come; always 0 without a seed. */
  position: number;
  /** Names a seed's sequence without telling the seed; undefined without a seed. */
  readonly sequence: string | undefined;
  /**
   * Told, some time before they are given out, of the position up to which ids may be: who keeps it lets the sequence go on
   * there after a crash, so that no id repeats.
   */
  onReserve: ((end: number) => void) | undefined;
}

/** Positions that are reserved at once. */
const RESERVED = 4096;

const HEX = Buffer.from('0123456789abcdef', 'latin1');
const HYPHEN = '-'.charCodeAt(0);
/** Where the bytes of a UUID stand in its text. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const UUID_BYTES = 16;
const written = Buffer.alloc(36, HYPHEN);

/** A version 4 UUID of the 16 bytes that begin at a place, which stay as they are. */
function uuidOf(bytes: Uint8Array, from: number): string {
  // A text in one piece: one that is put together keeps its pieces, 32 bytes each, until somebody searches or writes it.
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

/** Bytes that are asked of the system at once, as a few cost as much as many, and the most that are taken of them. */
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
    // A copy: whoever gets bytes may write to them.
    return Buffer.from(this.pool.subarray(from, this.given));
  }

  override uuid(): string {
    // Each request has one or two: they are written from the pool itself.
    const from = this.take(UUID_BYTES);
    return uuidOf(this.pool, from);
  }

  /** Takes bytes out of the pool. @returns where they begin */
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

/** A counter hashed with the seed: reproducible, and as well distributed as chance. */
class SeededIds extends IdsBase {
  override readonly sequence: string;
  /** Position from which on more has to be reserved. */
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

/** Ids from the machine's random source, or reproducible ones where a seed is given. */
export function createIds(seed?: string): IdSource {
  return seed === undefined ? new RandomIds() : new SeededIds(seed);
}
