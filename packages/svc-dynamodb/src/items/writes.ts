import type { ReturnValuesOnConditionCheckFailure } from '@emu/service-types/dynamodb';
import type { AwsError } from '@emu/wire';
import { checkItemKey, checkKey, keyAttributes, keyOf } from '../attributes/keys.ts';
import { checkSize, equalItems, equalValues, type Item, itemSize } from '../attributes/values.ts';
import { dynamodbError } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import type { Update } from '../expressions/update.ts';
import type { SecondaryIndex, Table } from '../tables/table.ts';
import { type CapacityMeter, writeUnits } from './capacity.ts';

/** A write with bound expressions; the item of a put is already validated, with its size. */
export type Write = {
  table: Table;
  condition?: Condition | undefined;
} & (
  | { kind: 'put'; item: Item }
  | { kind: 'delete'; key: Item }
  | { kind: 'update'; key: Item; update?: Update | undefined }
  | { kind: 'check'; key: Item }
);

/** A write with a passed condition and a computed result that is not yet committed. */
export interface PreparedWrite {
  write: Write;
  before: Item | undefined;
  /** Undefined for a deleted item; the same object as `before` if nothing changes. */
  after: Item | undefined;
}

const CONDITION_FAILED = 'The conditional request failed';

/** A failed condition, with the item it was tested on. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  constructor(readonly item: Item | undefined) {
    super(CONDITION_FAILED);
  }
}

/**
 * Returns the error of a single write with a failed condition; if it includes the item, its message member has another
 * name.
 */
export function conditionFailure(
  { item }: ConditionFailed,
  onFailure: ReturnValuesOnConditionCheckFailure | undefined,
): AwsError {
  const shows = onFailure === 'ALL_OLD' && item !== undefined;
  return dynamodbError(
    'ConditionalCheckFailedException',
    CONDITION_FAILED,
    shows ? { members: { Item: item }, messageKey: 'Message' } : {},
  );
}

/**
 * Tests a write's condition and computes its result.
 * @throws ConditionFailed
 * @throws AwsError `ValidationException` if key, item or update do not fit the table
 */
export function prepareWrite(write: Write): PreparedWrite {
  const { table } = write;
  const schema = table.primary.schema;
  if (write.kind === 'put') {
    checkItemKey(write.item, schema);
    table.checkIndexKeys(write.item, 'put');
  } else checkKey(write.key, schema);
  if (write.kind === 'update') {
    checkUpdateTargets(write);
    table.checkScalarKeys(write.update?.nested);
  }
  const before = table.get(write.kind === 'put' ? write.item : write.key);
  if (write.condition && !write.condition.matches(before ?? {})) {
    table.count('ConditionalCheckFailedRequests');
    throw new ConditionFailed(before);
  }
  const after = resultOf(write, before);
  if (after && write.kind === 'update') table.checkIndexKeys(after, 'update');
  return { write, before, after };
}

function checkUpdateTargets(write: Write & { kind: 'update' }): void {
  const keys = new Set(keyAttributes(write.table.primary.schema).map(({ name }) => name));
  for (const target of write.update?.targets ?? [])
    if (keys.has(target[0] as string))
      throw dynamodbError(
        'ValidationException',
        `One or more parameter values were invalid: Cannot update attribute ${target[0]}. This attribute is part of the key`,
      );
}

function resultOf(write: Write, before: Item | undefined): Item | undefined {
  switch (write.kind) {
    case 'check':
      return before;
    case 'delete':
      return undefined;
    case 'put':
      return write.item;
    case 'update': {
      if (!before && write.update && !write.update.creates) return undefined;
      const draft = before ? { ...before } : keyOf(write.key, write.table.primary.schema);
      write.update?.apply(draft);
      checkSize(draft, 'Item size to update has exceeded the maximum allowed size');
      return draft;
    }
  }
}

/**
 * Commits a prepared write and counts its consumed capacity.
 * @param cause id of the request
 */
export function commitWrite({ write, before, after }: PreparedWrite, meter: CapacityMeter, cause: string): void {
  const { table } = write;
  const bytes = Math.max(before ? itemSize(before) : 0, after ? itemSize(after) : 0);
  meter.write(table, writeUnits(bytes));
  if (write.kind === 'check') return;
  for (const index of table.indexes) meterIndex(table, index, before, after, meter);
  if (after && !(before && equalItems(before, after))) table.put(after, { cause });
  else if (!after && before) table.delete(before, { cause });
}

/** Counts the writes to an index: one if its entry is added, removed or changed, two if the entry's key changes. */
function meterIndex(
  table: Table,
  index: SecondaryIndex,
  before: Item | undefined,
  after: Item | undefined,
  meter: CapacityMeter,
): void {
  const old = before && index.items.covers(before) ? table.projected(index, before) : undefined;
  const fresh = after && index.items.covers(after) ? table.projected(index, after) : undefined;
  if (old && fresh) {
    if (equalItems(old, fresh)) return;
    const sameKey = keyAttributes(index.items.schema).every(({ name }) => equalValues(old[name]!, fresh[name]!));
    if (sameKey) {
      meter.write(table, writeUnits(Math.max(itemSize(old), itemSize(fresh))), index.name);
      return;
    }
  }
  for (const entry of [old, fresh]) if (entry) meter.write(table, writeUnits(itemSize(entry)), index.name);
}

/** Returns the attributes named by an update's targets, for `UPDATED_OLD` and `UPDATED_NEW`. */
export function attributesOf(item: Item | undefined, names: readonly string[]): Item | undefined {
  if (!item) return undefined;
  const out: Item = {};
  for (const name of names) if (Object.hasOwn(item, name)) out[name] = item[name]!;
  return out;
}
