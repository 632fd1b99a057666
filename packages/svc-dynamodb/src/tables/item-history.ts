import { type Collection, defineCollection, type StateScope } from '@emu/core/service';
import { decodeItem, encodeItem } from '../attributes/codec.ts';
import { keyOf } from '../attributes/keys.ts';
import type { Item } from '../attributes/values.ts';
import { ownerIdOf } from '../records.ts';
import type { ItemChange, Table } from './table.ts';

const DAY = 24 * 60 * 60 * 1000;

/** An item before and after a change, for undoing or exporting the change. */
export interface PastChange {
  /** Epoch milliseconds. */
  at: number;
  key: Item;
  before?: Item;
  after?: Item;
}

export const history = defineCollection<PastChange>('item-history', 'region', {
  content: 'all',
  ownerOf: ownerIdOf,
  encode: ({ at, key, before, after }) => ({
    at,
    key: encodeItem(key),
    ...(before && { before: encodeItem(before) }),
    ...(after && { after: encodeItem(after) }),
  }),
  decode: (json) => {
    const change = json as { at: number; key: unknown; before?: unknown; after?: unknown };
    return {
      at: change.at,
      key: decodeItem(change.key),
      ...(change.before !== undefined && { before: decodeItem(change.before) }),
      ...(change.after !== undefined && { after: decodeItem(change.after) }),
    };
  },
});

/** Changes of one table, oldest first. */
interface Past {
  changes: { id: number; change: PastChange }[];
  /** Number of expired changes at the front. */
  gone: number;
}

/**
 * Item changes of the tables with point-in-time recovery, within their recovery periods: "Point-in-time backups for
 * DynamoDB" of the developer guide.
 */
export class History {
  private readonly stored: Collection<PastChange>;
  private readonly tables = new Map<string, Past>();
  private lastId = 0;

  constructor(private readonly scope: StateScope) {
    this.stored = scope.collection(history);
    for (const [key, change] of this.stored.entries()) {
      const [tableId, number] = key.split('/') as [string, string];
      const id = Number(number);
      this.pastOf(tableId).changes.push({ id, change: change as PastChange });
      this.lastId = Math.max(this.lastId, id);
    }
  }

  /** Records a change of a table with point-in-time recovery, and evicts changes older than its period. */
  note({ table, before, after }: ItemChange): void {
    const { pitr, id: tableId } = table.record;
    if (!pitr) return;
    const now = this.scope.clock.now();
    const change: PastChange = {
      at: now,
      key: keyOf((after ?? before)!, table.primary.schema),
      ...(before && { before }),
      ...(after && { after }),
    };
    const id = ++this.lastId;
    this.pastOf(tableId).changes.push({ id, change });
    this.stored.put(`${tableId}/${id}`, change);
    this.trim(tableId, now - pitr.days * DAY);
  }

  /** Removes all changes of a table. */
  remove(tableId: string): void {
    this.trim(tableId, Number.POSITIVE_INFINITY);
    this.tables.delete(tableId);
  }

  /** Yields changes of a table from a time (inclusive) to another (exclusive), oldest first. */
  *between(table: Table, from: number, to: number): Iterable<PastChange> {
    const past = this.tables.get(table.record.id);
    for (let index = past?.gone ?? 0; past && index < past.changes.length; index++) {
      const { change } = past.changes[index]!;
      if (change.at >= to) return;
      if (change.at >= from) yield change;
    }
  }

  /** Returns the items of a table at the end of a millisecond by undoing later changes. */
  itemsAt(table: Table, time: number): Iterable<Item> {
    const items = new Map<string, Item>();
    for (const { item, identity } of table.primary.after(undefined, true)) items.set(identity, item);
    const changes = this.tables.get(table.record.id)?.changes ?? [];
    const oldest = this.tables.get(table.record.id)?.gone ?? 0;
    for (let index = changes.length - 1; index >= oldest && changes[index]!.change.at > time; index--) {
      const { key, before } = changes[index]!.change;
      const { identity } = table.primary.positionOf(key, table.identityOf(key));
      if (before) items.set(identity, before);
      else items.delete(identity);
    }
    return items.values();
  }

  private pastOf(tableId: string): Past {
    let past = this.tables.get(tableId);
    if (!past) {
      past = { changes: [], gone: 0 };
      this.tables.set(tableId, past);
    }
    return past;
  }

  private trim(tableId: string, limit: number): void {
    const past = this.tables.get(tableId);
    if (!past) return;
    const { changes } = past;
    while (past.gone < changes.length && changes[past.gone]!.change.at < limit)
      this.stored.delete(`${tableId}/${changes[past.gone++]!.id}`);
    // Expired changes are removed in large chunks, so that the cost per change is constant.
    if (past.gone > 1000 && past.gone * 2 > changes.length) {
      past.changes = changes.slice(past.gone);
      past.gone = 0;
    }
  }
}
