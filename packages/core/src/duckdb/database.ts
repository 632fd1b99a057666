import type { DuckDBInstance } from '@duckdb/node-api';
import { loadOptional } from '../config/optional-package.ts';

const CONFIG = {
  threads: '2',
  memory_limit: '512MB',
  max_temp_directory_size: '0B',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * Loads DuckDB, some 60 MB that are installed by who wants them, when the first query comes.
 * @throws AwsError `NotImplemented` where it is not installed
 */
export const loadDuckDb = (): Promise<typeof import('@duckdb/node-api')> =>
  loadOptional('@duckdb/node-api', () => import('@duckdb/node-api'));

/** A text as a literal of DuckDB's. @param text without null characters */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name as an identifier of DuckDB's. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a database that reaches nothing outside of it.
 * @param file the one file that it may read and write
 * @param prepare statements to run first
 * @param settings of DuckDB's, besides those of every database
 * @throws AwsError `NotImplemented` where DuckDB is not installed
 */
export async function openDatabase(
  file?: string,
  prepare: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', { ...CONFIG, ...settings });
  const connection = await instance.connect();
  try {
    if (file !== undefined) await connection.run(`SET allowed_paths = [${literal(file)}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    for (const statement of prepare) await connection.run(statement);
  } finally {
    connection.closeSync();
  }
  return instance;
}
