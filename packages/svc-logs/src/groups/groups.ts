import type { Collection, DeepReadonly } from '@emu/core/service';
import { type GroupRecord, keyIn, type StreamRecord } from '../records.ts';
import { type AppendPosition, endOf, readAppended } from '../store/append-reader.ts';
import { type EventReader, eventReader } from '../store/event-reader.ts';
import type { EventStore } from '../store/event-store.ts';

/** A log group with its streams. */
export class LogGroup {
  private readonly streams = new Map<string, DeepReadonly<StreamRecord>>();
  private readonly names = new Map<number, string>();

  constructor(
    public record: DeepReadonly<GroupRecord>,
    /** Key of its events in the store. */
    readonly key: string,
    private readonly store: EventStore,
  ) {}

  get name(): string {
    return this.record.name;
  }

  stream(name: string): DeepReadonly<StreamRecord> | undefined {
    return this.streams.get(name);
  }

  /** Its streams in order of creation. */
  list(): Iterable<DeepReadonly<StreamRecord>> {
    return this.streams.values();
  }

  /** Numbers of the selected streams. */
  numbers(passes: (name: string) => boolean): Set<number> {
    return new Set([...this.streams.values()].filter(({ name }) => passes(name)).map(({ number }) => number));
  }

  /** Its events. */
  get events(): EventReader {
    return eventReader(this.store, this.key, this.nameOf);
  }

  /** Position after the last stored event. */
  get end(): AppendPosition {
    return endOf(this.store, this.key);
  }

  /** Its events in order of arrival; see `readAppended`. */
  appended(from: AppendPosition, most: number): ReturnType<typeof readAppended> {
    return readAppended(this.store, this.key, this.nameOf, from, most);
  }

  /** Returns the name of a stream by its number. */
  private readonly nameOf = (number: number): string | undefined => this.names.get(number);

  /** Adds or updates a stream. */
  keep(stream: DeepReadonly<StreamRecord>): void {
    this.streams.set(stream.name, stream);
    this.names.set(stream.number, stream.name);
  }

  /** Removes a stream; its events become invisible. */
  discard({ name, number }: DeepReadonly<StreamRecord>): void {
    this.streams.delete(name);
    this.names.delete(number);
    if (!this.streams.size) this.store.dropGroup(this.key);
  }
}

/**
 * Returns the default settings of a new group.
 * @param now epoch milliseconds
 */
export const newGroup = (name: string, id: string, now: number): GroupRecord => ({
  name,
  id,
  createdAt: now,
  class: 'STANDARD',
  deletionProtected: false,
  tags: {},
  nextStream: 1,
});

/** Collections of the groups in a state. */
export interface GroupStorage {
  readonly groups: Collection<GroupRecord>;
  readonly streams: Collection<StreamRecord>;
  readonly store: EventStore;
  /** Returns the key of a group's events in the store. */
  keyOf(id: string): string;
}

/** The log groups of one account and region. */
export class LogGroups {
  private readonly groups = new Map<string, LogGroup>();

  constructor(private readonly storage: GroupStorage) {
    for (const record of storage.groups.values()) this.open(record);
    for (const stream of storage.streams.values()) this.groups.get(stream.group)?.keep(stream);
  }

  find(name: string): LogGroup | undefined {
    return this.groups.get(name);
  }

  get size(): number {
    return this.groups.size;
  }

  /** Returns all groups in order of name. */
  list(): LogGroup[] {
    return [...this.groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  create(record: GroupRecord): LogGroup {
    return this.open(this.storage.groups.put(record.name, record));
  }

  update(group: LogGroup, change: (draft: GroupRecord) => void): void {
    group.record = this.storage.groups.update(group.name, change);
  }

  /** Deletes a group with its streams and events. */
  delete(group: LogGroup): void {
    const { groups, streams, store } = this.storage;
    this.groups.delete(group.name);
    groups.delete(group.name);
    for (const { name } of group.list()) streams.delete(keyIn(group.name, name));
    store.dropGroup(group.key);
  }

  createStream(group: LogGroup, name: string, createdAt: number): void {
    const number = group.record.nextStream;
    this.update(group, (draft) => {
      draft.nextStream++;
    });
    group.keep(this.storage.streams.put(keyIn(group.name, name), { group: group.name, name, number, createdAt }));
  }

  updateStream(group: LogGroup, name: string, change: (draft: StreamRecord) => void): void {
    const key = keyIn(group.name, name);
    if (this.storage.streams.has(key)) group.keep(this.storage.streams.update(key, change));
  }

  deleteStream(group: LogGroup, stream: DeepReadonly<StreamRecord>): void {
    this.storage.streams.delete(keyIn(group.name, stream.name));
    group.discard(stream);
  }

  private open(record: DeepReadonly<GroupRecord>): LogGroup {
    const group = new LogGroup(record, this.storage.keyOf(record.id), this.storage.store);
    this.groups.set(record.name, group);
    return group;
  }
}
