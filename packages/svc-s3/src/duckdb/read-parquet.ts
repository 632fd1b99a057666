import { identifier, literal, openDatabase } from '@emu/core/duckdb';
import { selectError } from '../select/errors.ts';
import { spool } from './spool.ts';

/** DuckDB's error messages for files that are not Parquet. */
const NOT_PARQUET = /parquet|Thrift|snappy|zstd|magic bytes/i;

/**
 * Yields the rows of a Parquet file, with some columns as text.
 * @param columns names; a row has `undefined` for missing columns and NULL
 * @throws AwsError `ParquetParsingError` for an invalid file
 */
export async function* rowsOfParquet(
  body: AsyncIterable<Uint8Array>,
  columns: readonly string[],
): AsyncGenerator<readonly (string | undefined)[]> {
  const file = await spool(body);
  try {
    const instance = await openDatabase(file.path);
    try {
      const connection = await instance.connect();
      try {
        const source = `read_parquet(${literal(file.path)})`;
        const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
        const present = new Set(described.getRows().map(([name]) => String(name)));
        const selected = columns.map((name) => (present.has(name) ? `CAST(${identifier(name)} AS VARCHAR)` : 'NULL'));
        const result = await connection.stream(`SELECT ${selected.join(', ')} FROM ${source}`);
        for (;;) {
          const chunk = await result.fetchChunk();
          if (!chunk || chunk.rowCount === 0) return;
          for (const row of chunk.getRows() as (string | null)[][]) yield row.map((value) => value ?? undefined);
        }
      } finally {
        connection.closeSync();
      }
    } finally {
      instance.closeSync();
    }
  } catch (error) {
    if (error instanceof Error && NOT_PARQUET.test(error.message)) throw selectError('ParquetParsingError');
    throw error;
  } finally {
    await file.remove();
  }
}
