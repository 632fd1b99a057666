import { type Collection, defineCollection, type StateScope } from '@emu/core';
import type { BackupType } from '@emu/service-types/dynamodb';
import { decodeItem, encodeItem } from '../items/codec.ts';
import type { Item } from '../items/values.ts';
import { ownerIdOf, type TableRecord } from '../records.ts';

/** A backup: the table as it was, besides its items. Points in time are epoch milliseconds. */
export interface BackupRecord {
  arn: string;
  id: string;
  name: string;
  type: BackupType;
  createdAt: number;
  /** When a backup that DynamoDB made by itself goes. */
  expiresAt?: number;
  bytes: number;
  itemCount: number;
  table: TableRecord;
}

export const backups = defineCollection<BackupRecord>('backups', 'region');
export const backupItems = defineCollection<Item>('backup-items', 'region', {
  encode: encodeItem,
  decode: decodeItem,
  content: 'all',
  ownerOf: ownerIdOf,
});

/** The backups of one account and region, and the items in them. */
export class Backups {
  private readonly records: Collection<BackupRecord>;
  private readonly stored: Collection<Item>;
  /** Items by backup. What is in a backup never changes and is shared with the table it was made of. */
  private readonly contents = new Map<string, Item[]>();

  constructor(private readonly scope: StateScope) {
    this.records = scope.collection(backups);
    this.stored = scope.collection(backupItems);
    for (const { id } of this.records.values()) this.contents.set(id, []);
    for (const [key, item] of this.stored.entries())
      this.contents.get(key.slice(0, key.indexOf('/')))?.push(item as Item);
  }

  /** Keeps a backup with its items. */
  add(record: BackupRecord, items: readonly Item[]): void {
    this.records.put(record.arn, record);
    this.contents.set(record.id, [...items]);
    for (const [index, item] of items.entries()) this.stored.put(`${record.id}/${index}`, item);
  }

  /** A backup by its ARN; undefined where there is none. */
  get(arn: string): BackupRecord | undefined {
    this.expire();
    return this.records.get(arn) as BackupRecord | undefined;
  }

  /** Every backup, oldest first. */
  list(): BackupRecord[] {
    this.expire();
    return [...this.records.values()] as BackupRecord[];
  }

  itemsOf(record: BackupRecord): readonly Item[] {
    return this.contents.get(record.id) ?? [];
  }

  remove(record: BackupRecord): void {
    for (let index = 0; index < record.itemCount; index++) this.stored.delete(`${record.id}/${index}`);
    this.contents.delete(record.id);
    this.records.delete(record.arn);
  }

  private expire(): void {
    const now = this.scope.clock.now();
    for (const record of [...this.records.values()] as BackupRecord[])
      if (record.expiresAt !== undefined && record.expiresAt <= now) this.remove(record);
  }
}
