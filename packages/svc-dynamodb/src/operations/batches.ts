import type {
  BatchWriteItemInput,
  BatchWriteItemOutput,
  InputOf,
  KeysAndAttributes,
  OutputOf,
  WriteRequest,
} from '@emu/service-types/dynamodb';
import { checkItemKey, checkKey, identityOf } from '../attributes/keys.ts';
import { checkedItem, checkSize, type Item, itemSize } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { itemTable } from '../context.ts';
import { invalid } from '../errors.ts';
import { placeholdersOf } from '../expressions/parameters.ts';
import { CapacityMeter, readUnits } from '../items/capacity.ts';
import { commitWrite, type PreparedWrite, prepareWrite, type Write } from '../items/writes.ts';
import type { Table } from '../tables/table.ts';
import { collectionMetrics, readProjection } from './items.ts';

const MAX_GET_KEYS = 100;
const MAX_WRITES = 25;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

const DUPLICATES = 'Provided list of item keys contains duplicates';

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
export function BatchGetItem(input: InputOf<'BatchGetItem'>, ctx: DynamodbContext): OutputOf<'BatchGetItem'> {
  const entries = Object.entries(input.RequestItems);
  const count = entries.reduce((sum, [, { Keys }]) => sum + Keys.length, 0);
  if (count > MAX_GET_KEYS) throw invalid('Too many items requested for the BatchGetItem call');
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  // Parameters that exclude each other within a table also exclude each other across tables.
  const anyOf = (name: 'ProjectionExpression' | 'AttributesToGet') =>
    entries.map(([, request]) => request[name]).find((value) => value !== undefined);
  const reads = { ProjectionExpression: anyOf('ProjectionExpression'), AttributesToGet: anyOf('AttributesToGet') };
  placeholdersOf(reads as never, ['ProjectionExpression'], ['AttributesToGet']);
  const plans = entries.map(([name, request]) => planGet(ctx, name, request));
  // Created without a prototype, since a table may have any name, such as `__proto__`.
  const responses: Record<string, Item[]> = Object.create(null);
  const unprocessed: Record<string, KeysAndAttributes> = {};
  let bytes = 0;
  for (const { name, request, table, keys, project } of plans) {
    const found: Item[] = [];
    responses[name] = found;
    for (const [index, key] of keys.entries()) {
      const item = table.get(key);
      const size = item ? itemSize(item) : 0;
      if (bytes + size > MAX_RESPONSE_BYTES) {
        unprocessed[name] = { ...request, Keys: request.Keys.slice(index) };
        break;
      }
      bytes += size;
      meter.read(table, readUnits(size, request.ConsistentRead === true));
      if (item) found.push(project(item));
    }
  }
  return { Responses: responses, UnprocessedKeys: unprocessed, ConsumedCapacity: meter.describe() };
}

function planGet(ctx: DynamodbContext, name: string, request: KeysAndAttributes) {
  const placeholders = placeholdersOf(request as never, ['ProjectionExpression'], ['AttributesToGet']);
  const projection = readProjection(request, placeholders);
  placeholders.assertAllUsed();
  const keys = request.Keys.map((key) => checkedItem(key));
  const table = itemTable(ctx, name);
  table.checkScalarKeys(projection?.nested);
  const seen = new Set<string>();
  for (const key of keys) {
    checkKey(key, table.primary.schema);
    const identity = identityOf(key, table.primary.schema);
    if (seen.has(identity)) throw invalid(DUPLICATES);
    seen.add(identity);
  }
  const project = (item: Item): Item => (projection ? projection.of(item) : item);
  return { name, request, table, keys, project };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
export function BatchWriteItem(input: InputOf<'BatchWriteItem'>, ctx: DynamodbContext): OutputOf<'BatchWriteItem'> {
  const entries = Object.entries(input.RequestItems);
  if (entries.reduce((sum, [, requests]) => sum + requests.length, 0) > MAX_WRITES)
    throw invalid('Too many items requested for the BatchWriteItem call');
  const writes = entries.flatMap(([name, requests]) => planWrites(ctx, name, requests));
  const bytes = writes.reduce((sum, write) => sum + (write.kind === 'put' ? itemSize(write.item) : 0), 0);
  if (bytes > MAX_REQUEST_BYTES)
    throw invalid('The BatchWriteItem request exceeds the maximum allowed size of 16777216 bytes');
  // All writes are checked before the first is committed: a rejected request changes nothing.
  const prepared: PreparedWrite[] = writes.map(prepareWrite);
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  for (const write of prepared) commitWrite(write, meter, ctx.requestId);
  return {
    UnprocessedItems: {},
    ItemCollectionMetrics: batchMetrics(writes, input),
    ConsumedCapacity: meter.describe(),
  };
}

type BatchWrite = Write & { kind: 'put' | 'delete' };

const keyPart = (write: BatchWrite): Item => (write.kind === 'put' ? write.item : write.key);

function planWrites(ctx: DynamodbContext, name: string, requests: readonly WriteRequest[]): BatchWrite[] {
  const checked = requests.map(({ PutRequest: put, DeleteRequest: remove }) => {
    if (put && remove)
      throw invalid('Supplied WriteRequest has more than one operation set, must contain exactly one operation');
    if (put) {
      const item = checkedItem(put.Item);
      checkSize(item);
      return { kind: 'put', item } as const;
    }
    if (remove) return { kind: 'delete', key: checkedItem(remove.Key) } as const;
    throw invalid('Supplied WriteRequest is empty, must contain exactly one operation');
  });
  const table = itemTable(ctx, name);
  const { schema } = table.primary;
  const seen = new Set<string>();
  return checked.map((request) => {
    if (request.kind === 'put') checkBatchPut(request.item, table);
    else checkKey(request.key, schema);
    const write: BatchWrite = { ...request, table };
    const identity = identityOf(keyPart(write), schema);
    if (seen.has(identity)) throw invalid(DUPLICATES);
    seen.add(identity);
    return write;
  });
}

/** Validates a put in a batch, where a missing key has the message for a key mismatch. */
function checkBatchPut(item: Item, table: Table): void {
  const { schema } = table.primary;
  for (const { name, type } of [...schema.hash, ...schema.range])
    if (item[name]?.[type] === undefined) throw invalid('The provided key element does not match the schema');
  checkItemKey(item, schema);
}

function batchMetrics(
  writes: readonly BatchWrite[],
  input: BatchWriteItemInput,
): BatchWriteItemOutput['ItemCollectionMetrics'] {
  const out: NonNullable<BatchWriteItemOutput['ItemCollectionMetrics']> = {};
  for (const write of writes) {
    const metrics = collectionMetrics(write.table, keyPart(write), input.ReturnItemCollectionMetrics);
    if (!metrics) continue;
    out[write.table.name] = [...(out[write.table.name] ?? []), metrics];
  }
  return Object.keys(out).length ? out : undefined;
}
