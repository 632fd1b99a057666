import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import { literal, openDatabase } from '@emu/core/duckdb';
import { AwsError } from '@emu/wire';
import { type SelectErrorCode, selectError } from './errors.ts';
import type { Query } from './query.ts';
import type { Scan } from './serialization/scan-range.ts';
import { MACROS } from './values.ts';

/** SQL of a batch's records: JSON texts, one per line of the parameter. */
export const BATCH = "SELECT CAST(t AS JSON) AS r FROM (SELECT unnest(string_split($1, chr(10))) AS t) WHERE t <> ''";

/**
 * Returns the SQL of a Parquet file's records.
 * @param path of a temporary file
 * @param scan restricts row groups to those that start in a range
 */
export function parquetRecords(path: string, scan: Scan | undefined): string {
  const file = literal(path);
  if (!scan) return `SELECT to_json(t) AS r FROM read_parquet(${file}) t`;
  const groups = `SELECT sum(n) OVER (ORDER BY id) - n AS first, n, begins FROM (
    SELECT row_group_id AS id, any_value(row_group_num_rows) AS n, min(least(coalesce(dictionary_page_offset, data_page_offset), data_page_offset)) AS begins
    FROM parquet_metadata(${file}) GROUP BY row_group_id)`;
  return `SELECT to_json(t) AS r FROM (
    SELECT * EXCLUDE (file_row_number) FROM read_parquet(${file}, file_row_number = true) WHERE EXISTS (
      SELECT 1 FROM (${groups}) WHERE begins >= ${scan.start} AND begins < ${scan.end} AND file_row_number >= first AND file_row_number < first + n)) t`;
}

/** A result row: JSON texts, `null` for missing values. */
export type Row = readonly (string | null)[];

let shared: Promise<DuckDBInstance> | undefined;

/** Runs one query batch by batch. */
export class QueryRun {
  private statement: DuckDBPreparedStatement | undefined;
  private remaining: number;

  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly query: Query,
    private readonly instance: DuckDBInstance | undefined,
  ) {
    this.remaining = query.limit;
  }

  /** @param file the Parquet file of the query */
  static async open(query: Query, file?: string): Promise<QueryRun> {
    if (file !== undefined) {
      const instance = await openDatabase(file, MACROS);
      return new QueryRun(await instance.connect(), query, instance);
    }
    shared ??= openDatabase(undefined, MACROS).catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    return new QueryRun(await (await shared).connect(), query, undefined);
  }

  /** Whether no more rows are needed. */
  get done(): boolean {
    return this.remaining <= 0;
  }

  /**
   * Yields the rows of a batch in chunks; none with aggregates.
   * @param batch JSON texts, one per line; undefined for a file
   * @throws AwsError the query's error
   */
  async *rows(batch: string | undefined): AsyncGenerator<readonly Row[]> {
    if (this.done) return;
    try {
      if (this.query.total !== undefined) {
        await this.collect(batch);
        return;
      }
      this.statement ??= await this.connection.prepare(this.query.select);
      if (batch !== undefined) this.statement.bindVarchar(1, batch);
      yield* this.read(this.statement);
    } catch (error) {
      throw explain(error);
    }
  }

  /** Stores a batch's partial aggregates. */
  private async collect(batch: string | undefined): Promise<void> {
    const { connection, query } = this;
    if (!this.statement) {
      await connection.run(`CREATE TEMP TABLE parts AS ${query.select}`, batch === undefined ? undefined : [batch]);
      this.statement = await connection.prepare(`INSERT INTO parts ${query.select}`);
      return;
    }
    if (batch !== undefined) this.statement.bindVarchar(1, batch);
    await this.statement.run();
  }

  /** Returns the final aggregates, if any. */
  async *totals(): AsyncGenerator<readonly Row[]> {
    if (this.query.total === undefined || this.done) return;
    try {
      yield* this.read(await this.connection.prepare(this.query.total));
    } catch (error) {
      throw explain(error);
    }
  }

  private async *read(statement: DuckDBPreparedStatement): AsyncGenerator<readonly Row[]> {
    const result = await statement.stream();
    while (this.remaining > 0) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      const rows = (chunk.getRows() as Row[]).slice(0, this.remaining);
      this.remaining -= rows.length;
      yield rows;
    }
  }

  close(): void {
    this.statement?.destroySync();
    this.connection.closeSync();
    this.instance?.closeSync();
  }
}

/** Converts DuckDB's errors to S3's. */
const EXPLANATIONS: readonly (readonly [RegExp, SelectErrorCode])[] = [
  [/Malformed JSON/i, 'JSONParsingError'],
  [/parquet|Thrift|snappy|zstd|magic bytes/i, 'ParquetParsingError'],
  [/overflow|out of range/i, 'IntegerOverflow'],
  [/Conversion Error|Could not convert|invalid (timestamp|date)/i, 'CastFailed'],
  [/like pattern|escape/i, 'LikeInvalidInputs'],
  [/expression depth|Out of Memory|memory exhausted|maximum .*depth/i, 'ParseUnsupportedSyntax'],
  [/Binder Error|Cannot compare|No function matches/i, 'IncorrectSqlFunctionArgumentType'],
];

function explain(error: unknown): unknown {
  if (error instanceof AwsError || !(error instanceof Error)) return error;
  const found = EXPLANATIONS.find(([pattern]) => pattern.test(error.message));
  return found ? selectError(found[1]) : error;
}
