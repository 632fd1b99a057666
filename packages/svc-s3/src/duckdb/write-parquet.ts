import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { DuckDBAppender } from '@duckdb/node-api';
import { identifier, literal, loadDuckDb, openDatabase } from '@emu/core/duckdb';
import type { ParquetColumn, ParquetValue } from '@emu/service-types/internal/s3';
import { placeForFile } from './spool.ts';

/** Number of rows between yields to other tasks. */
const TURN = 1000;

const TYPES: Readonly<Record<ParquetColumn['type'], string>> = {
  string: 'VARCHAR',
  long: 'BIGINT',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP_MS',
};

type Millis = (millis: bigint) => Parameters<DuckDBAppender['appendTimestampMilliseconds']>[0];

function append(appender: DuckDBAppender, { type }: ParquetColumn, value: ParquetValue, timestamp: Millis): void {
  if (value === undefined) appender.appendNull();
  else if (type === 'string') appender.appendVarchar(String(value));
  else if (type === 'boolean') appender.appendBoolean(value === true);
  else if (type === 'long') appender.appendBigInt(BigInt(value));
  else appender.appendTimestampMilliseconds(timestamp(BigInt(value)));
}

/**
 * Writes a Parquet file and returns its bytes. All rows are in memory: callers split large data into several files.
 * DuckDB makes all columns optional.
 * @throws Error of the file system, or of DuckDB if out of memory
 */
export async function* parquetOf(
  columns: readonly ParquetColumn[],
  rows: Iterable<readonly ParquetValue[]>,
): AsyncGenerator<Uint8Array> {
  const file = await placeForFile();
  try {
    await write(file.path, columns, rows);
    yield* createReadStream(file.path) as AsyncIterable<Uint8Array>;
  } finally {
    await file.remove();
  }
}

async function write(
  path: string,
  columns: readonly ParquetColumn[],
  rows: Iterable<readonly ParquetValue[]>,
): Promise<void> {
  const { DuckDBTimestampMillisecondsValue } = await loadDuckDb();
  const timestamp: Millis = (millis) => new DuckDBTimestampMillisecondsValue(millis);
  const instance = await openDatabase(path);
  try {
    const connection = await instance.connect();
    try {
      const definitions = columns.map(({ name, type }) => `${identifier(name)} ${TYPES[type]}`);
      await connection.run(`CREATE TABLE list (${definitions.join(', ')})`);
      const appender = await connection.createAppender('list');
      try {
        let count = 0;
        for (const row of rows) {
          for (const [index, column] of columns.entries()) append(appender, column, row[index], timestamp);
          appender.endRow();
          if (++count % TURN === 0) await setImmediate();
        }
      } finally {
        appender.closeSync();
      }
      await connection.run(`COPY list TO ${literal(path)} (FORMAT parquet)`);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}
