import { arrivalOf, type StoredRecord, sizeOf, writeContent } from './packed-record.ts';

/** A record with its index, which orders the records of a stream. */
export interface IndexedRecord extends StoredRecord {
  readonly index: number;
}

/** Bytes before a record's partition key: its length, index, time and the length of the partition key. */
const HEAD = 20;
const INDEX_AT = 4;
const TIME_AT = 12;
const KEY_LENGTH_AT = 18;
const TIME_BYTES = 6;

/** Bytes that a packed record takes in a segment. */
export const frameSize = (packed: string): number => HEAD + sizeOf(packed);

/** What is known of a segment without reading it. */
export interface SegmentFacts {
  /** Indexes of its first and last record. */
  readonly first: number;
  readonly last: number;
  /** When its oldest and its newest record came, epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Puts packed records, in order of their indexes, into the bytes of one segment. */
export function writeSegment(records: readonly (readonly [index: number, packed: string])[]): {
  bytes: Buffer;
  facts: SegmentFacts;
} {
  const bytes = Buffer.allocUnsafeSlow(records.reduce((sum, [, packed]) => sum + frameSize(packed), 0));
  let offset = 0;
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const [index, packed] of records) {
    const at = arrivalOf(packed);
    const keyLength = writeContent(packed, bytes, offset + HEAD);
    const length = frameSize(packed);
    bytes.writeUInt32BE(length, offset);
    bytes.writeDoubleBE(index, offset + INDEX_AT);
    bytes.writeUIntBE(at, offset + TIME_AT, TIME_BYTES);
    bytes.writeUInt16BE(keyLength, offset + KEY_LENGTH_AT);
    offset += length;
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  return { bytes, facts: { first: records[0]![0], last: records.at(-1)![0], from, to } };
}

/** A segment that has been read. */
export class LoadedSegment {
  private readonly offsets: number[] = [];

  constructor(private readonly bytes: Buffer) {
    for (let offset = 0; offset < bytes.length; offset += bytes.readUInt32BE(offset)) this.offsets.push(offset);
  }

  get count(): number {
    return this.offsets.length;
  }

  /** Place of the first record whose index is at least this one. */
  placeOf(index: number): number {
    return lowerBound(this.offsets, index, 0, (offset) => this.bytes.readDoubleBE(offset + INDEX_AT));
  }

  /** When the record of a place came. */
  arrival(place: number): number {
    return this.bytes.readUIntBE(this.offsets[place]! + TIME_AT, TIME_BYTES);
  }

  /** Bytes of a record that count towards limits: its data and partition key. */
  size(place: number): number {
    return this.bytes.readUInt32BE(this.offsets[place]!) - HEAD;
  }

  index(place: number): number {
    return this.bytes.readDoubleBE(this.offsets[place]! + INDEX_AT);
  }

  record(place: number): IndexedRecord {
    const { bytes } = this;
    const offset = this.offsets[place]!;
    const key = offset + HEAD;
    const data = key + bytes.readUInt16BE(offset + KEY_LENGTH_AT);
    return {
      index: this.index(place),
      at: this.arrival(place),
      partitionKey: bytes.toString('utf8', key, data),
      data: bytes.subarray(data, offset + bytes.readUInt32BE(offset)),
    };
  }
}

/** Place of the first of some values in order that is at least a limit. @param start of the search */
export function lowerBound<T>(values: readonly T[], limit: number, start: number, of: (value: T) => number): number {
  let low = start;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(values[middle]!) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
