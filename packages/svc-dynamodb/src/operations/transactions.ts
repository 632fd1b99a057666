import type {
  CancellationReason,
  InputOf,
  OutputOf,
  TransactWriteItem,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
} from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';
import { checkKey, checkNoEmptyKeys, EmptyIndexKey, identityOf } from '../attributes/keys.ts';
import { checkedItem, checkSize, type Item, itemSize } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { itemTable } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { optionalCondition, placeholdersOf } from '../expressions/parameters.ts';
import { bindUpdate } from '../expressions/update.ts';
import { CapacityMeter, readUnits } from '../items/capacity.ts';
import { ConditionFailed, commitWrite, type PreparedWrite, prepareWrite, type Write } from '../items/writes.ts';
import { collectionMetrics, readProjection } from './items.ts';
import { checkTransactable } from './strong-consistency.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Returns the error of a cancelled transaction, with the reason of each part. */
export function cancelled(reasons: readonly CancellationReason[]): AwsError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return dynamodbError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { members: { CancellationReasons: reasons } },
  );
}

type PlannedWrite = Write & { onFailure?: 'ALL_OLD' | 'NONE' | undefined };

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export function TransactWriteItems(
  input: InputOf<'TransactWriteItems'>,
  ctx: DynamodbContext,
): OutputOf<'TransactWriteItems'> {
  const meter = new CapacityMeter(input.ReturnConsumedCapacity, 2);
  // All expressions are validated before any table is looked up.
  const writes = input.TransactItems.map(planWrite).map((inTable) => inTable(ctx));
  // An empty key is rejected directly; a key of another type cancels the transaction.
  for (const write of writes) checkNoEmptyKeys(keyPart(write), write.table.primary.schema);
  checkTargets(writes);
  checkTransactable(writes.map(({ table }) => table));
  let isFirst = false;
  ctx.state.transactionTokens.once('TransactWriteItems', input, () => {
    for (const write of runTogether(writes)) commitWrite(write, meter, ctx.requestId);
    isFirst = true;
  });
  if (isFirst) return { ConsumedCapacity: meter.describe(), ItemCollectionMetrics: metricsOf(writes, input) };
  readAgain(writes, meter);
  return { ConsumedCapacity: meter.describe() };
}

/** Returns the reason of an invalid part; only the first one has a message. */
const validationReason = (error: AwsError, before: readonly CancellationReason[]): CancellationReason =>
  before.some(({ Code }) => Code === 'ValidationError')
    ? { Code: 'None' }
    : { Code: 'ValidationError', Message: error.message };

/**
 * Prepares all writes or none: one failing write cancels the others.
 * @throws AwsError `TransactionCanceledException`, and `ValidationException` for an empty key of an index
 */
export function runTogether(writes: readonly PlannedWrite[]): PreparedWrite[] {
  const reasons: CancellationReason[] = [];
  const prepared: PreparedWrite[] = [];
  for (const write of writes) {
    try {
      prepared.push(prepareWrite(write));
      reasons.push({ Code: 'None' });
    } catch (error) {
      if (error instanceof ConditionFailed)
        reasons.push({
          Code: 'ConditionalCheckFailed',
          Message: error.message,
          ...(write.onFailure === 'ALL_OLD' && error.item && { Item: error.item }),
        });
      else if (error instanceof AwsError && !(error instanceof EmptyIndexKey))
        reasons.push(validationReason(error, reasons));
      else throw error;
    }
  }
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
  return prepared;
}

/** Validates a part of a transaction independently of its table. */
function planWrite(part: TransactWriteItem): (ctx: DynamodbContext) => PlannedWrite {
  const set = (['ConditionCheck', 'Put', 'Delete', 'Update'] as const).filter((name) => part[name] !== undefined);
  if (set.length !== 1) throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  if (part.Put) {
    const { Put: put } = part;
    const placeholders = placeholdersOf(put, ['ConditionExpression'], []);
    const item = checkedItem(put.Item);
    checkSize(item);
    const condition = optionalCondition('ConditionExpression', put.ConditionExpression, placeholders);
    placeholders.assertAllUsed();
    const onFailure = put.ReturnValuesOnConditionCheckFailure;
    return (ctx) => ({ kind: 'put', table: itemTable(ctx, put.TableName), item, condition, onFailure });
  }
  const request = (part.Update ?? part.Delete ?? part.ConditionCheck)!;
  const expressions = part.Update ? ['UpdateExpression', 'ConditionExpression'] : ['ConditionExpression'];
  const placeholders = placeholdersOf(request, expressions, []);
  const key = checkedItem(request.Key);
  const update = part.Update && bindUpdate(part.Update.UpdateExpression, placeholders);
  const condition = optionalCondition('ConditionExpression', request.ConditionExpression, placeholders);
  placeholders.assertAllUsed();
  const kind = part.Update ? 'update' : part.Delete ? 'delete' : 'check';
  const onFailure = request.ReturnValuesOnConditionCheckFailure;
  return (ctx) =>
    ({ kind, table: itemTable(ctx, request.TableName), key, update, condition, onFailure }) as PlannedWrite;
}

const keyPart = (write: Write): Item => (write.kind === 'put' ? write.item : write.key);

/**
 * Checks that no two writes affect the same item, and their total size.
 * @throws AwsError `ValidationException`
 */
export function checkTargets(writes: readonly Write[]): void {
  const seen = new Set<string>();
  let bytes = 0;
  for (const write of writes) {
    const key = keyPart(write);
    const { schema } = write.table.primary;
    // A key mismatch becomes a cancellation reason later.
    if ([...schema.hash, ...schema.range].some(({ name, type }) => key[name]?.[type] === undefined)) continue;
    const identity = `${write.table.record.arn} ${identityOf(key, schema)}`;
    if (seen.has(identity)) throw invalid('Transaction request cannot include multiple operations on one item');
    seen.add(identity);
    if (write.kind === 'put') bytes += itemSize(write.item);
  }
  if (bytes > MAX_BYTES) throw invalid('Transaction request size exceeds limit of 4194304 bytes');
}

/** Counts the capacity of a repeated request, which costs a read of the written items. */
export function readAgain(writes: readonly Write[], meter: CapacityMeter): void {
  for (const write of writes) {
    const item = write.table.get(keyPart(write));
    meter.read(write.table, readUnits(item ? itemSize(item) : 0, true));
  }
}

function metricsOf(
  writes: readonly Write[],
  input: TransactWriteItemsInput,
): TransactWriteItemsOutput['ItemCollectionMetrics'] {
  const out: NonNullable<TransactWriteItemsOutput['ItemCollectionMetrics']> = {};
  for (const write of writes) {
    if (write.kind === 'check') continue;
    const metrics = collectionMetrics(write.table, keyPart(write), input.ReturnItemCollectionMetrics);
    if (metrics) out[write.table.name] = [...(out[write.table.name] ?? []), metrics];
  }
  return Object.keys(out).length ? out : undefined;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html */
export function TransactGetItems(
  input: InputOf<'TransactGetItems'>,
  ctx: DynamodbContext,
): OutputOf<'TransactGetItems'> {
  const meter = new CapacityMeter(input.ReturnConsumedCapacity, 2);
  const seen = new Set<string>();
  let bytes = 0;
  const reads = input.TransactItems.map(({ Get: get }) => {
    const placeholders = placeholdersOf(get, ['ProjectionExpression'], []);
    const key = checkedItem(get.Key);
    const projection = readProjection(get, placeholders);
    placeholders.assertAllUsed();
    return { name: get.TableName, key, projection };
  });
  const plans = reads.map(({ name, ...read }) => ({ ...read, table: itemTable(ctx, name) }));
  checkTransactable(plans.map(({ table }) => table));
  for (const { table, key } of plans) checkNoEmptyKeys(key, table.primary.schema);
  const reasons: CancellationReason[] = [];
  for (const { table, key, projection } of plans)
    try {
      checkKey(key, table.primary.schema);
      table.checkScalarKeys(projection?.nested);
      reasons.push({ Code: 'None' });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      reasons.push(validationReason(error, reasons));
    }
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
  const responses = plans.map(({ table, key, projection }) => {
    const identity = `${table.record.arn} ${identityOf(key, table.primary.schema)}`;
    if (seen.has(identity)) throw invalid('Transaction request cannot include multiple operations on one item');
    seen.add(identity);
    const item = table.get(key);
    const size = item ? itemSize(item) : 0;
    bytes += size;
    meter.read(table, readUnits(size, true));
    return item ? { Item: projection ? projection.of(item) : item } : {};
  });
  if (bytes > MAX_BYTES) throw invalid('Transaction request size exceeds limit of 4194304 bytes');
  return { Responses: responses, ConsumedCapacity: meter.describe() };
}
