import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { readPointer } from '../insights/engine/event.ts';
import { scalarText } from '../insights/engine/values.ts';
import { discover } from '../insights/fields/discover.ts';
import type { QueryRun } from '../insights/queries/query-run.ts';
import { queryEvent } from '../insights/queries/scan.ts';
import { startQuery } from '../insights/queries/start.ts';
import { groupOf } from '../lookup.ts';
import { paging } from '../paging.ts';

const MINUTE = 60_000;
/** Time range of GetLogGroupFields: around a time, or the most recent events. */
const AROUND = 8 * MINUTE;
const RECENT = 15 * MINUTE;
/** Maximum number of events it inspects. */
const MAX_SAMPLE = 10_000;
const MAX_QUERIES = 1000;
const MAX_RESULTS = 10_000;

/**
 * Starts a query of log groups; GetQueryResults returns its results.
 * @throws AwsError `MalformedQueryException`, `InvalidParameterException`, `ResourceNotFoundException`,
 * `LimitExceededException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html
 */
export async function StartQuery(input: InputOf<'StartQuery'>, ctx: LogsContext): Promise<OutputOf<'StartQuery'>> {
  return { queryId: (await startQuery(input, ctx)).facts.id };
}

/** @throws AwsError `ResourceNotFoundException` */
function requireQuery(id: string, ctx: LogsContext): QueryRun {
  const query = ctx.state.insights.queries.find(id);
  if (!query) throw notFound(`Query with ID ${id} does not exist.`);
  return query;
}

/**
 * Returns the current results of a query, with its statistics.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html
 */
export function GetQueryResults(input: InputOf<'GetQueryResults'>, ctx: LogsContext): OutputOf<'GetQueryResults'> {
  const query = requireQuery(input.queryId, ctx);
  const { facts, results, statistics } = query;
  const numbered = results.map((row, index) => ({ row, key: numericKey(index) }));
  const page = paging.page('GetQueryResults', input, numbered, ({ key }) => key, { defaultLimit: MAX_RESULTS });
  return { queryLanguage: facts.language, ...page.list(({ row }) => [...row]), statistics, status: query.report() };
}

/**
 * Stops a running query.
 * @throws AwsError `InvalidParameterException` if it has ended, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StopQuery.html
 */
export function StopQuery({ queryId }: InputOf<'StopQuery'>, ctx: LogsContext): OutputOf<'StopQuery'> {
  if (!requireQuery(queryId, ctx).stop(ctx.clock.now())) throw invalidParameter('The specified query is not running.');
  return { success: true };
}

/**
 * Lists queries, newest first.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeQueries.html
 */
export function DescribeQueries(input: InputOf<'DescribeQueries'>, ctx: LogsContext): OutputOf<'DescribeQueries'> {
  const { logGroupName, status, queryLanguage } = input;
  const numbered = ctx.state.insights.queries.list().map((query, index) => ({ query, index }));
  const found = numbered.filter(
    ({ query: { facts, status: current } }) =>
      (logGroupName === undefined || facts.groups.includes(logGroupName)) &&
      (status === undefined || status === current) &&
      (queryLanguage === undefined || queryLanguage === facts.language),
  );
  const keyOf = ({ query, index }: (typeof found)[number]) =>
    `${numericKey(query.facts.createdAt)} ${numericKey(index)}`;
  return paging
    .page('DescribeQueries', input, found, keyOf, { defaultLimit: MAX_QUERIES, descending: true })
    .list(({ query, query: { facts } }) => ({
      queryLanguage: facts.language,
      queryId: facts.id,
      queryString: facts.shown,
      status: query.report(),
      createTime: facts.createdAt,
      ...(facts.groups[0] !== undefined && { logGroupName: facts.groups[0] }),
    }));
}

/**
 * Lists the log groups of a query.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListLogGroupsForQuery.html
 */
export function ListLogGroupsForQuery(
  input: InputOf<'ListLogGroupsForQuery'>,
  ctx: LogsContext,
): OutputOf<'ListLogGroupsForQuery'> {
  const { facts } = requireQuery(input.queryId, ctx);
  return paging.page('ListLogGroupsForQuery', input, facts.groups, (name) => name).list((name) => name);
}

/**
 * Returns all fields of the event that a pointer (`@ptr`) in results names.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogRecord.html
 */
export async function GetLogRecord(
  { logRecordPointer, unmask = false }: InputOf<'GetLogRecord'>,
  ctx: LogsContext,
): Promise<OutputOf<'GetLogRecord'>> {
  const pointer = readPointer(logRecordPointer);
  if (!pointer) throw invalidParameter('The specified log record pointer is not valid.');
  const own = pointer.accountId === ctx.accountId;
  const state = own ? ctx.state : ctx.handle.existingState(pointer.accountId, ctx.region);
  const group = state?.groups.find(pointer.group);
  const stored = await group?.events.find(pointer.eventId);
  if (!state || !group || !stored) throw notFound('The specified log record does not exist.');
  const event = queryEvent(stored, { state, group });
  const fields: Record<string, string> = {
    '@ptr': logRecordPointer,
    '@log': `${pointer.accountId}:${pointer.group}`,
    '@logStream': event.logStream,
    '@message': (unmask ? event.unmasked : undefined) ?? event.message,
    '@timestamp': String(event.timestamp),
    '@ingestionTime': String(event.ingestionTime),
  };
  for (const [name, value] of discover(event).entries()) fields[name] ??= scalarText(value) ?? '';
  return { logRecord: fields };
}

/**
 * Returns the fields of a group's events around a time, with the percentage of events that have each.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogGroupFields.html
 */
export async function GetLogGroupFields(
  input: InputOf<'GetLogGroupFields'>,
  ctx: LogsContext,
): Promise<OutputOf<'GetLogGroupFields'>> {
  const target = groupOf(input, ctx);
  const now = ctx.clock.now();
  const center = input.time === undefined ? undefined : input.time * 1000;
  const range =
    center === undefined ? { from: now - RECENT, to: now + 1 } : { from: center - AROUND, to: center + AROUND + 1 };
  const counts = new Map<string, number>();
  let events = 0;
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  reading: for await (const chunk of target.group.events.read({ ...range, descending: true }))
    for (const stored of chunk.events) {
      if (events++ >= MAX_SAMPLE) break reading;
      for (const name of ['@ingestionTime', '@log', '@logStream', '@message', '@timestamp']) count(name);
      for (const [name] of discover(queryEvent(stored, target)).entries()) count(name);
    }
  const fields = [...counts].map(([name, number]) => ({ name, percent: Math.round((number / events) * 100) }));
  fields.sort((a, b) => b.percent - a.percent || (a.name < b.name ? -1 : 1));
  return { logGroupFields: fields };
}
