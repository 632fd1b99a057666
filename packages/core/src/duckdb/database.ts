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
 * Loads DuckDB at the first query; it is an optional package of some 60 MB.
 * @throws AwsError `NotImplemented` if it is not installed
 */
export const loadDuckDb = (): Promise<typeof import('@duckdb/node-api')> =>
  loadOptional('@duckdb/node-api', () => import('@duckdb/node-api'));

/** Returns a text as a literal of DuckDB. @param text without null characters */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns a name as an identifier of DuckDB. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a database without access to anything outside of it.
 * @param file the one file that it may read and write
 * @param prepare statements to run first
 * @param settings settings of DuckDB in addition to those of every database
 * @throws AwsError `NotImplemented` if DuckDB is not installed
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
