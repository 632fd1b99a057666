import type {
  InputOf,
  Condition as LegacyCondition,
  OutputOf,
  QueryInput,
  QueryOutput,
  ScanInput,
} from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';
import { checkKey, identityOf, type KeyAttribute, keyAttributes, keyOf, partitionText } from '../attributes/keys.ts';
import type { ItemIndex, Position } from '../attributes/ordered-index.ts';
import { checkedItem, checkedValue, type Item, itemSize } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { itemTable } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import {
  checkKeyExpression,
  fitToKey,
  type KeyComparison,
  type KeyCondition,
  keyComparisons,
} from '../expressions/key-condition.ts';
import { bindFilter, legacyTest } from '../expressions/legacy-parameters.ts';
import { optionalCondition, placeholdersOf } from '../expressions/parameters.ts';
import type { Placeholders } from '../expressions/placeholders.ts';
import type { Projection } from '../expressions/projection.ts';
import { CapacityMeter } from '../items/capacity.ts';
import { entriesOfQuery, entriesOfScan, fitOfKey, meterPage, type Page, readPage } from '../items/reads.ts';
import { checkFilterProjected, fetchesFor } from '../tables/index-projection.ts';
import { checkFilled, type SecondaryIndex, type Table } from '../tables/table.ts';
import { readProjection } from './items.ts';

type ReadInput = QueryInput | ScanInput;

/** Source of a query or scan, and the view it returns. */
interface Target {
  table: Table;
  index: SecondaryIndex | undefined;
  items: ItemIndex;
  /** Returns the item as visible in the target, including attributes that a local index fetches from the table. */
  view(item: Item): Item;
  /** Returns the bytes of the item as stored in the target. */
  sizeOf(item: Item): number;
  /** Whether a local index fetches every item from the table. */
  fetches: boolean;
}

function targetOf(ctx: DynamodbContext, input: ReadInput, wanted: ReadonlySet<string> | undefined): Target {
  const table = itemTable(ctx, input.TableName);
  if (input.IndexName === undefined)
    return { table, index: undefined, items: table.primary, view: (item) => item, sizeOf: itemSize, fetches: false };
  const index = table.index(input.IndexName);
  if (!index) throw invalid(`The table does not have the specified index: ${input.IndexName}`);
  checkFilled(index);
  if (index.kind === 'global' && input.ConsistentRead)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const fetches = fetchesFor(table, index, wanted, input.Select);
  const projected = (item: Item): Item => table.projected(index, item);
  return {
    table,
    index,
    items: index.items,
    view: fetches ? (item) => item : projected,
    sizeOf: (item) => itemSize(projected(item)),
    fetches,
  };
}

function checkSelect(input: ReadInput): void {
  const projects = input.ProjectionExpression !== undefined || input.AttributesToGet !== undefined;
  if (input.Select === 'SPECIFIC_ATTRIBUTES' && !projects)
    throw invalid(
      'One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  if (projects && input.Select !== undefined && input.Select !== 'SPECIFIC_ATTRIBUTES') {
    const parameter = input.ProjectionExpression === undefined ? 'AttributesToGet' : 'ProjectionExpression';
    throw invalid(
      `One or more parameter values were invalid: Cannot specify the ${parameter} when choosing to get ${input.Select}`.replace(
        'get COUNT',
        'get only the Count',
      ),
    );
  }
  if (input.Select === 'ALL_PROJECTED_ATTRIBUTES' && input.IndexName === undefined)
    throw invalid(
      'One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    );
}

/**
 * Returns the exclusive start key, validated as a value.
 * @throws AwsError `ValidationException`
 */
function startKeyOf(input: ReadInput): Item | undefined {
  try {
    return input.ExclusiveStartKey && checkedItem(input.ExclusiveStartKey);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    // Messages about numbers and duplicates have no prefix.
    if (/contains duplicates|number set|numeric value|significant digits|number with magnitude/.test(error.message))
      throw error;
    throw invalid(`${BAD_START}: ${error.message}`);
  }
}

const BAD_START = 'The provided starting key is invalid';

/** Checks the attribute names of an exclusive start key: those of the table's key and of the index. */
function checkStartNames(target: Target, key: Item | undefined, message: string): void {
  if (!key) return;
  const names = new Set(keyAttributes(target.table.primary.schema).map(({ name }) => name));
  for (const { name } of target.index ? keyAttributes(target.index.items.schema) : []) names.add(name);
  if (Object.keys(key).length !== names.size) throw invalid(message);
}

/** Checks one attribute of an exclusive start key that belongs to the queried key. */
function checkStartAttribute(key: Item | undefined, { name, type }: KeyAttribute): void {
  if (!key) return;
  const value = Object.hasOwn(key, name) ? key[name] : undefined;
  if (!value) throw invalid(BAD_START);
  if (value[type] === undefined) throw invalid('The provided key element does not match the schema');
}

/** Returns the position of an exclusive start key. */
function startOf(target: Target, key: Item | undefined): Position | undefined {
  if (!key) return undefined;
  const { schema } = target.table.primary;
  try {
    checkKey(keyOf(key, schema), schema);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw invalid(`${BAD_START}: ${error.message}`);
  }
  return target.items.positionOf(key, identityOf(key, schema));
}

/**
 * Returns the response of a page.
 * @param operation name in metrics
 */
function describePage(
  operation: 'Query' | 'Scan',
  { target, page }: { target: Target; page: Page },
  input: ReadInput,
  projection: Projection | undefined,
): QueryOutput {
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  meterPage(meter, page, target, input.ConsistentRead === true);
  target.table.count('ReturnedItemCount', page.items.length, operation);
  const show = (item: Item): Item => (projection ? projection.of(target.view(item)) : target.view(item));
  const { last } = page;
  return {
    Items: input.Select === 'COUNT' ? undefined : page.items.map(show),
    Count: page.items.length,
    ScannedCount: page.scanned,
    LastEvaluatedKey: last && {
      ...keyOf(last, target.table.primary.schema),
      ...(target.index ? keyOf(last, target.index.items.schema) : {}),
    },
    ConsumedCapacity: meter.describeOne(),
  };
}

function checkFilterKeys(filter: Condition | undefined, target: Target, parameter: string): void {
  if (!filter) return;
  const keys = new Set(keyAttributes(target.items.schema).map(({ name }) => name));
  for (const name of filter.attributes)
    if (keys.has(name))
      throw invalid(
        parameter === 'FilterExpression'
          ? `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
          : `${parameter} can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
}

const LEGACY_OPERATORS: Readonly<Record<string, KeyComparison['operator']>> = {
  EQ: '=',
  LE: '<=',
  LT: '<',
  GE: '>=',
  GT: '>',
  BEGINS_WITH: 'begins_with',
  BETWEEN: 'BETWEEN',
};

function legacyComparisons(conditions: Record<string, LegacyCondition>): KeyComparison[] {
  return Object.entries(conditions).map(([attribute, { ComparisonOperator, AttributeValueList = [] }]) => {
    const operands = AttributeValueList.map((operand) => checkedValue(operand));
    legacyTest(ComparisonOperator, operands);
    return { attribute, operator: LEGACY_OPERATORS[ComparisonOperator] ?? 'unindexable', operands };
  });
}

function comparisonsOf(input: QueryInput, placeholders: Placeholders): KeyComparison[] {
  if (input.KeyConditionExpression !== undefined) return keyComparisons(input.KeyConditionExpression, placeholders);
  return legacyComparisons(input.KeyConditions!);
}

function legacyFilterOf(input: ReadInput, legacy: Record<string, LegacyCondition> | undefined): Condition | undefined {
  if (legacy && Object.keys(legacy).length) return bindFilter(legacy, input.ConditionalOperator);
  if (input.ConditionalOperator !== undefined)
    throw invalid('ConditionalOperator cannot be used without Filter or Expected');
  return undefined;
}

/** Checks that a query can start after a position. */
function checkBoundaries(target: Target, condition: KeyCondition, start: Position): void {
  const inside = start.partition === partitionText(condition.hash, target.items.schema);
  const narrowed = condition.range !== undefined || Object.keys(condition.equal).length > 0;
  if (!narrowed && !inside)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  if (narrowed && fitOfKey(condition, start.item) !== 'in')
    throw invalid('The provided starting key does not match the range key predicate');
  const single = !target.index && !target.items.schema.range.length;
  if (!inside || single) throw invalid('The query can return at most one row and cannot be restarted');
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html */
export function Query(input: InputOf<'Query'>, ctx: DynamodbContext): OutputOf<'Query'> {
  const placeholders = placeholdersOf(
    input,
    ['ProjectionExpression', 'FilterExpression', 'KeyConditionExpression'],
    // Legacy key conditions can be combined with other expressions.
    [
      'AttributesToGet',
      'QueryFilter',
      'ConditionalOperator',
      ...(input.KeyConditionExpression === undefined ? [] : ['KeyConditions']),
    ],
  );
  checkSelect(input);
  const legacyFilter = legacyFilterOf(input, input.QueryFilter);
  const startKey = startKeyOf(input);
  if (input.KeyConditionExpression === undefined && !input.KeyConditions)
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
  if (input.KeyConditionExpression !== undefined) checkKeyExpression(input.KeyConditionExpression, placeholders);
  const filter = legacyFilter ?? optionalCondition('FilterExpression', input.FilterExpression, placeholders);
  const projection = readProjection(input, placeholders);
  placeholders.assertAllUsed();
  const comparisons = comparisonsOf(input, placeholders);
  const target = targetOf(ctx, input, projection?.attributes);
  checkStartNames(target, startKey, BAD_START);
  const condition = fitToKey(comparisons, target.items.schema, (attribute) => checkStartAttribute(startKey, attribute));
  const start = startOf(target, startKey);
  if (start) checkBoundaries(target, condition, start);
  target.table.checkScalarKeys(projection?.nested);
  checkFilterKeys(filter, target, input.FilterExpression === undefined ? 'QueryFilter' : 'FilterExpression');
  target.table.checkScalarKeys(filter?.nested);
  if (filter && target.index && !target.fetches) checkFilterProjected(target.table, target.index, filter.attributes);
  const entries = entriesOfQuery(target.items, condition, input.ScanIndexForward !== false, start);
  const page = readPage(entries, {
    limit: input.Limit,
    sizeOf: target.sizeOf,
    fetches: target.fetches,
    accepts: (item) => filter?.matches(target.view(item)) ?? true,
  });
  return describePage('Query', { target, page }, input, projection);
}

function segmentOf(input: ScanInput): { number: number; of: number } | undefined {
  const { Segment: segment, TotalSegments: total } = input;
  if (segment === undefined && total === undefined) return undefined;
  if (segment === undefined)
    throw invalid(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  if (total === undefined)
    throw invalid(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  if (segment >= total)
    throw invalid(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${total}`,
    );
  return { number: segment, of: total };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html */
export function Scan(input: InputOf<'Scan'>, ctx: DynamodbContext): OutputOf<'Scan'> {
  const placeholders = placeholdersOf(
    input,
    ['ProjectionExpression', 'FilterExpression'],
    ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'],
  );
  checkSelect(input);
  const segment = segmentOf(input);
  const legacyFilter = legacyFilterOf(input, input.ScanFilter);
  const startKey = startKeyOf(input);
  const filter = legacyFilter ?? optionalCondition('FilterExpression', input.FilterExpression, placeholders);
  const projection = readProjection(input, placeholders);
  placeholders.assertAllUsed();
  const target = targetOf(ctx, input, projection?.attributes);
  const mismatch = `${BAD_START}: The provided key element does not match the schema`;
  checkStartNames(target, startKey, target.index ? BAD_START : mismatch);
  if (target.index)
    for (const attribute of keyAttributes(target.items.schema)) checkStartAttribute(startKey, attribute);
  const start = startOf(target, startKey);
  if (start && segment && Math.floor(start.hash / (2 ** 32 / segment.of)) !== segment.number)
    throw invalid(
      `${BAD_START}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ${segment.of} Segment: ${segment.number}`,
    );
  target.table.checkScalarKeys(projection?.nested);
  target.table.checkScalarKeys(filter?.nested);
  const page = readPage(entriesOfScan(target.items, segment, start), {
    limit: input.Limit,
    sizeOf: target.sizeOf,
    fetches: target.fetches,
    accepts: (item) => filter?.matches(target.view(item)) ?? true,
  });
  return describePage('Scan', { target, page }, input, projection);
}
