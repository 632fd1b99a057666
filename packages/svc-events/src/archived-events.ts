import { type Clock, type Collection, DueTimers, type Ids, numericKey, type Worker } from '@emu/core/service';
import { type BusEvent, eventJson } from './event.ts';
import type { ArchivedEventRecord } from './records.ts';

const DAY = 86_400_000;

/** Events of one archive. */
interface Shelf {
  /** Keys in order of arrival. Those before `first` have expired. */
  keys: string[];
  first: number;
  bytes: number;
}

/** Contents of archives. Counts events and bytes without reading them, and removes expired events. */
export class ArchivedEvents implements Worker {
  private readonly shelves = new Map<string, Shelf>();
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
    for (const [key, { archive, event }] of records.entries()) this.file(archive, key, event);
  }

  resume(): void {
    for (const archive of this.shelves.keys()) this.schedule(archive);
  }

  /** Adds an event. */
  add(archive: string, event: BusEvent): void {
    const at = this.clock.now();
    const key = `${archive} ${numericKey(at)} ${this.ids.hex(8)}`;
    const { event: json } = this.records.put(key, { archive, event: eventJson(event), at });
    this.file(archive, key, json);
    this.schedule(archive);
  }

  /** Returns the number of events and bytes in an archive. */
  sizeOf(archive: string): { count: number; bytes: number } {
    const shelf = this.shelves.get(archive);
    return shelf ? { count: shelf.keys.length - shelf.first, bytes: shelf.bytes } : { count: 0, bytes: 0 };
  }

  /**
   * Iterates over the events of an archive as JSON text, in order of arrival. Events added during the iteration are
   * excluded.
   */
  *of(archive: string): Generator<string> {
    const shelf = this.shelves.get(archive);
    for (const key of shelf?.keys.slice(shelf.first) ?? []) {
      const record = this.records.get(key);
      if (record) yield record.event;
    }
  }

  /** Applies a changed retention: removes expired events and resets the timer. */
  retentionChanged(archive: string): void {
    this.expiries.cancel(archive);
    this.expire(archive);
  }

  /** Removes all events of an archive. */
  remove(archive: string): void {
    const shelf = this.shelves.get(archive);
    this.expiries.cancel(archive);
    for (const key of shelf?.keys.slice(shelf.first) ?? []) this.records.delete(key);
    this.shelves.delete(archive);
  }

  private file(archive: string, key: string, json: string): void {
    let shelf = this.shelves.get(archive);
    if (!shelf) {
      shelf = { keys: [], first: 0, bytes: 0 };
      this.shelves.set(archive, shelf);
    }
    shelf.keys.push(key);
    shelf.bytes += Buffer.byteLength(json);
  }

  private expire(archive: string): void {
    const shelf = this.shelves.get(archive);
    if (!shelf) return;
    const days = this.retentionOf(archive);
    while (days && shelf.first < shelf.keys.length) {
      const key = shelf.keys[shelf.first]!;
      const record = this.records.get(key)!;
      if (record.at + days * DAY > this.clock.now()) break;
      this.records.delete(key);
      shelf.first++;
      shelf.bytes -= Buffer.byteLength(record.event);
    }
    // Expired keys are removed from the list only when they are the majority, so that removing one stays cheap.
    if (shelf.first * 2 > shelf.keys.length) {
      shelf.keys.splice(0, shelf.first);
      shelf.first = 0;
    }
    this.schedule(archive);
  }

  private schedule(archive: string): void {
    const shelf = this.shelves.get(archive)!;
    const oldest = shelf.keys[shelf.first];
    const days = this.retentionOf(archive);
    if (this.expiries.has(archive) || oldest === undefined || !days) return;
    this.expiries.set(archive, this.records.get(oldest)!.at + days * DAY, () => this.expire(archive));
  }
}
