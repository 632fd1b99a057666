import { loadDuckDb } from '@emu/core/duckdb';
import type { StartQueryRequest } from '@emu/service-types/logs';
import type { RegisteredGroup } from '../../registry.ts';
import type { TimeRange } from '../engine/pipeline.ts';
import { SYSTEM_FIELDS } from '../engine/scope.ts';
import { discover } from '../fields/discover.ts';
import { QueryError } from '../language/errors.ts';
import { parseQuery } from '../language/parse.ts';
import type { QueryOutcome, ScanCounts } from '../queries/query-run.ts';
import { readEvents } from '../queries/scan.ts';
import { type QueryCaller, selectGroups } from '../queries/selection.ts';
import { EventTable, select, withDatabase } from './database.ts';
import { type Translation, translate } from './translate.ts';

/** Fields of `*` in addition to event fields, and the maximum number of the latter. */
const SHOWN = ['@timestamp', '@message', '@logStream', '@log'];
const MAX_FIELDS = 200;
/** `logGroups(logGroupIdentifier: ['a', 'b'])` */
const IDENTIFIED = /^logGroups\(\s*logGroupIdentifiers?\s*:\s*\[([^\]]*)\]\s*\)$/i;

/** A SQL query with the groups of its tables. */
export interface SqlQuery {
  readonly tables: ReadonlyMap<string, readonly RegisteredGroup[]>;
  run(range: TimeRange, counts: ScanCounts, signal: AbortSignal): Promise<QueryOutcome>;
}

/**
 * Compiles a SQL query, which DuckDB runs.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`; `NotImplemented` if DuckDB is not
 * installed; QueryError for an invalid query
 */
export async function prepareSql(input: StartQueryRequest, caller: QueryCaller, most: number): Promise<SqlQuery> {
  const { queryString } = input;
  const translation = await checkSql(queryString);
  const tables = new Map(translation.tables.map((name) => [name, groupsOf(name, caller, queryString)]));
  if (!tables.size) throw new QueryError('A query must read from a log group.', 0, queryString.length);
  return { tables, run: (range, counts, signal) => run(translation, tables, { range, counts, signal, most }) };
}

/**
 * Checks the syntax of a query and translates it.
 * @throws AwsError `NotImplemented` if DuckDB is not installed; QueryError
 */
export async function checkSql(query: string): Promise<Translation> {
  await loadDuckDb();
  const translation = translate(query);
  await withDatabase(async (connection) => {
    try {
      await connection.extractStatements(translation.sql);
    } catch (error) {
      throw new QueryError(firstLine(error), 0, query.length);
    }
  });
  return translation;
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]!;

/** Returns the groups of a table. */
function groupsOf(table: string, caller: QueryCaller, query: string): RegisteredGroup[] {
  const identified = IDENTIFIED.exec(table.trim());
  if (identified) {
    const identifiers = identified[1]!.split(',').map((text) => text.trim().replaceAll(/^['"]|['"]$/g, ''));
    return standard(selectGroups({ logGroupIdentifiers: identifiers }, null, caller), query);
  }
  if (!/^logGroups\(/i.test(table.trim())) return standard(selectGroups({ logGroupName: table }, null, caller), query);
  return standard(selectGroups({}, parseQuery(`SOURCE ${table} | limit 1`).source, caller), query);
}

/** @throws QueryError for groups outside the standard class */
function standard(targets: RegisteredGroup[], query: string): RegisteredGroup[] {
  if (targets.some(({ group }) => group.record.class !== 'STANDARD'))
    throw new QueryError('SQL is supported only for log groups of the STANDARD log class', 0, query.length);
  return targets;
}

interface Running {
  readonly range: TimeRange;
  readonly counts: ScanCounts;
  readonly signal: AbortSignal;
  readonly most: number;
}

/** Milliseconds between repeated interrupts of a stopped query. */
const INTERRUPT_EVERY = 20;
const HINTS = { contains: undefined, descending: false };

async function run(
  { sql, columns, aliases, everything }: Translation,
  tables: SqlQuery['tables'],
  { range, counts, signal, most }: Running,
): Promise<QueryOutcome> {
  return withDatabase(async (connection) => {
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      connection.interrupt();
      // DuckDB ignores an interrupt of a statement that has not started yet.
      interrupting = setInterval(() => connection.interrupt(), INTERRUPT_EVERY);
    };
    signal.addEventListener('abort', interrupt);
    counts.groups = new Set([...tables.values()].flat().map(({ group }) => group)).size;
    try {
      const loaded: { table: EventTable; found: Map<string, string> }[] = [];
      for (const [name, targets] of tables) {
        const work = { targets, range, counts, signal };
        const fields = everything ? await fieldsOf({ ...work, counts: { ...counts } }) : [];
        const table = await EventTable.open(connection, name, [...(everything ? SHOWN : []), ...columns, ...fields]);
        for await (const events of readEvents(work, HINTS)) for (const event of events) table.add(event);
        loaded.push({ table, found: await table.close() });
      }
      if (signal.aborted) return { results: [], matched: 0 };
      const known = new Set(loaded.flatMap(({ found }) => [...found.keys()]));
      const missing = columns.filter((name) => !known.has(name.toLowerCase()) && !aliases.has(name.toLowerCase()));
      for (const [index, { table, found }] of loaded.entries())
        await table.show([...found.values(), ...(index ? [] : nothing(missing))]);
      const results = await select(connection, sql, most);
      return { results, matched: results.length };
    } finally {
      signal.removeEventListener('abort', interrupt);
      clearInterval(interrupting);
    }
  });
}

/** Returns the SQL of columns that no event has. */
const nothing = (names: readonly string[]): string[] =>
  [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].map(
    (name) => `CAST(NULL AS VARCHAR) AS "${name.replaceAll('"', '""')}"`,
  );

/** Returns the fields of the events. */
async function fieldsOf(work: Parameters<typeof readEvents>[0]): Promise<string[]> {
  const names = new Set<string>();
  for await (const events of readEvents(work, HINTS))
    for (const event of events)
      for (const [name] of discover(event).entries())
        if (names.size < MAX_FIELDS && !Object.hasOwn(SYSTEM_FIELDS, name)) names.add(name);
  return [...names];
}
