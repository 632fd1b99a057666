import { type Clock, type Collection, DueTimers, type Ids, numericKey, type Worker } from '@emu/core';
import { type BusEvent, eventJson } from './event.ts';
import type { ArchivedEventRecord } from './records.ts';

const DAY = 86_400_000;

/** The events of one archive. */
interface Shelf {
  /** Keys in the order the events came; those before `first` have expired. */
  keys: string[];
  first: number;
  bytes: number;
}

/** What archives hold: how many events and bytes, without looking at each, and what has outlived its retention. */
export class ArchivedEvents implements Worker {
  private readonly shelves = new Map<string, Shelf>();
  /** Due when the oldest event of an archive expires. */
  private readonly expiries: DueTimers;

  /** @param retentionOf days that an archive keeps its events; 0 for ever, undefined where it is gone */
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

  /** Keeps an event. */
  add(archive: string, event: BusEvent): void {
    const at = this.clock.now();
    const key = `${archive} ${numericKey(at)} ${this.ids.hex(8)}`;
    const { event: json } = this.records.put(key, { archive, event: eventJson(event), at });
    this.file(archive, key, json);
    this.schedule(archive);
  }

  /** How much an archive holds. */
  sizeOf(archive: string): { count: number; bytes: number } {
    const shelf = this.shelves.get(archive);
    return shelf ? { count: shelf.keys.length - shelf.first, bytes: shelf.bytes } : { count: 0, bytes: 0 };
  }

  /** Events of an archive as JSON text, in the order they came; what is added meanwhile is left out. */
  *of(archive: string): Generator<string> {
    const shelf = this.shelves.get(archive);
    for (const key of shelf?.keys.slice(shelf.first) ?? []) {
      const record = this.records.get(key);
      if (record) yield record.event;
    }
  }

  /** Drops what a shorter retention no longer keeps, and waits for what a longer one does. */
  retentionChanged(archive: string): void {
    this.expiries.cancel(archive);
    this.expire(archive);
  }

  /** Drops all events of an archive. */
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
    // Keys of events that are gone go once they are most of the list, so that dropping one costs little.
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
