import type { InventoryAggregator, InventoryFilter } from '@emu/service-types/ssm';
import { compares } from '../comparisons.ts';
import { ssmError } from '../errors.ts';
import type { InventoryItem } from './store.ts';

/** Inventory of a node by type. */
export type NodeInventory = ReadonlyMap<string, InventoryItem>;

type Row = Record<string, string>;

/** Maximum number of value combinations that are counted. */
const MAX_ROWS = 100_000;

interface Path {
  readonly type: string;
  readonly attribute: string;
}

/** Parses a path such as `AWS:InstanceInformation.PlatformType`. */
function pathOf(text: string): Path | undefined {
  const dot = text.lastIndexOf('.');
  return /^(AWS|Custom):/.test(text) && dot > 0
    ? { type: text.slice(0, dot), attribute: text.slice(dot + 1) }
    : undefined;
}

/**
 * Returns the predicate for node filters.
 * @param grouping whether the filters define aggregator groups, the only place where `Exists` is valid
 * @throws AwsError `InvalidFilter`
 */
export function nodeFilter(
  filters: readonly InventoryFilter[] = [],
  grouping = false,
): (inventory: NodeInventory) => boolean {
  const tests = filters.map(({ Key, Values, Type = 'Equal' }) => {
    if (Type === 'Exists') {
      if (!grouping) throw ssmError('InvalidFilter', 'The Exists filter must be used with aggregators.');
      if (Key !== 'TypeName') throw ssmError('InvalidFilter', `The Exists filter has the key TypeName, not ${Key}.`);
      return (inventory: NodeInventory) => Values.some((value) => inventory.has(value));
    }
    const path = pathOf(Key);
    if (!path) throw ssmError('InvalidFilter', `The filter key ${Key} is not an inventory type with an attribute.`);
    return (inventory: NodeInventory) =>
      (inventory.get(path.type)?.content ?? []).some((entry) =>
        entry[path.attribute] === undefined ? false : compares(entry[path.attribute]!, Type, Values),
      );
  });
  return (inventory) => tests.every((test) => test(inventory));
}

/**
 * Counts nodes by aggregators.
 * @returns rows by inventory type or group name
 * @throws AwsError `InvalidAggregatorException`, `InvalidFilter`, `InvalidInventoryGroupException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/inventory-aggregate.html
 */
export function aggregate(
  nodes: readonly NodeInventory[],
  aggregators: readonly InventoryAggregator[],
): Map<string, Row[]> {
  const counted = new Map<string, Row[]>();
  for (const { Expression, Aggregators, Groups } of aggregators) {
    if ((Expression === undefined) === (Groups === undefined))
      throw ssmError('InvalidAggregatorException', 'An aggregator has either an expression or groups.');
    for (const { Name, Filters } of Groups ?? []) {
      if (counted.has(Name)) throw ssmError('InvalidInventoryGroupException', `There are two groups called ${Name}.`);
      const passes = nodeFilter(Filters, true);
      const matching = nodes.filter(passes).length;
      counted.set(Name, [{ notMatchingCount: String(nodes.length - matching) }, { matchingCount: String(matching) }]);
    }
    if (Expression !== undefined)
      for (const chain of chainsOf({ Expression, Aggregators })) {
        const { type } = chain[0]!;
        counted.set(type, [...(counted.get(type) ?? []), ...countBy(nodes, chain)]);
      }
  }
  return counted;
}

/** Returns the paths from an aggregator to each innermost aggregator. */
function chainsOf({ Expression = '', Aggregators, Groups }: InventoryAggregator): Path[][] {
  const path = pathOf(Expression);
  if (!path || Groups)
    throw ssmError(
      'InvalidAggregatorException',
      `The expression ${Expression} is not an inventory type with an attribute.`,
    );
  return Aggregators?.length ? Aggregators.flatMap(chainsOf).map((chain) => [path, ...chain]) : [[path]];
}

/** Counts nodes by combination of values. */
function countBy(nodes: readonly NodeInventory[], chain: readonly Path[]): Row[] {
  const counts = new Map<string, number>();
  for (const inventory of nodes)
    for (const row of rowsOf(inventory, chain)) counts.set(row, (counts.get(row) ?? 0) + 1);
  return [...counts].map(([row, count]) => ({ ...(JSON.parse(row) as Row), Count: String(count) }));
}

/** Returns a node's distinct combinations of values as JSON; attributes of one type come from the same entry. */
function rowsOf(inventory: NodeInventory, chain: readonly Path[]): Set<string> {
  let rows = new Set(['{}']);
  for (const type of new Set(chain.map((path) => path.type))) {
    const names = chain.filter((path) => path.type === type).map(({ attribute }) => attribute);
    const entries = new Set(
      (inventory.get(type)?.content ?? [])
        .filter((entry) => names.every((name) => entry[name] !== undefined))
        .map((entry) => JSON.stringify(Object.fromEntries(names.map((name) => [name, entry[name]])))),
    );
    if (rows.size * entries.size > MAX_ROWS)
      throw ssmError('InvalidAggregatorException', `The aggregation has more than ${MAX_ROWS} combinations.`);
    rows = new Set(
      [...rows].flatMap((row) =>
        [...entries].map((entry) => JSON.stringify({ ...(JSON.parse(row) as Row), ...(JSON.parse(entry) as Row) })),
      ),
    );
  }
  return rows;
}
