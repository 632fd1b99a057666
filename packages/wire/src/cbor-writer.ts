/** Largest buffer that is reused for the next body. */
const KEEP = 256 * 1024;

/** Unit of times since the epoch. */
export type TimeUnit = 'seconds' | 'milliseconds';

/** Writes CBOR (RFC 8949) into memory that is reused for each body. */
export class CborWriter {
  private bytes: Buffer = Buffer.allocUnsafe(4096);
  private length = 0;

  constructor(private readonly times: TimeUnit = 'seconds') {}

  /** Starts a new body. */
  reset(): void {
    this.length = 0;
    if (this.bytes.length > KEEP) this.bytes = Buffer.allocUnsafe(4096);
  }

  /** Returns a copy of the written bytes. */
  take(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  /** Reserves `size` bytes and returns their position. */
  private room(size: number): number {
    const start = this.length;
    this.length += size;
    if (this.length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.length, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, start);
      this.bytes = larger;
    }
    return start;
  }

  private byte(value: number): void {
    const start = this.room(1);
    this.bytes[start] = value;
  }

  /** Writes the head of a data item: major type and a non-negative length or number. */
  private head(major: number, argument: number): void {
    const type = major << 5;
    if (argument < 24) this.byte(type | argument);
    else if (argument < 0x100) {
      const start = this.room(2);
      this.bytes[start] = type | 24;
      this.bytes[start + 1] = argument;
    } else if (argument < 0x10000) {
      const start = this.room(3);
      this.bytes[start] = type | 25;
      this.bytes.writeUInt16BE(argument, start + 1);
    } else if (argument < 0x100000000) {
      const start = this.room(5);
      this.bytes[start] = type | 26;
      this.bytes.writeUInt32BE(argument, start + 1);
    } else {
      const start = this.room(9);
      this.bytes[start] = type | 27;
      this.bytes.writeBigUInt64BE(BigInt(argument), start + 1);
    }
  }

  /** Writes an integer. */
  integer(value: number): void {
    if (value < 0) this.head(1, -1 - value);
    else this.head(0, value);
  }

  /** Writes a floating point number, in single precision if exact. */
  float(value: number): void {
    if (Number.isNaN(value) || Math.fround(value) === value) {
      const start = this.room(5);
      this.bytes[start] = 0xfa;
      this.bytes.writeFloatBE(value, start + 1);
    } else {
      const start = this.room(9);
      this.bytes[start] = 0xfb;
      this.bytes.writeDoubleBE(value, start + 1);
    }
  }

  boolean(value: boolean): void {
    this.byte(value ? 0xf5 : 0xf4);
  }

  null(): void {
    this.byte(0xf6);
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.head(3, size);
    const start = this.room(size);
    this.bytes.write(value, start, size, 'utf8');
  }

  blob(value: Uint8Array): void {
    this.head(2, value.length);
    const start = this.room(value.length);
    this.bytes.set(value, start);
  }

  /** Writes a tagged time. */
  timestamp(value: Date): void {
    const time = this.times === 'seconds' ? value.getTime() / 1000 : value.getTime();
    this.head(6, 1);
    if (Number.isInteger(time)) this.integer(time);
    else this.float(time);
  }

  /** Begins an array, whose elements follow. */
  array(length: number): void {
    this.head(4, length);
  }

  /** Begins a map, whose entries follow until `end`. */
  map(): void {
    this.byte(0xbf);
  }

  /** Ends a map. */
  end(): void {
    this.byte(0xff);
  }
}
