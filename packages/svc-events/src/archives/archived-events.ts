import {
  type Clock,
  type Collection,
  type DeepReadonly,
  DueTimers,
  type Ids,
  numericKey,
  type Worker,
} from '@emu/core/service';
import type { ArchivedEventRecord } from '../records.ts';

const DAY = 86_400_000;

/** Returns the bytes of an event. */
const sizeOf = ({ event, bytes }: DeepReadonly<ArchivedEventRecord>): number => bytes ?? Buffer.byteLength(event);

/** Events of one archive. */
interface ArchivedEventList {
  /** Keys in order of arrival. Those before `first` have expired. */
  keys: string[];
  first: number;
  bytes: number;
}

/** Contents of archives. Counts events and bytes without reading them, and removes expired events. */
export class ArchivedEvents implements Worker {
  private readonly lists = new Map<string, ArchivedEventList>();
  /** Timers for the expiry of the oldest event of each archive. */
  private readonly expiries: DueTimers;

  /** @param retentionOf retention of an archive in days; 0 means forever, undefined for a deleted archive */
  constructor(
    private readonly records: Collection<ArchivedEventRecord>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly retentionOf: (archive: string) => number | undefined,
  ) {
    this.expiries = new DueTimers(clock);
    for (const [key, record] of records.entries()) this.file(key, record);
  }

  resume(): void {
    for (const archive of this.lists.keys()) this.schedule(archive);
  }

  /** Adds an event, which may be encrypted. */
  add(archive: string, event: Pick<ArchivedEventRecord, 'event' | 'dataKey' | 'bytes'>): void {
    const at = this.clock.now();
    const key = `${archive} ${numericKey(at)} ${this.ids.hex(8)}`;
    this.file(key, this.records.put(key, { archive, ...event, at }));
    this.schedule(archive);
  }

  /** Returns the number of events and bytes in an archive. */
  sizeOf(archive: string): { count: number; bytes: number } {
    const list = this.lists.get(archive);
    return list ? { count: list.keys.length - list.first, bytes: list.bytes } : { count: 0, bytes: 0 };
  }

  /**
   * Iterates over the events of an archive, in order of arrival. Events added during the iteration are excluded.
   */
  *of(archive: string): Generator<DeepReadonly<ArchivedEventRecord>> {
    const list = this.lists.get(archive);
    for (const key of list?.keys.slice(list.first) ?? []) {
      const record = this.records.get(key);
      if (record) yield record;
    }
  }

  /** Applies a changed retention: removes expired events and resets the timer. */
  retentionChanged(archive: string): void {
    this.expiries.cancel(archive);
    this.expire(archive);
  }

  /** Removes all events of an archive. */
  remove(archive: string): void {
    const list = this.lists.get(archive);
    this.expiries.cancel(archive);
    for (const key of list?.keys.slice(list.first) ?? []) this.records.delete(key);
    this.lists.delete(archive);
  }

  private file(key: string, record: DeepReadonly<ArchivedEventRecord>): void {
    const { archive } = record;
    let list = this.lists.get(archive);
    if (!list) {
      list = { keys: [], first: 0, bytes: 0 };
      this.lists.set(archive, list);
    }
    list.keys.push(key);
    list.bytes += sizeOf(record);
  }

  private expire(archive: string): void {
    const list = this.lists.get(archive);
    if (!list) return;
    const days = this.retentionOf(archive);
    while (days && list.first < list.keys.length) {
      const key = list.keys[list.first]!;
      const record = this.records.get(key)!;
      if (record.at + days * DAY > this.clock.now()) break;
      this.records.delete(key);
      list.first++;
      list.bytes -= sizeOf(record);
    }
    // Expired keys are removed from the list only when they are the majority, so that removing one stays cheap.
    if (list.first * 2 > list.keys.length) {
      list.keys.splice(0, list.first);
      list.first = 0;
    }
    this.schedule(archive);
  }

  private schedule(archive: string): void {
    const list = this.lists.get(archive)!;
    const oldest = list.keys[list.first];
    const days = this.retentionOf(archive);
    if (this.expiries.has(archive) || oldest === undefined || !days) return;
    this.expiries.set(archive, this.records.get(oldest)!.at + days * DAY, () => this.expire(archive));
  }
}
