import type { BodyStore, Collection, DeepReadonly, Logger, Worker } from '@emu/core/service';
import { arrivalOf, pack, sizeOf, unpack } from './packed-record.ts';
import { frameSize, type IndexedRecord, lowerBound, writeSegment } from './segment.ts';
import { type SegmentRecord, Segments } from './segments.ts';

/** A page of a shard. */
export interface RecordPage {
  readonly records: IndexedRecord[];
  /** Index of the next page. */
  readonly next: number;
  /** Whether the shard currently has no more records. */
  readonly last: boolean;
}

/** Newest records of a shard: sorted indexes, of which those before `first` are removed. */
interface Tail {
  readonly stream: number;
  readonly shard: number;
  /** Key prefix of its records. */
  readonly prefix: string;
  indexes: number[];
  /** Key suffixes in the same order: converting numbers to base 36 costs more than storing the text. */
  keys: string[];
  first: number;
  /** Size in a segment in bytes. */
  bytes: number;
  sealing: boolean;
}

/** Segment size in bytes; a single record may exceed it. */
const SEGMENT = 512 * 1024;
/** Number of removed indexes at which a list is shortened. */
const SLACK = 4096;
const DIGITS = 36;

const prefixOf = (stream: number, shard: number): string => `${stream.toString(DIGITS)}/${shard.toString(DIGITS)}/`;
/** Returns the unique number of a shard. */
const numberOf = (stream: number, shard: number): number => stream * 2 ** 31 + shard;
const self = (index: number): number => index;

/** Storage of records of an account and region. */
export interface RecordPlace {
  /** Newest records, packed. */
  readonly tails: Collection<string>;
  readonly segments: Collection<SegmentRecord>;
  readonly bodies: BodyStore;
  readonly log: Logger;
}

/**
 * Records of all streams of one account and region. The newest of a shard are records of the state, so that each is
 * durable once acknowledged; every half mebibyte is moved to a segment, which is a body and uses no memory in
 * persistent mode.
 */
export class RecordLog implements Worker {
  private readonly tails = new Map<number, Tail>();
  private readonly stored: Collection<string>;
  private readonly segments: Segments;
  private lastIndex = 0;
  private closed = false;

  constructor(private readonly place: RecordPlace) {
    this.stored = place.tails;
    this.segments = new Segments(place.segments, place.bodies);
    for (const { last } of place.segments.values()) this.raise(last);
    for (const [key, packed] of [...this.stored.entries()]) {
      const [stream, shard, index] = key.split('/').map((part) => Number.parseInt(part, DIGITS)) as [
        number,
        number,
        number,
      ];
      this.raise(index);
      const sealed = this.segments.last(stream, shard)?.last ?? 0;
      // The process may have ended between writing a segment and removing its records.
      if (index <= sealed) this.stored.delete(key);
      else {
        const tail = this.tailOf(stream, shard);
        tail.indexes.push(index);
        tail.bytes += frameSize(packed as string);
      }
    }
    for (const tail of this.tails.values()) {
      tail.indexes.sort((a, b) => a - b);
      tail.keys = tail.indexes.map((index) => tail.prefix + index.toString(DIGITS));
    }
  }

  close(): void {
    this.closed = true;
  }

  /** Prevents indexes up to this one from being assigned again. */
  raise(index: number): void {
    if (index > this.lastIndex) this.lastIndex = index;
  }

  /** Unused index that precedes all future records. */
  get upcoming(): number {
    return this.lastIndex + 1;
  }

  /**
   * Appends a record to a shard.
   * @param at epoch milliseconds; indexes increase with it, even across restarts
   * @returns its index
   */
  append(stream: number, shard: number, at: number, partitionKey: string, data: Uint8Array): number {
    const index = Math.max(this.lastIndex + 1, Math.floor(at) * 1000);
    this.lastIndex = index;
    const packed = pack(at, partitionKey, data);
    const tail = this.tailOf(stream, shard);
    const key = tail.prefix + index.toString(DIGITS);
    this.stored.put(key, packed);
    tail.indexes.push(index);
    tail.keys.push(key);
    tail.bytes += frameSize(packed);
    if (tail.bytes >= SEGMENT && !tail.sealing) void this.seal(tail);
    return index;
  }

  /**
   * Reads records of a shard from an index.
   * @param since epoch milliseconds; older records are omitted
   * @returns synchronously, unless segments must be read
   */
  read(
    stream: number,
    shard: number,
    from: number,
    since: number,
    limits: PageLimits,
  ): RecordPage | Promise<RecordPage> {
    const page = new PageBuilder(from, since, limits);
    const segment = this.segments.holding(stream, shard, from);
    return segment ? this.readSegments(segment, page) : this.readTail(stream, shard, page);
  }

  private async readSegments(first: SegmentRecord, page: PageBuilder): Promise<RecordPage> {
    const { stream, shard } = first;
    let segment: DeepReadonly<SegmentRecord> | undefined = first;
    while (segment) {
      const loaded = segment.to < page.since ? undefined : await this.segments.load(segment);
      if (loaded)
        for (let place = loaded.placeOf(page.next); place < loaded.count; place++) {
          const isNew = loaded.arrival(place) >= page.since;
          if (isNew && page.isFull(loaded.size(place))) return page.end(false);
          page.add(loaded.index(place), isNew ? loaded.record(place) : undefined);
        }
      page.next = Math.max(page.next, segment.last + 1);
      segment = this.segments.holding(stream, shard, page.next);
    }
    return this.readTail(stream, shard, page);
  }

  private readTail(stream: number, shard: number, page: PageBuilder): RecordPage {
    const { indexes, keys, first } = this.tails.get(numberOf(stream, shard)) ?? EMPTY;
    for (let at = lowerBound(indexes, page.next, first, self); at < indexes.length; at++) {
      const index = indexes[at]!;
      const packed = this.stored.get(keys[at]!)!;
      const isNew = arrivalOf(packed) >= page.since;
      if (isNew && page.isFull(sizeOf(packed))) return page.end(false);
      page.add(index, isNew ? { ...unpack(packed), index } : undefined);
    }
    return page.end(true);
  }

  /** Returns the index of a shard's first record at or after a time; the next index if there is none. */
  async indexAt(stream: number, shard: number, time: number): Promise<number> {
    const segment = this.segments.since(stream, shard, time);
    const loaded = segment && (await this.segments.load(segment));
    for (let place = 0; place < (loaded?.count ?? 0); place++)
      if (loaded!.arrival(place) >= time) return loaded!.index(place);
    const { indexes, keys, first } = this.tails.get(numberOf(stream, shard)) ?? EMPTY;
    for (let at = first; at < indexes.length; at++)
      if (arrivalOf(this.stored.get(keys[at]!)!) >= time) return indexes[at]!;
    return this.upcoming;
  }

  /** Removes records of a shard before a time; a segment is removed when all of its records have expired. */
  trim(stream: number, shard: number, before: number): void {
    this.segments.trim(stream, shard, before);
    const tail = this.tails.get(numberOf(stream, shard));
    if (!tail) return;
    let count = 0;
    for (const key of tail.keys.slice(tail.first)) {
      if (arrivalOf(this.stored.get(key)!) >= before) break;
      count++;
    }
    this.shorten(tail, count);
  }

  /** Returns the index of a shard's last record; undefined if it has none. */
  last(stream: number, shard: number): number | undefined {
    return this.tails.get(numberOf(stream, shard))?.indexes.at(-1) ?? this.segments.last(stream, shard)?.last;
  }

  /** Removes all records of a shard. */
  drop(stream: number, shard: number): void {
    this.trim(stream, shard, Number.POSITIVE_INFINITY);
  }

  /** Moves records of a tail to segments while there are enough. */
  private async seal(tail: Tail): Promise<void> {
    const { stream, shard } = tail;
    tail.sealing = true;
    try {
      while (tail.bytes >= SEGMENT && !this.closed) await this.sealOnce(tail);
    } catch (error) {
      // They stay in place; the next record retries.
      this.place.log.warn(`records of a Kinesis stream could not be put into a segment`, { error, stream, shard });
    } finally {
      tail.sealing = false;
    }
  }

  private async sealOnce(tail: Tail): Promise<void> {
    const { stream, shard } = tail;
    const { bodies } = this.place;
    const records: [number, string][] = [];
    let size = 0;
    for (let at = tail.first; at < tail.indexes.length && size < SEGMENT; at++) {
      const index = tail.indexes[at]!;
      const packed = this.stored.get(tail.keys[at]!)!;
      records.push([index, packed as string]);
      size += frameSize(packed);
    }
    const { bytes, facts } = writeSegment(records);
    const { id: body } = await bodies.write(bytes);
    // Records may have expired meanwhile, or been deleted with their stream.
    const isCurrent = this.tails.get(numberOf(stream, shard)) === tail && tail.indexes[tail.first] === facts.first;
    if (this.closed || !isCurrent) return bodies.release(body);
    this.segments.add({ stream, shard, ...facts, body });
    this.shorten(tail, records.length);
  }

  /** Removes the first records of a tail. */
  private shorten(tail: Tail, count: number): void {
    const { stream, shard } = tail;
    for (const end = tail.first + count; tail.first < end; tail.first++) {
      const key = tail.keys[tail.first]!;
      tail.bytes -= frameSize(this.stored.get(key)!);
      this.stored.delete(key);
    }
    if (tail.first === tail.indexes.length) this.tails.delete(numberOf(stream, shard));
    else if (tail.first > SLACK && tail.first > tail.indexes.length / 2) {
      tail.indexes = tail.indexes.slice(tail.first);
      tail.keys = tail.keys.slice(tail.first);
      tail.first = 0;
    }
  }

  private tailOf(stream: number, shard: number): Tail {
    const number = numberOf(stream, shard);
    let tail = this.tails.get(number);
    if (!tail) {
      tail = {
        stream,
        shard,
        prefix: prefixOf(stream, shard),
        indexes: [],
        keys: [],
        first: 0,
        bytes: 0,
        sealing: false,
      };
      this.tails.set(number, tail);
    }
    return tail;
  }
}

const EMPTY = { indexes: [] as number[], keys: [] as string[], first: 0 };

/** Maximum number and bytes of records per page; the first record may exceed the latter. */
interface PageLimits {
  readonly records: number;
  readonly bytes: number;
}

/** A page being read. */
class PageBuilder {
  private readonly records: IndexedRecord[] = [];
  private bytes = 0;

  /**
   * @param next start index, and later the index to continue at
   * @param since epoch milliseconds; older records are omitted
   */
  constructor(
    public next: number,
    readonly since: number,
    private readonly limits: PageLimits,
  ) {}

  /** Whether a record of a size must go to the next page. */
  isFull(size: number): boolean {
    const { records, limits } = this;
    this.bytes += size;
    return records.length === limits.records || (records.length > 0 && this.bytes > limits.bytes);
  }

  /**
   * Advances beyond an index.
   * @param record record at the index; undefined if expired
   */
  add(index: number, record: IndexedRecord | undefined): void {
    if (record) this.records.push(record);
    this.next = index + 1;
  }

  end(last: boolean): RecordPage {
    return { records: this.records, next: this.next, last };
  }
}
