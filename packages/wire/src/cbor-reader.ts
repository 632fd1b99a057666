import { bufferOf, utf8 } from './bytes.ts';
import type { TimeUnit } from './cbor-writer.ts';
import { MAX_DEPTH, setOwn } from './compile.ts';
import { dateOfSeconds } from './timestamps.ts';
import { BYTES_WEIGHT, ENTRY_WEIGHT, OBJECT_WEIGHT, TEXT_WEIGHT, tooManyValues, Weight } from './weight.ts';

/** Malformed CBOR. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** End marker of an array, map or string of indefinite length. */
const BREAK = Symbol('break');
const INDEFINITE = -1;
const TAG_EPOCH = 1;
const TAG_POSITIVE_BIGNUM = 2;
const TAG_NEGATIVE_BIGNUM = 3;
const TAG_DECIMAL = 4;
/** Limit of a bignum in bytes, far above the range of a double. */
const MAX_BIGNUM = 128;

/** Number of entries above which a map becomes a hash table with its own keys. */
const LARGE_MAP = 1000;
/** Bytes of a text that count towards the weight. */
const LONG_TEXT = 64;

/** IEEE 754 half precision. */
function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Reads one value; see {@link readCbor}. */
class Reader {
  private readonly bytes: Buffer;
  private readonly weight = new Weight(tooManyValues);
  private offset = 0;

  constructor(
    bytes: Uint8Array,
    private readonly times: TimeUnit,
  ) {
    this.bytes = bufferOf(bytes);
  }

  whole(): unknown {
    const value = this.value(0);
    if (value === BREAK) throw new CborError('break outside of an indefinite length');
    if (this.offset !== this.bytes.length) throw new CborError('bytes after the value');
    return value;
  }

  private need(length: number): number {
    const start = this.offset;
    if (length > this.bytes.length - start) throw new CborError('ends too early');
    this.offset += length;
    return start;
  }

  /** Reads the argument of a head: a length, a number or a tag. */
  private argument(info: number): number {
    if (info < 24) return info;
    switch (info) {
      case 24:
        return this.bytes[this.need(1)]!;
      case 25:
        return this.bytes.readUInt16BE(this.need(2));
      case 26:
        return this.bytes.readUInt32BE(this.need(4));
      case 27:
        return Number(this.bytes.readBigUInt64BE(this.need(8)));
      case 31:
        return INDEFINITE;
      default:
        throw new CborError(`reserved additional information ${info}`);
    }
  }

  private value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new CborError('nests too deeply');
    const head = this.bytes[this.need(1)]!;
    const major = head >> 5;
    const info = head & 0x1f;
    if (major === 7) return this.simple(info);
    const argument = this.argument(info);
    if (argument === INDEFINITE && (major < 2 || major === 6)) throw new CborError('indefinite length of a number');
    switch (major) {
      case 0:
        return argument;
      case 1:
        return -1 - argument;
      case 2:
        return argument === INDEFINITE ? Buffer.concat(this.chunks(2)) : this.slice(argument);
      case 3:
        return this.text(argument);
      case 4:
        return this.array(argument, depth);
      case 5:
        return this.map(argument, depth);
      default:
        return this.tagged(argument, depth);
    }
  }

  private simple(info: number): unknown {
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      // `undefined` is equivalent to null.
      case 22:
      case 23:
        return null;
      case 25:
        return halfFloat(this.bytes.readUInt16BE(this.need(2)));
      case 26:
        return this.bytes.readFloatBE(this.need(4));
      case 27:
        return this.bytes.readDoubleBE(this.need(8));
      case 31:
        return BREAK;
      default:
        throw new CborError(`simple value ${info}`);
    }
  }

  private slice(length: number): Buffer {
    this.weight.add(BYTES_WEIGHT);
    const start = this.need(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Reads the chunks of a string of indefinite length. */
  private chunks(major: number): Buffer[] {
    const chunks: Buffer[] = [];
    for (;;) {
      const head = this.bytes[this.need(1)]!;
      if (head === 0xff) return chunks;
      const length = this.argument(head & 0x1f);
      if (head >> 5 !== major || length === INDEFINITE) throw new CborError('chunk of another type');
      chunks.push(this.slice(length));
    }
  }

  private text(length: number): string {
    const text = length === INDEFINITE ? utf8(Buffer.concat(this.chunks(3))) : this.wholeText(length);
    if (text === undefined) throw new CborError('text that is not UTF-8');
    return text;
  }

  /** Reads a text of definite length. */
  private wholeText(length: number): string | undefined {
    // The size of the body limits the memory of long texts.
    this.weight.add(TEXT_WEIGHT + Math.min(length, LONG_TEXT));
    const start = this.need(length);
    return utf8(this.bytes.subarray(start, start + length));
  }

  private array(length: number, depth: number): unknown[] {
    this.weight.add(OBJECT_WEIGHT);
    // Each element takes at least one byte, so a length cannot allocate more memory than the body.
    if (length > this.bytes.length - this.offset) throw new CborError('ends too early');
    const out: unknown[] = [];
    for (let index = 0; index !== length; index++) {
      const item = this.value(depth + 1);
      if (item === BREAK) {
        if (length === INDEFINITE) break;
        throw new CborError('break inside of a definite length');
      }
      out.push(item);
    }
    return out;
  }

  private map(length: number, depth: number): Record<string, unknown> {
    this.weight.add(OBJECT_WEIGHT);
    const out: Record<string, unknown> = {};
    for (let index = 0; index !== length; index++) {
      const key = this.value(depth + 1);
      if (key === BREAK && length === INDEFINITE) break;
      if (typeof key !== 'string') throw new CborError('key of a map that is not text');
      const value = this.value(depth + 1);
      if (value === BREAK) throw new CborError('key without a value');
      if (index > LARGE_MAP) this.weight.add(ENTRY_WEIGHT);
      setOwn(out, key, value);
    }
    return out;
  }

  private tagged(tag: number, depth: number): unknown {
    const value = this.value(depth + 1);
    if (value === BREAK) throw new CborError('tag without a value');
    switch (tag) {
      case TAG_EPOCH: {
        const date =
          typeof value === 'number' ? dateOfSeconds(this.times === 'seconds' ? value : value / 1000) : undefined;
        if (!date) throw new CborError('tag 1 without a time');
        return date;
      }
      case TAG_POSITIVE_BIGNUM:
      case TAG_NEGATIVE_BIGNUM: {
        if (!Buffer.isBuffer(value) || value.length > MAX_BIGNUM) throw new CborError('not a bignum');
        const magnitude = value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`);
        return Number(tag === TAG_POSITIVE_BIGNUM ? magnitude : -1n - magnitude);
      }
      case TAG_DECIMAL: {
        const [exponent, mantissa] = Array.isArray(value) ? (value as unknown[]) : [];
        if (typeof exponent !== 'number' || typeof mantissa !== 'number') throw new CborError('not a decimal fraction');
        return Number(`${mantissa}e${exponent}`);
      }
      default:
        return value;
    }
  }
}

/**
 * Parses CBOR (RFC 8949) as used by Smithy's rpcv2Cbor: maps with text keys as objects, byte strings as `Buffer`s over
 * the same memory, tag 1 as `Date`, `undefined` as null, numbers of every width as numbers. Other tags are ignored.
 * Nesting, lengths and the memory of values are limited.
 * @param times unit of tag 1
 * @throws CborError for malformed bytes
 * @throws AwsError for too many values
 */
export function readCbor(bytes: Uint8Array, times: TimeUnit = 'seconds'): unknown {
  return new Reader(bytes, times).whole();
}
