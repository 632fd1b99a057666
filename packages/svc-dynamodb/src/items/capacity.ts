import type { Capacity, ConsumedCapacity, ReturnConsumedCapacity } from '@emu/service-types/dynamodb';
import type { Table } from '../tables/table.ts';

/**
 * Capacity units as defined by "Read and write operations" of the developer guide. They are collected per table and
 * index during a request and described at its end.
 */

const READ_UNIT_BYTES = 4096;
const WRITE_UNIT_BYTES = 1024;

/** Returns the read units for a number of bytes; at least one unit. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistent ? 1 : 0.5);
}

/** Returns the write units for an item of a number of bytes. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

interface Amounts {
  table: number;
  local: Map<string, number>;
  global: Map<string, number>;
}

/** Capacity consumed by one request. */
export class CapacityMeter {
  // Created only if the caller requests it.
  private reads: Map<Table, Amounts> | undefined;
  private writes: Map<Table, Amounts> | undefined;

  /**
   * @param mode requested level of detail
   * @param factor 2 for transactions, which cost twice
   */
  constructor(
    private readonly mode: ReturnConsumedCapacity | undefined,
    private readonly factor = 1,
  ) {}

  /** Counts units read from a table or one of its indexes. */
  read(table: Table, units: number, indexName?: string): void {
    table.reportConsumed('Read', units * this.factor, indexName);
    if (!this.wanted) return;
    this.reads ??= new Map();
    add(this.reads, table, units * this.factor, indexName);
  }

  /** Counts units written to a table or one of its indexes. */
  write(table: Table, units: number, indexName?: string): void {
    table.reportConsumed('Write', units * this.factor, indexName);
    if (!this.wanted) return;
    this.writes ??= new Map();
    add(this.writes, table, units * this.factor, indexName);
  }

  /** Returns the consumption by table, in order of first use; undefined if not requested. */
  describe(): ConsumedCapacity[] | undefined {
    if (!this.wanted) return undefined;
    const tables = new Set([...(this.reads?.keys() ?? []), ...(this.writes?.keys() ?? [])]);
    return [...tables].map((table) => this.describeTable(table));
  }

  /** Returns the consumption of a request that uses one table. */
  describeOne(): ConsumedCapacity | undefined {
    return this.describe()?.[0];
  }

  private get wanted(): boolean {
    return this.mode !== undefined && this.mode !== 'NONE';
  }

  private describeTable(table: Table): ConsumedCapacity {
    const read = this.reads?.get(table);
    const write = this.writes?.get(table);
    const both = read !== undefined && write !== undefined;
    const out: ConsumedCapacity = { TableName: table.name, CapacityUnits: total(read) + total(write) };
    if (both || this.factor > 1) {
      if (read) out.ReadCapacityUnits = total(read);
      if (write) out.WriteCapacityUnits = total(write);
    }
    if (this.mode !== 'INDEXES') return out;
    const detailed = this.factor > 1;
    const capacity = (readPart: number | undefined, writePart: number | undefined): Capacity => ({
      CapacityUnits: (readPart ?? 0) + (writePart ?? 0),
      ...(detailed && readPart !== undefined && { ReadCapacityUnits: readPart }),
      ...(detailed && writePart !== undefined && { WriteCapacityUnits: writePart }),
    });
    out.Table = capacity(read?.table, write?.table);
    for (const kind of ['local', 'global'] as const) {
      const names = new Set([...(read?.[kind].keys() ?? []), ...(write?.[kind].keys() ?? [])]);
      if (!names.size) continue;
      const described: Record<string, Capacity> = {};
      for (const name of names) described[name] = capacity(read?.[kind].get(name), write?.[kind].get(name));
      if (kind === 'local') out.LocalSecondaryIndexes = described;
      else out.GlobalSecondaryIndexes = described;
    }
    return out;
  }
}

/** Adds units to the amounts of a table or one of its indexes. */
function add(target: Map<Table, Amounts>, table: Table, units: number, indexName: string | undefined): void {
  let amounts = target.get(table);
  if (!amounts) {
    amounts = { table: 0, local: new Map(), global: new Map() };
    target.set(table, amounts);
  }
  if (indexName === undefined) {
    amounts.table += units;
    return;
  }
  const group = table.index(indexName)!.kind === 'local' ? amounts.local : amounts.global;
  group.set(indexName, (group.get(indexName) ?? 0) + units);
}

function total(amounts: Amounts | undefined): number {
  if (!amounts) return 0;
  let sum = amounts.table;
  for (const group of [amounts.local, amounts.global]) for (const units of group.values()) sum += units;
  return sum;
}
