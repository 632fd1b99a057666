import type { DuckDBAppender, DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { identifier, literal, loadDuckDb, openDatabase } from '@emu/core/duckdb';
import type { QueryEvent } from '../engine/event.ts';
import type { ResultField } from '../engine/pipeline.ts';
import { SYSTEM_FIELDS } from '../engine/scope.ts';
import { displayTime, type Value } from '../engine/values.ts';
import { discover } from '../fields/discover.ts';
import { MACROS } from './functions.ts';

/** Converts text that is compared with numbers to numbers, as Spark does. */
const SETTINGS = { old_implicit_casting: 'true' };
const WHOLE = String.raw`-?\d{1,18}`;
const NUMBER = String.raw`-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`;
const RAW = ' (as read)';

/** A column of an event table. */
interface Column {
  readonly name: string;
  readonly segments: readonly string[];
  readonly isTime: boolean;
}

const columnOf = (name: string): Column => ({
  name,
  segments: name.split('.'),
  isTime: Object.hasOwn(SYSTEM_FIELDS, name) && SYSTEM_FIELDS[name]!.kind === 'timestamp',
});

/** Makes column names unique ignoring case, as DuckDB requires. */
function distinct(names: Iterable<string>): Column[] {
  const seen = new Map<string, string>();
  for (const name of names) if (!seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), name);
  return [...seen.values()].map(columnOf);
}

/** Events of one table being read. */
export class EventTable {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly appender: DuckDBAppender,
    readonly name: string,
    private readonly columns: readonly Column[],
  ) {}

  static async open(connection: DuckDBConnection, name: string, names: Iterable<string>): Promise<EventTable> {
    const columns = distinct(names);
    const declared = columns.map(({ name, isTime }) => `${identifier(name)} ${isTime ? 'BIGINT' : 'VARCHAR'}`);
    // A table needs a column even if a query only counts.
    await connection.run(`CREATE TABLE ${identifier(name + RAW)} (${['" " BOOLEAN', ...declared].join(', ')})`);
    return new EventTable(connection, await connection.createAppender(name + RAW), name, columns);
  }

  add(event: QueryEvent): void {
    const { appender } = this;
    appender.appendNull();
    let fields: ReturnType<typeof discover> | undefined;
    for (const { name, segments, isTime } of this.columns) {
      const system = Object.hasOwn(SYSTEM_FIELDS, name) ? SYSTEM_FIELDS[name] : undefined;
      if (!system) fields ??= discover(event);
      const value = system ? system.of(event) : fields!.get(name, segments);
      if (value === undefined) appender.appendNull();
      else if (isTime) appender.appendBigInt(BigInt(value as number));
      else appender.appendVarchar(columnText(value));
    }
    appender.endRow();
  }

  /**
   * Ends reading.
   * @returns SQL of non-empty columns, by lower-case name
   */
  async close(): Promise<Map<string, string>> {
    this.appender.closeSync();
    const counted = this.columns.map(({ name, isTime }) => {
      const column = identifier(name);
      const all = (pattern: string) =>
        isTime ? 'true' : `bool_and(regexp_full_match(${column}, ${literal(pattern)}))`;
      return `count(${column}), ${all(WHOLE)}, ${all(NUMBER)}, ${all('true|false')}`;
    });
    if (!counted.length) return new Map();
    const result = await this.connection.run(`SELECT ${counted.join(', ')} FROM ${identifier(this.name + RAW)}`);
    const [row = []] = await result.getRows();
    const found = new Map<string, string>();
    for (const [index, { name, isTime }] of this.columns.entries()) {
      const [count, whole, number, truth] = row.slice(index * 4, index * 4 + 4);
      if (!count) continue;
      const column = identifier(name);
      const type = whole ? 'BIGINT' : number ? 'DOUBLE' : truth ? 'BOOLEAN' : 'VARCHAR';
      const typed = isTime ? `make_timestamp_ms(${column})` : `CAST(${column} AS ${type})`;
      found.set(name.toLowerCase(), `${typed} AS ${column}`);
    }
    return found;
  }

  /**
   * Creates the view for queries.
   * @param columns SQL of its columns
   */
  async show(columns: readonly string[]): Promise<void> {
    const list = columns.length ? columns.join(', ') : '" "';
    await this.connection.run(
      `CREATE VIEW ${identifier(this.name)} AS SELECT ${list} FROM ${identifier(this.name + RAW)}`,
    );
  }
}

const columnText = (value: Exclude<Value, undefined>): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Runs a function with a private database. */
export async function withDatabase<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
  const instance = await openDatabase(undefined, MACROS, SETTINGS);
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * Returns the rows of a query, up to a maximum.
 * @throws Error DuckDB's error
 */
export async function select(connection: DuckDBConnection, sql: string, most: number): Promise<ResultField[][]> {
  const { DuckDBTypeId } = await loadDuckDb();
  const isTime = ({ typeId }: DuckDBType): boolean =>
    [DuckDBTypeId.TIMESTAMP, DuckDBTypeId.TIMESTAMP_MS, DuckDBTypeId.TIMESTAMP_S, DuckDBTypeId.TIMESTAMP_NS].includes(
      typeId,
    );
  const result = await connection.stream(sql);
  const names = result.columnNames();
  const times = result.columnTypes().map(isTime);
  const rows: ResultField[][] = [];
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk?.rowCount || rows.length >= most) return rows;
    for (const values of chunk.getRows().slice(0, most - rows.length))
      rows.push(
        values.flatMap((value, column) =>
          value === null ? [] : [{ field: names[column]!, value: shown(value, times[column]!) }],
        ),
      );
  }
}

/** Formats a value for results. */
function shown(value: DuckDBValue, isTime: boolean): string {
  if (isTime) return displayTime(Date.parse(`${String(value).replace(' ', 'T')}Z`));
  return String(value);
}
