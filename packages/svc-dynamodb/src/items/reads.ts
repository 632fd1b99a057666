import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { Entry, ItemIndex, Position } from '../attributes/ordered-index.ts';
import { compareValues, type Item, itemSize } from '../attributes/values.ts';
import { startsWith } from '../expressions/condition.ts';
import type { KeyCondition } from '../expressions/key-condition.ts';
import type { SecondaryIndex, Table } from '../tables/table.ts';
import { type CapacityMeter, readUnits } from './capacity.ts';

/** Maximum bytes of items that a page of a query or scan reads. */
const PAGE_BYTES = 1024 * 1024;

/** Maximum bytes of a sort key: a prefix padded to this length is the last value with the prefix. */
const MAX_RANGE_BYTES = 1024;

/** One page of a query or scan. */
export interface Page {
  /** Items that match the filter, as stored. */
  items: Item[];
  /** Number of items read. */
  scanned: number;
  /** Bytes read. */
  bytes: number;
  /** Units of strongly consistent single reads of the items from their table, if they are fetched. */
  fetchedUnits: number;
  /** Last item read, after which the next page starts; undefined at the end. */
  last: Item | undefined;
}

export interface PageOptions {
  limit: number | undefined;
  /** Returns the bytes of an item as stored in the index. */
  sizeOf(item: Item): number;
  /** Whether each item is also fetched from the table. */
  fetches: boolean;
  accepts(item: Item): boolean;
}

/** Reads entries until the page reaches its limit of items or bytes. */
export function readPage(entries: Iterable<Entry>, options: PageOptions): Page {
  const page: Page = { items: [], scanned: 0, bytes: 0, fetchedUnits: 0, last: undefined };
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  for (const { item } of entries) {
    page.scanned++;
    page.bytes += options.sizeOf(item);
    if (options.fetches) page.fetchedUnits += readUnits(itemSize(item), true);
    if (options.accepts(item)) page.items.push(item);
    if (page.scanned >= limit || page.bytes >= PAGE_BYTES) {
      page.last = item;
      break;
    }
  }
  return page;
}

/**
 * Counts the units of a page. Each fetched item counts as a separate read of the whole item.
 * @param from index or table that was read, and whether its items are fetched
 */
export function meterPage(
  meter: CapacityMeter,
  page: Page,
  from: { table: Table; index: SecondaryIndex | undefined; fetches: boolean },
  consistent: boolean,
): void {
  meter.read(from.table, readUnits(page.bytes, consistent), from.index?.name);
  if (from.fetches) meter.read(from.table, page.fetchedUnits * (consistent ? 1 : 0.5));
}

/**
 * Yields the entries of one partition that match a key condition, in order or in reverse, after an optional position.
 */
export function* entriesOfQuery(
  index: ItemIndex,
  condition: KeyCondition,
  forward: boolean,
  start: Position | undefined,
): Iterable<Entry> {
  const { partition } = index.partitionEdge(condition.hash, -1);
  const matches = matcherOf(condition);
  for (const entry of index.after(start ?? startOf(index, condition, forward), forward)) {
    if (entry.partition !== partition) return;
    const fit = matches(entry.item);
    if (fit === 'in') yield entry;
    // Entries equal to an exclusive bound may precede the first match; after the range nothing matches.
    else if (fit === (forward ? 'above' : 'below')) return;
  }
}

function startOf(index: ItemIndex, { hash, equal, range }: KeyCondition, forward: boolean): Position {
  const side = forward ? -1 : 1;
  const bound = range && boundOf(range.operator, range.operands, forward);
  return index.rangeEdge(hash, bound ? { ...equal, [range.attribute]: bound } : equal, side);
}

/** Returns the lowest matching value when reading forward, the highest in reverse; undefined if unbounded. */
function boundOf(operator: string, operands: readonly AttributeValue[], forward: boolean): AttributeValue | undefined {
  switch (operator) {
    case 'BETWEEN':
      return forward ? operands[0] : operands[1];
    case '>':
    case '>=':
      return forward ? operands[0] : undefined;
    case '<':
    case '<=':
      return forward ? undefined : operands[0];
    default:
      return forward ? operands[0] : lastWithPrefix(operands[0]!);
  }
}

function lastWithPrefix(prefix: AttributeValue): AttributeValue {
  if (prefix.S !== undefined) return { S: prefix.S + '\u{10ffff}'.repeat(MAX_RANGE_BYTES / 4) };
  const padding = Buffer.alloc(Math.max(0, MAX_RANGE_BYTES - prefix.B!.byteLength), 0xff);
  return { B: Buffer.concat([prefix.B!, padding]) };
}

type Fit = 'below' | 'in' | 'above';

/** Compares the sort key of an item with the range of a key condition. */
export function fitOfKey(condition: KeyCondition, item: Item): Fit {
  return matcherOf(condition)(item);
}

function matcherOf({ equal, range }: KeyCondition): (item: Item) => Fit {
  const fixed = Object.entries(equal);
  return (item) => {
    for (const [name, value] of fixed) {
      const order = compareValues(item[name]!, value)!;
      if (order !== 0) return order < 0 ? 'below' : 'above';
    }
    return range ? fitOf(item[range.attribute]!, range.operator, range.operands) : 'in';
  };
}

function fitOf(value: AttributeValue, operator: string, operands: readonly AttributeValue[]): Fit {
  const order = compareValues(value, operands[0]!)!;
  switch (operator) {
    case '<':
      return order < 0 ? 'in' : 'above';
    case '<=':
      return order <= 0 ? 'in' : 'above';
    case '>':
      return order > 0 ? 'in' : 'below';
    case '>=':
      return order >= 0 ? 'in' : 'below';
    case 'BETWEEN':
      if (order < 0) return 'below';
      return compareValues(value, operands[1]!)! <= 0 ? 'in' : 'above';
    default:
      if (startsWith(value, operands[0])) return 'in';
      return order < 0 ? 'below' : 'above';
  }
}

/** Yields the entries of a scan or one of its segments, after an optional position. */
export function* entriesOfScan(
  index: ItemIndex,
  segment: { number: number; of: number } | undefined,
  start: Position | undefined,
): Iterable<Entry> {
  if (!segment) {
    yield* index.after(start, true);
    return;
  }
  const width = 2 ** 32 / segment.of;
  const low = Math.ceil(segment.number * width);
  const high = Math.ceil((segment.number + 1) * width);
  for (const entry of index.after(start ?? index.hashEdge(low), true)) {
    if (entry.hash >= high) return;
    yield entry;
  }
}
