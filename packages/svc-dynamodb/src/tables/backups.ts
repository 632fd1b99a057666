import { type Collection, defineCollection, Slices, type StateScope } from '@emu/core/service';
import type { BackupType } from '@emu/service-types/dynamodb';
import { decodeItem, encodeItem } from '../attributes/codec.ts';
import type { Item } from '../attributes/values.ts';
import { ownerIdOf, type TableRecord } from '../records.ts';

/** A backup: the table's record at the time, without its items. Times are epoch milliseconds. */
export interface BackupRecord {
  arn: string;
  id: string;
  name: string;
  type: BackupType;
  createdAt: number;
  /** Expiry of a system backup. */
  expiresAt?: number;
  bytes: number;
  itemCount: number;
  /** Set until all of its items are stored; a restart discards such a backup. */
  creating?: true;
  table: TableRecord;
}

export const backups = defineCollection<BackupRecord>('backups', 'region');
export const backupItems = defineCollection<Item>('backup-items', 'region', {
  encode: encodeItem,
  decode: decodeItem,
  content: 'all',
  ownerOf: ownerIdOf,
});

/** Backups of an account and region, with their items. */
export class Backups {
  private readonly records: Collection<BackupRecord>;
  private readonly stored: Collection<Item>;
  /** Items by backup. They are immutable and shared with the source table. */
  private readonly contents = new Map<string, Item[]>();

  /** @param isClosed whether the state has ended, so that no changes are allowed */
  constructor(
    private readonly scope: StateScope,
    private readonly isClosed: () => boolean,
  ) {
    this.records = scope.collection(backups);
    this.stored = scope.collection(backupItems);
    for (const { arn, creating } of [...this.records.values()]) if (creating) this.records.delete(arn);
    for (const { id } of this.records.values()) this.contents.set(id, []);
    const lost: string[] = [];
    for (const [key, item] of this.stored.entries()) {
      const items = this.contents.get(key.slice(0, key.indexOf('/')));
      if (items) items.push(item as Item);
      else lost.push(key);
    }
    for (const key of lost) this.stored.delete(key);
  }

  /** Stores a backup with its items; its status is CREATING until all are stored. */
  async add(record: BackupRecord, items: Iterable<Item>): Promise<void> {
    const { arn, id } = record;
    const contents: Item[] = [];
    this.records.put(arn, { ...record, creating: true });
    this.contents.set(id, contents);
    const slices = new Slices();
    for (const item of items) {
      this.stored.put(`${id}/${contents.length}`, item);
      contents.push(item);
      const pause = slices.pause();
      if (pause) await pause;
      if (pause && this.isClosed()) return;
    }
    this.records.put(arn, record);
  }

  /** Returns a backup by ARN; undefined if missing. */
  get(arn: string): BackupRecord | undefined {
    this.expire();
    return this.records.get(arn) as BackupRecord | undefined;
  }

  /** Returns all backups, oldest first. */
  list(): BackupRecord[] {
    this.expire();
    return [...this.records.values()] as BackupRecord[];
  }

  itemsOf({ id }: Pick<BackupRecord, 'id'>): readonly Item[] {
    return this.contents.get(id) ?? [];
  }

  /** Removes a backup immediately and its items in the background; resolves when they are removed. */
  async remove({ arn, id }: Pick<BackupRecord, 'arn' | 'id'>): Promise<void> {
    const { length } = this.itemsOf({ id });
    this.contents.delete(id);
    this.records.delete(arn);
    const slices = new Slices();
    for (let index = 0; index < length; index++) {
      this.stored.delete(`${id}/${index}`);
      const pause = slices.pause();
      if (pause) await pause;
      if (pause && this.isClosed()) return;
    }
  }

  private expire(): void {
    const now = this.scope.clock.now();
    for (const record of [...this.records.values()])
      if (record.expiresAt !== undefined && record.expiresAt <= now) void this.remove(record);
  }
}
