import type {
  InputOf,
  ItemCollectionMetrics,
  OutputOf,
  ReturnItemCollectionMetrics,
  ReturnValue,
  ReturnValuesOnConditionCheckFailure,
  UpdateItemInput,
} from '@emu/service-types/dynamodb';
import { checkKey } from '../attributes/keys.ts';
import { checkedItem, checkSize, type Item, itemSize } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { itemTable } from '../context.ts';
import { invalid } from '../errors.ts';
import { bindAttributeUpdates } from '../expressions/legacy-parameters.ts';
import { placeholdersOf, writeCondition } from '../expressions/parameters.ts';
import type { Placeholders } from '../expressions/placeholders.ts';
import { bindProjection, type Projection, projectionOf } from '../expressions/projection.ts';
import { bindUpdate, type Update } from '../expressions/update.ts';
import { CapacityMeter, readUnits } from '../items/capacity.ts';
import {
  attributesOf,
  ConditionFailed,
  commitWrite,
  conditionFailure,
  type PreparedWrite,
  prepareWrite,
  type Write,
} from '../items/writes.ts';
import type { Table } from '../tables/table.ts';

/** Prepares and commits one write; a failed condition becomes the error of a single write. */
function writeOne(
  write: Write,
  meter: CapacityMeter,
  onFailure: ReturnValuesOnConditionCheckFailure | undefined,
  cause: string,
): PreparedWrite {
  let prepared: PreparedWrite;
  try {
    prepared = prepareWrite(write);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw conditionFailure(error, onFailure);
  }
  commitWrite(prepared, meter, cause);
  return prepared;
}

function checkReturnValues(value: ReturnValue | undefined): void {
  if (value !== undefined && value !== 'NONE' && value !== 'ALL_OLD')
    throw invalid('ReturnValues can only be ALL_OLD or NONE');
}

/** Returns the size of the item's collection, for tables with local indexes if requested. */
export function collectionMetrics(
  table: Table,
  key: Item,
  wanted: ReturnItemCollectionMetrics | undefined,
): ItemCollectionMetrics | undefined {
  if (wanted !== 'SIZE' || !table.indexes.some(({ kind }) => kind === 'local')) return undefined;
  const hash = table.primary.schema.hash[0]!.name;
  let bytes = 0;
  const edge = table.primary.partitionEdge(key, -1);
  for (const entry of table.primary.after(edge, true)) {
    if (entry.partition !== edge.partition) break;
    bytes += itemSize(entry.item);
    for (const index of table.indexes)
      if (index.kind === 'local' && index.items.covers(entry.item))
        bytes += itemSize(table.projected(index, entry.item));
  }
  const gigabytes = Math.floor(bytes / 2 ** 30);
  return { ItemCollectionKey: { [hash]: key[hash]! }, SizeEstimateRangeGB: [gigabytes, gigabytes + 1] };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html */
export function PutItem(input: InputOf<'PutItem'>, ctx: DynamodbContext): OutputOf<'PutItem'> {
  const placeholders = placeholdersOf(input, ['ConditionExpression'], ['Expected', 'ConditionalOperator']);
  const item = checkedItem(input.Item);
  checkReturnValues(input.ReturnValues);
  checkSize(item);
  const condition = writeCondition(input, placeholders);
  placeholders.assertAllUsed();
  const table = itemTable(ctx, input.TableName);
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  const { before } = writeOne(
    { kind: 'put', table, item, condition },
    meter,
    input.ReturnValuesOnConditionCheckFailure,
    ctx.requestId,
  );
  return {
    Attributes: input.ReturnValues === 'ALL_OLD' ? before : undefined,
    ConsumedCapacity: meter.describeOne(),
    ItemCollectionMetrics: collectionMetrics(table, item, input.ReturnItemCollectionMetrics),
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html */
export function DeleteItem(input: InputOf<'DeleteItem'>, ctx: DynamodbContext): OutputOf<'DeleteItem'> {
  const placeholders = placeholdersOf(input, ['ConditionExpression'], ['Expected', 'ConditionalOperator']);
  const key = checkedItem(input.Key);
  checkReturnValues(input.ReturnValues);
  const condition = writeCondition(input, placeholders);
  placeholders.assertAllUsed();
  const table = itemTable(ctx, input.TableName);
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  const { before } = writeOne(
    { kind: 'delete', table, key, condition },
    meter,
    input.ReturnValuesOnConditionCheckFailure,
    ctx.requestId,
  );
  return {
    Attributes: input.ReturnValues === 'ALL_OLD' ? before : undefined,
    ConsumedCapacity: meter.describeOne(),
    ItemCollectionMetrics: collectionMetrics(table, key, input.ReturnItemCollectionMetrics),
  };
}

function updateOf(input: UpdateItemInput, placeholders: Placeholders): Update | undefined {
  if (input.UpdateExpression !== undefined) return bindUpdate(input.UpdateExpression, placeholders);
  return input.AttributeUpdates && bindAttributeUpdates(input.AttributeUpdates);
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html */
export function UpdateItem(input: InputOf<'UpdateItem'>, ctx: DynamodbContext): OutputOf<'UpdateItem'> {
  const placeholders = placeholdersOf(
    input,
    ['UpdateExpression', 'ConditionExpression'],
    ['AttributeUpdates', 'Expected', 'ConditionalOperator'],
  );
  const key = checkedItem(input.Key);
  const update = updateOf(input, placeholders);
  const condition = writeCondition(input, placeholders);
  placeholders.assertAllUsed();
  const table = itemTable(ctx, input.TableName);
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  const prepared = writeOne(
    { kind: 'update', table, key, update, condition },
    meter,
    input.ReturnValuesOnConditionCheckFailure,
    ctx.requestId,
  );
  return {
    Attributes: returnedAttributes(prepared, update, input.ReturnValues),
    ConsumedCapacity: meter.describeOne(),
    ItemCollectionMetrics: collectionMetrics(table, key, input.ReturnItemCollectionMetrics),
  };
}

function returnedAttributes(
  { before, after }: PreparedWrite,
  update: Update | undefined,
  wanted: ReturnValue | undefined,
): Item | undefined {
  switch (wanted) {
    case 'ALL_OLD':
      return before;
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
    case 'UPDATED_NEW': {
      const item = wanted === 'UPDATED_OLD' ? before : after;
      const targets = update?.targets ?? [];
      const part = targets.every((target) => target.length === 1)
        ? attributesOf(
            item,
            targets.map((target) => target[0] as string),
          )
        : item && projectionOf(targets).of(item);
      return part && Object.keys(part).length ? part : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns the projection of a read, from a projection expression or `AttributesToGet`. */
export function readProjection(
  input: { ProjectionExpression?: string | undefined; AttributesToGet?: string[] | undefined },
  placeholders: Placeholders,
): Projection | undefined {
  if (input.ProjectionExpression !== undefined) return bindProjection(input.ProjectionExpression, placeholders);
  if (!input.AttributesToGet) return undefined;
  const names = input.AttributesToGet;
  if (new Set(names).size !== names.length)
    throw invalid(
      `One or more parameter values were invalid: Duplicate value in attribute name: ${names.find((name, at) => names.indexOf(name) !== at)}`,
    );
  return projectionOf(names.map((name) => [name]));
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html */
export function GetItem(input: InputOf<'GetItem'>, ctx: DynamodbContext): OutputOf<'GetItem'> {
  const placeholders = placeholdersOf(input, ['ProjectionExpression'], ['AttributesToGet']);
  const key = checkedItem(input.Key);
  const projection = readProjection(input, placeholders);
  placeholders.assertAllUsed();
  const table = itemTable(ctx, input.TableName);
  checkKey(key, table.primary.schema);
  table.checkScalarKeys(projection?.nested);
  const item = table.get(key);
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  meter.read(table, readUnits(item ? itemSize(item) : 0, input.ConsistentRead === true));
  return {
    Item: item && projection ? projection.of(item) : item,
    ConsumedCapacity: meter.describeOne(),
  };
}
