import { type Collection, defineCollection, type StateScope } from '@emu/core/service';
import type { KeySchemaElement, StreamViewType } from '@emu/service-types/dynamodb';
import { decodeItem, encodeItem } from '../attributes/codec.ts';
import { keyOf } from '../attributes/keys.ts';
import { equalItems, type Item, itemSize } from '../attributes/values.ts';
import type { ItemChange, Table } from '../tables/table.ts';

/** Retention of stream records, and of disabled streams, in milliseconds. */
const RETENTION = 24 * 60 * 60 * 1000;

/** A stream of a table's changes; its only shard stays open until the stream is disabled. */
export interface StreamInfo {
  arn: string;
  label: string;
  tableName: string;
  keySchema: KeySchemaElement[];
  viewType: StreamViewType;
  shardId: string;
  /** Sequence number before all records. */
  startingSequence: string;
  /** Epoch milliseconds. */
  createdAt: number;
  disabledAt?: number;
  /** Sequence number of the last record, once the stream is disabled. */
  endingSequence?: string;
}

/** A change as shown in a stream. */
export interface ChangeRecord {
  id: string;
  name: 'INSERT' | 'MODIFY' | 'REMOVE';
  sequence: string;
  /** Epoch milliseconds. */
  at: number;
  keys: Item;
  newImage?: Item;
  oldImage?: Item;
  bytes: number;
  /** True if time to live removed the item. */
  expired?: true;
  /** Id of the request that made the change, passed on to consumers of the record. */
  cause?: string;
}

export const streams = defineCollection<StreamInfo>('streams', 'region');
export const streamRecords = defineCollection<ChangeRecord>('stream-records', 'region', {
  content: ['keys', 'newImage', 'oldImage'],
  encode: (record) => ({
    ...record,
    keys: encodeItem(record.keys),
    newImage: record.newImage && encodeItem(record.newImage),
    oldImage: record.oldImage && encodeItem(record.oldImage),
  }),
  decode: (json) => {
    const record = json as ChangeRecord;
    return {
      ...record,
      keys: decodeItem(record.keys),
      ...(record.newImage && { newImage: decodeItem(record.newImage) }),
      ...(record.oldImage && { oldImage: decodeItem(record.oldImage) }),
    };
  },
});

/** An open stream with its records in order. */
interface OpenStream {
  arn: string;
  records: ChangeRecord[];
}

/** The streams of one account and region. */
export class StreamLog {
  private readonly infos: Collection<StreamInfo>;
  private readonly stored: Collection<ChangeRecord>;
  private readonly open = new Map<string, OpenStream>();
  private lastSequence = 0n;

  constructor(private readonly scope: StateScope) {
    this.infos = scope.collection(streams);
    this.stored = scope.collection(streamRecords);
    for (const arn of this.infos.keys()) this.open.set(arn, { arn, records: [] });
    for (const [key, record] of this.stored.entries())
      this.open.get(streamOfKey(key))?.records.push(record as ChangeRecord);
    for (const stream of this.open.values()) {
      stream.records.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
      const last = stream.records.at(-1)?.sequence ?? this.infos.get(stream.arn)!.startingSequence;
      if (BigInt(last) > this.lastSequence) this.lastSequence = BigInt(last);
    }
  }

  /** Returns all streams, oldest first. */
  list(): StreamInfo[] {
    this.trim();
    return [...this.infos.values()] as StreamInfo[];
  }

  /** Returns a stream by ARN; undefined if missing or disabled for more than a day. */
  info(arn: string): StreamInfo | undefined {
    this.trim();
    return this.infos.get(arn) as StreamInfo | undefined;
  }

  /** Starts a stream for a table. */
  start(table: Table, arn: string, label: string, viewType: StreamViewType): void {
    const now = this.scope.clock.now();
    const suffix = this.scope.ids.hex(8);
    this.infos.put(arn, {
      arn,
      label,
      tableName: table.name,
      keySchema: [...table.record.keySchema],
      viewType,
      shardId: `shardId-${String(now).padStart(20, '0')}-${suffix}`,
      startingSequence: this.nextSequence(),
      createdAt: now,
    });
    this.open.set(arn, { arn, records: [] });
  }

  /** Disables a stream: its shard closes, its records remain for a day. */
  disable(arn: string): void {
    const stream = this.open.get(arn);
    if (!stream) return;
    this.infos.update(arn, (draft) => {
      draft.disabledAt = this.scope.clock.now();
      draft.endingSequence = stream.records.at(-1)?.sequence ?? draft.startingSequence;
    });
  }

  /** Adds a change of an item to a stream. */
  append(arn: string, change: ItemChange): void {
    const stream = this.open.get(arn);
    const info = this.infos.get(arn);
    if (!stream || !info) return;
    const { before, after } = change;
    if (before && after && equalItems(before, after)) return;
    const keys = keyOf((after ?? before)!, change.table.primary.schema);
    const shows = (image: 'NEW' | 'OLD'): boolean =>
      info.viewType === 'NEW_AND_OLD_IMAGES' || info.viewType === `${image}_IMAGE`;
    const newImage = shows('NEW') ? after : undefined;
    const oldImage = shows('OLD') ? before : undefined;
    const record: ChangeRecord = {
      id: this.scope.ids.hex(32),
      name: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
      sequence: this.nextSequence(),
      at: this.scope.clock.now(),
      keys,
      ...(newImage && { newImage }),
      ...(oldImage && { oldImage }),
      bytes: itemSize(keys) + (newImage ? itemSize(newImage) : 0) + (oldImage ? itemSize(oldImage) : 0),
      ...(change.expired && { expired: true }),
      ...(change.cause !== undefined && { cause: change.cause }),
    };
    stream.records.push(record);
    this.stored.put(keyOfRecord(arn, record.sequence), record);
  }

  /** Returns records of a stream from a sequence number, inclusive. */
  recordsFrom(arn: string, sequence: string, limit: number): ChangeRecord[] {
    this.trim();
    const records = this.open.get(arn)?.records ?? [];
    const start = lowerBound(records, sequence);
    return records.slice(start, start + limit);
  }

  /** Returns the sequence number of the oldest available record of a stream; of the next one if it is empty. */
  horizon(arn: string): string {
    this.trim();
    return this.open.get(arn)?.records[0]?.sequence ?? this.upcoming();
  }

  /** Returns a sequence number greater than those of all existing records. */
  upcoming(): string {
    return String(this.lastSequence + 1n);
  }

  /** Removes records and streams older than a day. */
  private trim(): void {
    const limit = this.scope.clock.now() - RETENTION;
    for (const stream of this.open.values()) {
      let old = 0;
      while (old < stream.records.length && stream.records[old]!.at < limit) old++;
      for (const record of stream.records.splice(0, old)) this.stored.delete(keyOfRecord(stream.arn, record.sequence));
      const disabledAt = this.infos.get(stream.arn)!.disabledAt;
      if (disabledAt !== undefined && disabledAt < limit) {
        this.open.delete(stream.arn);
        this.infos.delete(stream.arn);
      }
    }
  }

  /** Returns the next sequence number; numbers increase with time, also across restarts. */
  private nextSequence(): string {
    const byTime = BigInt(Math.max(0, Math.floor(this.scope.clock.now()))) * 10_000_000n + 100_000_000_000_000_000_000n;
    this.lastSequence = byTime > this.lastSequence ? byTime : this.lastSequence + 1n;
    return String(this.lastSequence);
  }
}

const keyOfRecord = (arn: string, sequence: string): string => `${arn}|${sequence}`;
const streamOfKey = (key: string): string => key.slice(0, key.lastIndexOf('|'));

/** Returns the index of the first record with at least this sequence number; all have the same number of digits. */
function lowerBound(records: readonly ChangeRecord[], sequence: string): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.sequence < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
