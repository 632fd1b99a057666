import type { DuckDBInstance } from '@duckdb/node-api';

const CONFIG = {
  threads: '2',
  memory_limit: '512MB',
  max_temp_directory_size: '0B',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/** A text as a literal of DuckDB's. @param text without null characters */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name as an identifier of DuckDB's. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a database that reaches nothing outside of it.
 * @param file the one file that it may read and write
 * @param prepare statements to run first
 * @param settings of DuckDB's, besides those of every database
 */
export async function openDatabase(
  file?: string,
  prepare: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<DuckDBInstance> {
  // Its library is some 60 MB: it is loaded when the first query comes.
  const { DuckDBInstance } = await import('@duckdb/node-api');
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
