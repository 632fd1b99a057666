import { notEmulated, Slices } from '@emu/core/service';
import type { QueryLanguage, StartQueryRequest } from '@emu/service-types/logs';
import { invalidParameter, limitExceeded, logsError } from '../../errors.ts';
import { cutoffOf } from '../../groups/retention.ts';
import { indexPoliciesOf } from '../../index-policies.ts';
import type { RegisteredGroup } from '../../registry.ts';
import { compileQuery, DEFAULT_RESULTS } from '../engine/compile.ts';
import type { Pipeline, TimeRange } from '../engine/pipeline.ts';
import { QueryError, UnsupportedQuery } from '../language/errors.ts';
import { parseQuery } from '../language/parse.ts';
import type { Query } from '../language/syntax.ts';
import { prepareSql } from '../sql/query.ts';
import { MAX_RUNNING } from './queries.ts';
import type { QueryFacts, QueryOutcome, QueryRun, ScanCounts } from './query-run.ts';
import { scan } from './scan.ts';
import { boundTime, identifierOf, type QueryCaller, selectGroups } from './selection.ts';

/** The query to run, with log groups and time range. */
interface Prepared {
  readonly targets: RegisteredGroup[];
  readonly range: TimeRange;
  run(counts: ScanCounts, signal: AbortSignal): Promise<QueryOutcome>;
}

/** Commands not available in the infrequent access class. */
const STANDARD_ONLY: readonly string[] = ['pattern', 'diff', 'unmask', 'filterIndex'];

/** Fields that the standard class indexes by default. */
const ALWAYS_INDEXED: readonly string[] = ['@logStream', '@aws.region', '@aws.account', '@source.log', 'traceId'];

/**
 * Starts a query.
 * @throws AwsError `MalformedQueryException`, `InvalidParameterException`, `ResourceNotFoundException`,
 * `LimitExceededException`; `NotImplemented` for unsupported languages and commands
 */
export async function startQuery(input: StartQueryRequest, caller: QueryCaller): Promise<QueryRun> {
  const { queryLanguage = 'CWLI', queryString } = input;
  const prepared = await asAwsErrors(queryString, () => prepare(queryLanguage, input, caller));
  const {
    ids,
    clock,
    insights: { queries },
  } = caller.state;
  if (queries.running >= MAX_RUNNING) throw limitExceeded();
  const groups = prepared.targets.map((target) => identifierOf(target, caller.state));
  const facts: QueryFacts = {
    id: ids.uuid(),
    language: queryLanguage,
    shown: queryLanguage === 'SQL' ? queryString : shownAs(queryString, groups, prepared.range),
    groups,
    createdAt: clock.now(),
  };
  return queries.start(facts, prepared.run);
}

async function prepare(language: QueryLanguage, input: StartQueryRequest, caller: QueryCaller): Promise<Prepared> {
  if (language === 'PPL') throw notEmulated('the query language PPL of StartQuery');
  if (language === 'SQL') return prepareInSql(input, caller);
  const query = parseQuery(input.queryString);
  const targets = selectGroups(input, query.source, caller);
  const now = caller.state.clock.now();
  const range = rangeOf(input, query.source, now);
  checkRange(range, targets, input.queryString, now);
  checkClasses(query, targets, input.queryString);
  const { limit = DEFAULT_RESULTS } = input;
  const pipeline = compileQuery(query, {
    now,
    ...range,
    limit,
    lookup: (name) => caller.state.insights.lookupTables.source(name),
  });
  const nested = pipeline.nested.map((inner) => {
    const { source } = inner.query;
    const own = source ? selectGroups({}, source, caller) : targets;
    checkClasses(inner.query, own, input.queryString);
    return { targets: own, range: source ? rangeOf(input, source, now) : range, pipeline: inner.pipeline };
  });
  return {
    targets,
    range,
    async run(counts, signal) {
      const indexed = [...nested, { targets, range, pipeline }].map((query) => ({
        ...query,
        targets: query.targets.filter((target) => isWorthReading(target, query.pipeline, counts)),
      }));
      counts.groups = new Set(indexed.flatMap((query) => query.targets.map(({ group }) => group))).size;
      const slices = new Slices();
      for (const [index, query] of indexed.entries()) {
        await scan({ ...query, counts, signal });
        if (signal.aborted) break;
        const inner = pipeline.nested[index];
        if (inner) await slices.run(inner.finish());
      }
      const results = signal.aborted ? [] : await slices.run(pipeline.finish());
      return { results, matched: pipeline.counts.matched };
    },
  };
}

/** @throws AwsError, QueryError */
async function prepareInSql(input: StartQueryRequest, caller: QueryCaller): Promise<Prepared> {
  const { queryString, limit = DEFAULT_RESULTS } = input;
  if (input.logGroupName !== undefined || input.logGroupNames || input.logGroupIdentifiers)
    throw invalidParameter('Log groups of SQL queries must be specified in the query string.');
  const { tables, run } = await prepareSql(input, caller, limit);
  const targets = [...new Set([...tables.values()].flat())];
  const range = rangeOf(input, undefined);
  checkRange(range, targets, queryString, caller.state.clock.now());
  return { targets, range, run: (counts, signal) => run(range, counts, signal) };
}

/** Whether a group has an index on each of some fields. */
function hasIndexes({ state, group }: RegisteredGroup, names: readonly string[]): boolean {
  const indexed = indexPoliciesOf(state, group).flatMap(({ fields }) => fields);
  return names.every((name) => indexed.includes(name) || ALWAYS_INDEXED.includes(name));
}

/** Whether a group has the indexes that a query requires; counts skipped scans. */
function isWorthReading(target: RegisteredGroup, { hints }: Pipeline, counts: ScanCounts): boolean {
  if (hasIndexes(target, hints.indexes)) return true;
  const { state, group } = target;
  for (const { events, bytes } of state.store.segments(group.key)) {
    counts.skipped += events;
    counts.skippedBytes += bytes;
  }
  return false;
}

/** Returns the time range of a request, in whole seconds, or of the query's `SOURCE`. */
function rangeOf({ startTime, endTime }: StartQueryRequest, source: Query['source'] | undefined, now = 0): TimeRange {
  const bounds = new Map(source?.bounds.map((bound) => [bound.name, boundTime(bound, now)]));
  return { start: bounds.get('start') ?? startTime * 1000, end: bounds.get('end') ?? endTime * 1000 + 999 };
}

function checkRange({ start, end }: TimeRange, targets: readonly RegisteredGroup[], query: string, now: number): void {
  if (start > end) throw invalidParameter('The end time of a query must not be before its start time.');
  const reaches = ({ group: { record } }: RegisteredGroup) =>
    end >= Math.max(record.createdAt, cutoffOf(record, now) ?? 0);
  if (!targets.some(reaches))
    throw new QueryError(
      `Query's end date and time is either before the log groups creation time or exceeds the log groups log retention settings ([0,${query.length}])`,
      0,
      query.length,
    );
}

function checkClasses({ commands }: Query, targets: readonly RegisteredGroup[], text: string): void {
  const command = commands.find(({ type }) => STANDARD_ONLY.includes(type));
  if (command && targets.some(({ group }) => group.record.class === 'INFREQUENT_ACCESS'))
    throw new QueryError(
      `The command ${command.type} is not supported for log groups of the INFREQUENT_ACCESS log class`,
      command.offset,
      text.length,
    );
}

/** Returns a query as DescribeQueries returns it. */
function shownAs(query: string, groups: readonly string[], { start, end }: TimeRange): string {
  const names = groups.map((name) => `"${name}"`).join(', ');
  const rest = query.replace(/^\s*SOURCE\b[^|]*\|?/i, '').trimStart();
  return `SOURCE ${names} START=${start} END=${end} | ${rest}`;
}

/** Converts a query error to AWS's response. */
export async function asAwsErrors<T>(query: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnsupportedQuery) throw logsError('NotImplemented', error.message, { status: 501 });
    if (!(error instanceof QueryError)) throw error;
    const { message, start, end } = error;
    const location = { startCharOffset: Math.min(start, query.length), endCharOffset: Math.min(end, query.length) };
    throw logsError('MalformedQueryException', message, { members: { queryCompileError: { location, message } } });
  }
}
