import type { Collection, DeepReadonly } from '@emu/core/service';
import { parse } from 'csv-parse/sync';
import { invalidParameter } from '../errors.ts';
import type { LookupSource } from './engine/stages/lookup.ts';
import type { LookupTableRecord } from './records.ts';

/** A stored lookup table. */
export type LookupTable = DeepReadonly<LookupTableRecord>;

/** The lookup tables of an account and region. */
export class LookupTables {
  /** Parsed tables by name. */
  private readonly read = new Map<string, { body: string; source: LookupSource }>();

  constructor(readonly tables: Collection<LookupTableRecord>) {}

  find(name: string): LookupTable | undefined {
    return this.tables.get(name);
  }

  /** Returns all tables in order of name. */
  list(): LookupTable[] {
    return [...this.tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  put(record: LookupTableRecord): LookupTable {
    return this.tables.put(record.name, record);
  }

  update(name: string, change: (draft: LookupTableRecord) => void): LookupTable {
    return this.tables.update(name, change);
  }

  delete(name: string): void {
    this.tables.delete(name);
    this.read.delete(name);
  }

  /** Returns the rows of a table. */
  source(name: string): LookupSource | undefined {
    const table = this.tables.get(name);
    if (!table) return undefined;
    const known = this.read.get(name);
    if (known?.body === table.body) return known.source;
    const source = readTable(table.body);
    this.read.set(name, { body: table.body, source });
    return source;
  }
}

/**
 * Parses CSV with a header.
 * @throws AwsError `InvalidParameterException`
 */
export function readTable(body: string): LookupSource {
  let rows: string[][];
  try {
    rows = parse(body, { bom: true, skip_empty_lines: true });
  } catch (error) {
    throw invalidParameter(`The table body is not valid CSV: ${(error as Error).message}`);
  }
  const [columns, ...records] = rows;
  if (!columns?.length || columns.includes('')) throw invalidParameter('The table body needs a header row.');
  if (new Set(columns).size < columns.length) throw invalidParameter('The header row names a column twice.');
  return { columns, rows: records };
}
