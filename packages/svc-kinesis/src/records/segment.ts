import { arrivalOf, type StoredRecord, sizeOf, writeContent } from './packed-record.ts';

/** A record with its index, which orders a stream's records. */
export interface IndexedRecord extends StoredRecord {
  readonly index: number;
}

/** Header bytes of a record: length, index, time and partition key length. */
const HEAD = 20;
const INDEX_AT = 4;
const TIME_AT = 12;
const KEY_LENGTH_AT = 18;
const TIME_BYTES = 6;

/** Returns the size of a packed record in a segment. */
export const frameSize = (packed: string): number => HEAD + sizeOf(packed);

/** Metadata of a segment. */
export interface SegmentFacts {
  /** Indexes of its first and last record. */
  readonly first: number;
  readonly last: number;
  /** Arrival of its oldest and newest record in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Serializes packed records, in order of index, into a segment. */
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

/** A loaded segment. */
export class LoadedSegment {
  private readonly offsets: number[] = [];

  constructor(private readonly bytes: Buffer) {
    for (let offset = 0; offset < bytes.length; offset += bytes.readUInt32BE(offset)) this.offsets.push(offset);
  }

  get count(): number {
    return this.offsets.length;
  }

  /** Returns the position of the first record with at least this index. */
  placeOf(index: number): number {
    return lowerBound(this.offsets, index, 0, (offset) => this.bytes.readDoubleBE(offset + INDEX_AT));
  }

  /** Returns the arrival of the record at a position. */
  arrival(place: number): number {
    return this.bytes.readUIntBE(this.offsets[place]! + TIME_AT, TIME_BYTES);
  }

  /** Returns the size of a record for limits: data and partition key. */
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

/**
 * Returns the position of the first sorted value that is at least a limit.
 * @param start start of the search
 */
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
