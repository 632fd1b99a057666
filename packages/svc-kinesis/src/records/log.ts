import type { Collection } from '@emu/core';
import { arrivalOf, pack, type StoredRecord, sizeOf, unpack } from './packed-record.ts';

/** A record with its index, which orders the records of a stream. */
export interface IndexedRecord extends StoredRecord {
  readonly index: number;
}

/** A page of a shard. */
export interface RecordPage {
  readonly records: IndexedRecord[];
  /** Index at which the next page begins. */
  readonly next: number;
  /** Whether the shard has no more records now. */
  readonly last: boolean;
}

/** Indexes of a shard's records in order; those before `first` are gone. */
interface ShardIndexes {
  indexes: number[];
  first: number;
}

/** Expired indexes that are kept before a list is shortened. */
const SLACK = 4096;
const DIGITS = 36;

const prefixOf = (stream: number, shard: number): string => `${stream.toString(DIGITS)}/${shard.toString(DIGITS)}/`;

/** The records of all streams of one account and region. */
export class RecordLog {
  private readonly shards = new Map<string, ShardIndexes>();
  private lastIndex = 0;

  constructor(private readonly stored: Collection<string>) {
    for (const key of stored.keys()) {
      const end = key.lastIndexOf('/') + 1;
      const index = Number.parseInt(key.slice(end), DIGITS);
      this.shardOf(key.slice(0, end)).indexes.push(index);
      if (index > this.lastIndex) this.lastIndex = index;
    }
    for (const { indexes } of this.shards.values()) indexes.sort((a, b) => a - b);
  }

  /** Has no index up to this one given again. */
  raise(index: number): void {
    if (index > this.lastIndex) this.lastIndex = index;
  }

  /** Index that no record has yet and that every later record follows. */
  get upcoming(): number {
    return this.lastIndex + 1;
  }

  /**
   * Adds a record to a shard.
   * @param at epoch milliseconds; indexes grow with it, so that they go on growing after a restart
   * @returns its index
   */
  append(stream: number, shard: number, at: number, partitionKey: string, data: Uint8Array): number {
    const index = Math.max(this.lastIndex + 1, Math.floor(at) * 1000);
    this.lastIndex = index;
    const prefix = prefixOf(stream, shard);
    // Flat, as the record itself: the parts would stay in memory beside the whole.
    const key = Buffer.from(prefix + index.toString(DIGITS), 'latin1').toString('latin1');
    this.stored.put(key, pack(at, partitionKey, data));
    this.shardOf(prefix).indexes.push(index);
    return index;
  }

  /**
   * Records of a shard from an index on.
   * @param since epoch milliseconds; older records are left out
   * @param limits most records, and most bytes of them, of which the first may have more
   */
  read(
    stream: number,
    shard: number,
    from: number,
    since: number,
    limits: { readonly records: number; readonly bytes: number },
  ): RecordPage {
    const prefix = prefixOf(stream, shard);
    const { indexes, first } = this.shards.get(prefix) ?? EMPTY;
    const records: IndexedRecord[] = [];
    let bytes = 0;
    let next = from;
    for (let at = lowerBound(indexes, from, first); at < indexes.length; at++) {
      const index = indexes[at]!;
      const packed = this.stored.get(prefix + index.toString(DIGITS))!;
      if (arrivalOf(packed) >= since) {
        bytes += sizeOf(packed);
        if (records.length === limits.records || (records.length > 0 && bytes > limits.bytes))
          return { records, next, last: false };
        records.push({ ...unpack(packed), index });
      }
      next = index + 1;
    }
    return { records, next, last: true };
  }

  /** Index of the first record of a shard that came at a point in time or later; of the next one where there is none. */
  indexAt(stream: number, shard: number, time: number): number {
    const prefix = prefixOf(stream, shard);
    const { indexes, first } = this.shards.get(prefix) ?? EMPTY;
    for (let at = first; at < indexes.length; at++)
      if (arrivalOf(this.stored.get(prefix + indexes[at]!.toString(DIGITS))!) >= time) return indexes[at]!;
    return this.upcoming;
  }

  /** Drops the records of a shard that came before a point in time. */
  trim(stream: number, shard: number, before: number): void {
    const prefix = prefixOf(stream, shard);
    const log = this.shards.get(prefix);
    if (!log) return;
    while (log.first < log.indexes.length) {
      const key = prefix + log.indexes[log.first]!.toString(DIGITS);
      if (arrivalOf(this.stored.get(key)!) >= before) break;
      this.stored.delete(key);
      log.first++;
    }
    if (log.first === log.indexes.length) this.shards.delete(prefix);
    else if (log.first > SLACK && log.first > log.indexes.length / 2) {
      log.indexes = log.indexes.slice(log.first);
      log.first = 0;
    }
  }

  /** Index of the last record of a shard; undefined where it has none. */
  last(stream: number, shard: number): number | undefined {
    return this.shards.get(prefixOf(stream, shard))?.indexes.at(-1);
  }

  /** Drops every record of a shard. */
  drop(stream: number, shard: number): void {
    this.trim(stream, shard, Number.POSITIVE_INFINITY);
  }

  private shardOf(prefix: string): ShardIndexes {
    let shard = this.shards.get(prefix);
    if (!shard) {
      shard = { indexes: [], first: 0 };
      this.shards.set(prefix, shard);
    }
    return shard;
  }
}

const EMPTY: ShardIndexes = { indexes: [], first: 0 };

/** Place of the first index that is at least this one. */
function lowerBound(indexes: readonly number[], index: number, first: number): number {
  let low = first;
  let high = indexes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (indexes[middle]! < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
