import { CapacityMeter, readUnits } from '../capacity.ts';
import { type Context, invalid, itemTable } from '../context.ts';
import type { Condition } from '../expressions/condition.ts';
import { fitToKey, type KeyComparison, keyComparisons } from '../expressions/key-condition.ts';
import type { Placeholders } from '../expressions/placeholders.ts';
import type { Projection } from '../expressions/projection.ts';
import type {
  Condition as LegacyCondition,
  QueryInput,
  QueryOutput,
  ScanInput,
  ScanOutput,
  Select,
} from '../generated/dynamodb.ts';
import type { ItemIndex, Position } from '../item-index.ts';
import { identityOf, keyAttributes, keyOf, partitionText } from '../keys.ts';
import { bindFilter, legacyTest } from '../legacy.ts';
import { optionalCondition, placeholdersOf } from '../parameters.ts';
import { entriesOfQuery, entriesOfScan, fitOfKey, type Page, readPage } from '../reads.ts';
import type { SecondaryIndex, Table } from '../table.ts';
import { checkedItem, checkedValue, type Item, itemSize } from '../values.ts';
import { readProjection } from './items.ts';

type ReadInput = QueryInput | ScanInput;

/** What a query or scan reads from, and what it shows of it. */
interface Target {
  table: Table;
  index: SecondaryIndex | undefined;
  items: ItemIndex;
  /** The item as the target holds it, with what a local index fetches from the table. */
  view(item: Item): Item;
  sizeOf(item: Item): number;
}

function targetOf(ctx: Context, input: ReadInput, wanted: ReadonlySet<string> | undefined): Target {
  const table = itemTable(ctx, input.TableName);
  if (input.IndexName === undefined)
    return { table, index: undefined, items: table.primary, view: (item) => item, sizeOf: itemSize };
  const index = table.index(input.IndexName);
  if (!index) throw invalid(`The table does not have the specified index: ${input.IndexName}`);
  if (index.kind === 'global' && input.ConsistentRead)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const fetches = checkIndexSelect(table, index, input.Select, wanted);
  const projected = (item: Item): Item => table.projected(index, item);
  return {
    table,
    index,
    items: index.items,
    view: fetches ? (item) => item : projected,
    sizeOf: (item) => itemSize(projected(item)) + (fetches ? itemSize(item) : 0),
  };
}

/** Whether a local index must fetch from its table; a global one refuses what it does not project. */
function checkIndexSelect(
  table: Table,
  index: SecondaryIndex,
  select: Select | undefined,
  wanted: ReadonlySet<string> | undefined,
): boolean {
  if (index.projection.ProjectionType === 'ALL') return false;
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'local') return true;
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  if (!wanted) return false;
  const held = new Set(
    [...keyAttributes(table.primary.schema), ...keyAttributes(index.items.schema)].map(({ name }) => name),
  );
  for (const name of index.projection.NonKeyAttributes ?? []) held.add(name);
  const missing = [...wanted].filter((name) => !held.has(name));
  if (!missing.length) return false;
  if (index.kind === 'local') return true;
  throw invalid(
    `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${missing.join(', ')}]`,
  );
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

/** The place an `ExclusiveStartKey` names. */
function startOf(target: Target, key: Item | undefined): Position | undefined {
  if (!key) return undefined;
  const attributes = [...keyAttributes(target.table.primary.schema)];
  for (const attribute of target.index ? keyAttributes(target.index.items.schema) : [])
    if (!attributes.some(({ name }) => name === attribute.name)) attributes.push(attribute);
  const names = attributes.map(({ name }) => name);
  if (Object.keys(key).length !== names.length || names.some((name) => !Object.hasOwn(key, name)))
    throw invalid('The provided starting key is invalid');
  if (attributes.some(({ name, type }) => key[name]![type] === undefined))
    throw invalid(
      target.index
        ? 'The provided starting key is invalid'
        : 'The provided starting key is invalid: The provided key element does not match the schema',
    );
  return target.items.positionOf(key, identityOf(key, target.table.primary.schema));
}

function describePage(target: Target, page: Page, input: ReadInput, projection: Projection | undefined): QueryOutput {
  const meter = new CapacityMeter(input.ReturnConsumedCapacity);
  meter.read(target.table, readUnits(page.bytes, input.ConsistentRead === true), target.index?.name);
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
    const operator = LEGACY_OPERATORS[ComparisonOperator];
    if (!operator) throw invalid('Attempted conditional constraint is not an indexable operation');
    return { attribute, operator, operands };
  });
}

function comparisonsOf(input: QueryInput, placeholders: Placeholders): KeyComparison[] {
  if (input.KeyConditionExpression !== undefined) return keyComparisons(input.KeyConditionExpression, placeholders);
  if (!input.KeyConditions)
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
  return legacyComparisons(input.KeyConditions);
}

function filterOf(
  input: ReadInput,
  legacy: Record<string, LegacyCondition> | undefined,
  placeholders: Placeholders,
): Condition | undefined {
  if (input.FilterExpression !== undefined)
    return optionalCondition('FilterExpression', input.FilterExpression, placeholders);
  if (legacy && Object.keys(legacy).length) return bindFilter(legacy, input.ConditionalOperator);
  if (input.ConditionalOperator !== undefined)
    throw invalid('ConditionalOperator cannot be used without Filter or Expected');
  return undefined;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html */
export function Query(input: QueryInput, ctx: Context): QueryOutput {
  const placeholders = placeholdersOf(
    input,
    ['KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'],
    ['KeyConditions', 'QueryFilter', 'AttributesToGet', 'ConditionalOperator'],
  );
  checkSelect(input);
  const startKey = input.ExclusiveStartKey && checkedItem(input.ExclusiveStartKey);
  const filter = filterOf(input, input.QueryFilter, placeholders);
  const projection = readProjection(input, placeholders);
  const comparisons = comparisonsOf(input, placeholders);
  placeholders.assertAllUsed();
  const target = targetOf(ctx, input, projection?.attributes);
  const condition = fitToKey(comparisons, target.items.schema);
  checkFilterKeys(filter, target, input.FilterExpression === undefined ? 'QueryFilter' : 'FilterExpression');
  const start = startOf(target, startKey);
  if (start && start.partition !== partitionText(condition.hash, target.items.schema))
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  if (start && fitOfKey(condition, start.item) !== 'in')
    throw invalid('The provided starting key does not match the range key predicate');
  const entries = entriesOfQuery(target.items, condition, input.ScanIndexForward !== false, start);
  const page = readPage(entries, {
    limit: input.Limit,
    sizeOf: target.sizeOf,
    accepts: (item) => filter?.matches(target.view(item)) ?? true,
  });
  return describePage(target, page, input, projection);
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

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html */
export function Scan(input: ScanInput, ctx: Context): ScanOutput {
  const placeholders = placeholdersOf(
    input,
    ['FilterExpression', 'ProjectionExpression'],
    ['ScanFilter', 'AttributesToGet', 'ConditionalOperator'],
  );
  checkSelect(input);
  const segment = segmentOf(input);
  const startKey = input.ExclusiveStartKey && checkedItem(input.ExclusiveStartKey);
  const filter = filterOf(input, input.ScanFilter, placeholders);
  const projection = readProjection(input, placeholders);
  placeholders.assertAllUsed();
  const target = targetOf(ctx, input, projection?.attributes);
  const start = startOf(target, startKey);
  if (start && segment && Math.floor(start.hash / (2 ** 32 / segment.of)) !== segment.number)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  const page = readPage(entriesOfScan(target.items, segment, start), {
    limit: input.Limit,
    sizeOf: target.sizeOf,
    accepts: (item) => filter?.matches(target.view(item)) ?? true,
  });
  return describePage(target, page, input, projection);
}
