import type { AttributeValue } from '@emu/service-types/dynamodb';
import { identityOf, type KeySchema, keyAttributes, keyOf } from '../attributes/keys.ts';
import type { Entry, ItemIndex, Position } from '../attributes/ordered-index.ts';
import { checkedItem, checkSize, type Item } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { itemTable } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import { fitToKey, type KeyComparison } from '../expressions/key-condition.ts';
import type { Projection } from '../expressions/projection.ts';
import { entriesOfQuery, entriesOfScan } from '../items/reads.ts';
import type { Write } from '../items/writes.ts';
import { checkFilterProjected, fetchesFor } from '../tables/index-projection.ts';
import { checkFilled, type SecondaryIndex, type Table } from '../tables/table.ts';
import { type PartiqlCondition, parseStatement, type ReturningClause, type SelectStatement } from './syntax.ts';
import { attributeOf, Translator } from './translate.ts';

/** A planned SELECT: the entries to read, the filter and the projection. */
export interface ReadPlan {
  kind: 'read';
  /** Whether the statement only tests the existence of an item. */
  exists: boolean;
  table: Table;
  index: SecondaryIndex | undefined;
  /** Whether items of a local index are fetched from the table. */
  fetches: boolean;
  /** The complete primary key, if the statement fixes it. */
  key: Item | undefined;
  /** Whether the statement has no other condition. */
  keyOnly: boolean;
  filter: Condition | undefined;
  projection: Projection | undefined;
  entries(after: Item | undefined): Iterable<Entry>;
}

/** A planned INSERT, UPDATE or DELETE. */
export interface WritePlan {
  kind: 'write';
  write: Write;
  returning: ReturningClause;
  /** Whether it is an INSERT, which fails for an existing item. */
  inserts: boolean;
}

export type Plan = ReadPlan | WritePlan;

/**
 * Parses and plans a statement.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`
 */
export function planStatement(ctx: DynamodbContext, text: string, parameters: readonly AttributeValue[]): Plan {
  const parsed = parseStatement(text);
  const translator = new Translator(parsed, parameters);
  const { statement } = parsed;
  switch (statement.type) {
    case 'select':
    case 'exists':
      return planSelect(ctx, statement, translator);
    case 'insert': {
      const item = checkedItem(translator.item(statement.item));
      checkSize(item);
      const table = itemTable(ctx, statement.table);
      return { kind: 'write', inserts: true, returning: null, write: { kind: 'put', table, item } };
    }
    case 'update':
    case 'delete': {
      const table = itemTable(ctx, statement.table);
      const { key, rest } = splitKey(statement.where, table.primary.schema, translator);
      const condition = rest && translator.condition(rest);
      const write: Write =
        statement.type === 'delete'
          ? { kind: 'delete', table, key, condition }
          : { kind: 'update', table, key, condition, update: translator.update(statement.actions) };
      return { kind: 'write', inserts: false, returning: statement.returning, write };
    }
  }
}

const termsOf = (condition: PartiqlCondition | null): PartiqlCondition[] =>
  !condition ? [] : condition.type === 'and' ? condition.terms : [condition];

/** Extracts the equalities of all key attributes from a condition; the remaining terms are tested on the item. */
function splitKey(
  where: PartiqlCondition,
  schema: KeySchema,
  translator: Translator,
): { key: Item; rest: PartiqlCondition | undefined } {
  const keys = new Set(keyAttributes(schema).map(({ name }) => name));
  const key: Item = {};
  const rest = termsOf(where).filter((term) => {
    const comparison = comparisonOf(term, translator);
    if (comparison?.operator !== '=' || !keys.has(comparison.attribute)) return true;
    key[comparison.attribute] = comparison.operands[0]!;
    return false;
  });
  if (Object.keys(key).length !== keys.size)
    throw invalid('Where clause does not contain a mandatory equality on all key attributes');
  return { key, rest: rest.length ? { type: 'and', terms: rest } : undefined };
}

const MIRRORED = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** Returns a term as a comparison of one attribute with literals; undefined for other terms. */
function comparisonOf(term: PartiqlCondition, translator: Translator): KeyComparison | undefined {
  if (term.type === 'compare') {
    const mirrored = attributeOf(term.left) === undefined;
    const [path, value] = mirrored ? [term.right, term.left] : [term.left, term.right];
    const attribute = attributeOf(path);
    const literal = translator.literal(value);
    const operator = mirrored ? MIRRORED[term.operator] : term.operator;
    if (attribute === undefined || !literal || operator === '<>') return undefined;
    return { attribute, operator, operands: [literal] };
  }
  if (term.type === 'between') {
    const attribute = attributeOf(term.operand);
    const low = translator.literal(term.low);
    const high = translator.literal(term.high);
    return attribute !== undefined && low && high
      ? { attribute, operator: 'BETWEEN', operands: [low, high] }
      : undefined;
  }
  if (term.type === 'function' && term.name === 'begins_with' && term.args.length === 2) {
    const attribute = attributeOf(term.args[0]!);
    const prefix = translator.literal(term.args[1]!);
    return attribute !== undefined && prefix ? { attribute, operator: 'begins_with', operands: [prefix] } : undefined;
  }
  return undefined;
}

/** Returns the values of an attribute in an IN with literals. */
function membershipOf(term: PartiqlCondition, name: string, translator: Translator): AttributeValue[] | undefined {
  if (term.type !== 'in' || attributeOf(term.operand) !== name) return undefined;
  const values = term.candidates.map((candidate) => translator.literal(candidate));
  return values.every((value) => value !== undefined) ? (values as AttributeValue[]) : undefined;
}

function planSelect(ctx: DynamodbContext, statement: SelectStatement, translator: Translator): ReadPlan {
  const table = itemTable(ctx, statement.table);
  const index = statement.index === null ? undefined : table.index(statement.index);
  if (statement.index !== null && !index) throw invalid('The table does not have the specified index');
  if (index) checkFilled(index);
  const projection = translator.projection(statement.projection);
  const items = index?.items ?? table.primary;
  const filter = statement.where ? translator.condition(statement.where) : undefined;
  const forward = checkOrder(statement, items.schema);
  const access = accessOf(termsOf(statement.where), items, translator);
  if (statement.order && !access.queries)
    throw invalid('Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.');
  const fetches = index !== undefined && fetchesFor(table, index, projection?.attributes);
  if (index && filter && access.queries) checkFilterProjected(table, index, filter.attributes);
  const positionOf = (item: Item): Position => items.positionOf(item, identityOf(item, table.primary.schema));
  return {
    kind: 'read',
    exists: statement.type === 'exists',
    table,
    index,
    fetches,
    key: index ? undefined : access.key,
    keyOnly: termsOf(statement.where).length === keyAttributes(items.schema).length,
    filter,
    projection,
    entries: (after) => access.entries(forward, after && positionOf(after)),
  };
}

function checkOrder(statement: SelectStatement, schema: KeySchema): boolean {
  if (!statement.order) return true;
  if (!statement.where) throw invalid('Must have WHERE clause in the statement when using ORDER BY clause.');
  const names = new Set(keyAttributes(schema).map(({ name }) => name));
  for (const { name } of statement.order)
    if (!names.has(name))
      throw invalid(`Variable reference ${name} in ORDER BY clause must be part of the primary key`);
  const range = schema.range[0]?.name;
  return !statement.order.some(({ name, descending }) => name === range && descending);
}

interface Access {
  /** Whether single partitions are read instead of the whole index. */
  queries: boolean;
  key: Item | undefined;
  entries(forward: boolean, after: Position | undefined): Iterable<Entry>;
}

/**
 * Returns the cheapest access to the entries that can match: partitions by equality or IN of the hash key, otherwise a
 * scan.
 */
function accessOf(terms: readonly PartiqlCondition[], items: ItemIndex, translator: Translator): Access {
  const { schema } = items;
  const comparisons = terms.flatMap((term) => comparisonOf(term, translator) ?? []);
  const first = new Map<string, KeyComparison>();
  for (const comparison of comparisons)
    if (!first.has(comparison.attribute)) first.set(comparison.attribute, comparison);
  const fits = (comparison: KeyComparison, type: 'S' | 'N' | 'B') =>
    comparison.operands.every((operand) => operand[type] !== undefined);
  const hashes = schema.hash.map(({ name, type }) => {
    const equal = first.get(name);
    if (equal?.operator === '=' && fits(equal, type)) return equal.operands;
    const values = terms.flatMap((term) => membershipOf(term, name, translator) ?? []);
    return values.length && values.every((value) => value[type] !== undefined) ? values : undefined;
  });
  if (hashes.some((values) => !values))
    return { queries: false, key: undefined, entries: (_forward, after) => entriesOfScan(items, undefined, after) };
  const ranges = schema.range.flatMap(({ name, type }) => {
    const comparison = first.get(name);
    return comparison && fits(comparison, type) ? [comparison] : [];
  });
  const usable = ranges[0]?.attribute === schema.range[0]?.name ? ranges.slice(0, 1) : [];
  const partitions = combinations(hashes as AttributeValue[][]).map((values) => {
    const equalities = values.map(
      (value, at): KeyComparison => ({ attribute: schema.hash[at]!.name, operator: '=', operands: [value] }),
    );
    return fitToKey([...equalities, ...usable], schema);
  });
  const whole = { ...partitions[0]!.hash, ...partitions[0]!.equal };
  const single = partitions.length === 1 && Object.keys(whole).length === keyAttributes(schema).length;
  return {
    queries: true,
    key: single ? keyOf(whole, schema) : undefined,
    *entries(forward, after) {
      let started = after === undefined;
      for (const condition of partitions) {
        const here = after && items.partitionEdge(condition.hash, -1).partition === after.partition;
        if (!started && !here) continue;
        yield* entriesOfQuery(items, condition, forward, started ? undefined : after);
        started = true;
      }
    },
  };
}

function combinations(lists: readonly (readonly AttributeValue[])[]): AttributeValue[][] {
  return lists.reduce<AttributeValue[][]>(
    (all, values) => all.flatMap((prefix) => values.map((value) => [...prefix, value])),
    [[]],
  );
}
