import { parseSchedule } from '@emu/core/schedules';
import { notEmulated, numericKey } from '@emu/core/service';
import type {
  GetScheduledQueryResponse,
  InputOf,
  OutputOf,
  UpdateScheduledQueryRequest,
} from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { isZone } from '../dates/zones.ts';
import { invalid, logsError, notFound } from '../errors.ts';
import { QueryError } from '../insights/language/errors.ts';
import { parseQuery } from '../insights/language/parse.ts';
import { asAwsErrors } from '../insights/queries/start.ts';
import { scheduledQueryType } from '../insights/resources.ts';
import type { ScheduledQueryRecord } from '../insights/scheduled/records.ts';
import type { ScheduledQuery } from '../insights/scheduled/scheduled-queries.ts';
import { checkSql } from '../insights/sql/query.ts';
import { paging } from '../paging.ts';
import { tagging } from '../tags.ts';

/** Maximum number of scheduled queries per account and region. */
const MAX_QUERIES = 1000;

type Settings = Omit<UpdateScheduledQueryRequest, 'identifier'>;

const arnOf = ({ id }: Pick<ScheduledQuery, 'id'>, ctx: LogsContext): string => scheduledQueryType.arn({ id }, ctx);

/**
 * Returns the query with a name or ARN.
 * @throws AwsError `ResourceNotFoundException`
 */
function requireQuery(identifier: string, ctx: LogsContext): ScheduledQuery {
  const id = identifier.startsWith('arn:') ? scheduledQueryType.parse(identifier)?.key.id : identifier;
  const query = id === undefined ? undefined : ctx.state.insights.scheduled.find(id);
  if (!query) throw notFound('The specified scheduled query does not exist.');
  return query;
}

/** @throws AwsError `ValidationException` for invalid settings */
async function check(settings: Settings): Promise<void> {
  const { queryLanguage, queryString, scheduleExpression, timezone = 'UTC' } = settings;
  if (queryLanguage === 'PPL') throw notEmulated('the query language PPL of scheduled queries');
  await asAwsErrors(queryString, async () => {
    try {
      if (queryLanguage === 'SQL') await checkSql(queryString);
      else parseQuery(queryString);
    } catch (error) {
      if (error instanceof QueryError) throw invalid(`The query is not valid: ${error.message}`);
      throw error;
    }
  });
  if (!isZone(timezone)) throw invalid(`${timezone} is not a valid timezone.`);
  if (!scheduleExpression.startsWith('cron(') || !parseSchedule(scheduleExpression, timezone))
    throw invalid(`${scheduleExpression} is not a valid schedule expression.`);
  const { scheduleStartTime: start, scheduleEndTime: end } = settings;
  if (start !== undefined && end !== undefined && start >= end)
    throw invalid('The schedule end time must be after the schedule start time.');
}

/** Returns the members of a record that requests set. */
const settingsOf = (settings: Settings) => ({
  ...(settings.description !== undefined && { description: settings.description }),
  language: settings.queryLanguage,
  query: settings.queryString,
  ...(settings.logGroupIdentifiers && { groups: [...settings.logGroupIdentifiers] }),
  schedule: settings.scheduleExpression,
  timezone: settings.timezone ?? 'UTC',
  ...(settings.startTimeOffset !== undefined && { startTimeOffset: settings.startTimeOffset }),
  ...(settings.destinationConfiguration && { destination: structuredClone(settings.destinationConfiguration) }),
  state: settings.state ?? ('ENABLED' as const),
  ...(settings.scheduleStartTime !== undefined && { startsAt: settings.scheduleStartTime }),
  ...(settings.scheduleEndTime !== undefined && { endsAt: settings.scheduleEndTime }),
  roleArn: settings.executionRoleArn,
});

/**
 * Creates a scheduled query.
 * @throws AwsError `ValidationException`, `ConflictException`, `ServiceQuotaExceededException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateScheduledQuery.html
 */
export async function CreateScheduledQuery(
  input: InputOf<'CreateScheduledQuery'>,
  ctx: LogsContext,
): Promise<OutputOf<'CreateScheduledQuery'>> {
  const { scheduled } = ctx.state.insights;
  await check(input);
  const tags = tagging.merge(undefined, input.tags);
  if (scheduled.find(input.name))
    throw logsError('ConflictException', `A scheduled query with the name ${input.name} already exists.`);
  if (scheduled.list().length >= MAX_QUERIES)
    throw logsError('ServiceQuotaExceededException', `An account can have at most ${MAX_QUERIES} scheduled queries.`);
  const now = ctx.clock.now();
  const record: ScheduledQueryRecord = {
    id: ctx.ids.uuid(),
    name: input.name,
    ...settingsOf(input),
    tags,
    createdAt: now,
    modifiedAt: now,
  };
  const query = scheduled.put(record);
  return { scheduledQueryArn: arnOf(query, ctx), state: query.state };
}

/** Returns the members in both GetScheduledQuery and lists. */
const summary = (query: ScheduledQuery, ctx: LogsContext) => ({
  scheduledQueryArn: arnOf(query, ctx),
  name: query.name,
  state: query.state,
  ...(query.triggeredAt !== undefined && { lastTriggeredTime: query.triggeredAt }),
  ...(query.status !== undefined && { lastExecutionStatus: query.status }),
  scheduleExpression: query.schedule,
  timezone: query.timezone,
  ...(query.destination && { destinationConfiguration: structuredClone(query.destination) as never }),
  creationTime: query.createdAt,
  lastUpdatedTime: query.modifiedAt,
});

const described = (query: ScheduledQuery, ctx: LogsContext): GetScheduledQueryResponse => ({
  ...summary(query, ctx),
  ...(query.description !== undefined && { description: query.description }),
  queryLanguage: query.language,
  queryString: query.query,
  ...(query.groups && { logGroupIdentifiers: [...query.groups] }),
  ...(query.startTimeOffset !== undefined && { startTimeOffset: query.startTimeOffset }),
  ...(query.startsAt !== undefined && { scheduleStartTime: query.startsAt }),
  ...(query.endsAt !== undefined && { scheduleEndTime: query.endsAt }),
  executionRoleArn: query.roleArn,
});

/**
 * Returns a scheduled query with its settings.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetScheduledQuery.html
 */
export function GetScheduledQuery(
  { identifier }: InputOf<'GetScheduledQuery'>,
  ctx: LogsContext,
): OutputOf<'GetScheduledQuery'> {
  return described(requireQuery(identifier, ctx), ctx);
}

/**
 * Replaces the settings of a scheduled query.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UpdateScheduledQuery.html
 */
export async function UpdateScheduledQuery(
  input: InputOf<'UpdateScheduledQuery'>,
  ctx: LogsContext,
): Promise<OutputOf<'UpdateScheduledQuery'>> {
  await check(input);
  const { id, name, tags, createdAt, triggeredAt, status } = requireQuery(input.identifier, ctx);
  const query = ctx.state.insights.scheduled.put({
    id,
    name,
    ...settingsOf(input),
    tags: { ...tags },
    createdAt,
    modifiedAt: ctx.clock.now(),
    ...(triggeredAt !== undefined && { triggeredAt }),
    ...(status !== undefined && { status }),
  });
  return described(query, ctx);
}

/**
 * Deletes a scheduled query with its history.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteScheduledQuery.html
 */
export function DeleteScheduledQuery(
  { identifier }: InputOf<'DeleteScheduledQuery'>,
  ctx: LogsContext,
): OutputOf<'DeleteScheduledQuery'> {
  ctx.state.insights.scheduled.delete(requireQuery(identifier, ctx).id);
  return {};
}

/**
 * Lists scheduled queries, in order of name.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListScheduledQueries.html
 */
export function ListScheduledQueries(
  input: InputOf<'ListScheduledQueries'>,
  ctx: LogsContext,
): OutputOf<'ListScheduledQueries'> {
  const found = ctx.state.insights.scheduled
    .list()
    .filter(({ state }) => input.state === undefined || state === input.state);
  return paging.page('ListScheduledQueries', input, found, ({ name }) => name).list((query) => summary(query, ctx));
}

/**
 * Returns the runs of a scheduled query in a time range, newest first.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetScheduledQueryHistory.html
 */
export function GetScheduledQueryHistory(
  input: InputOf<'GetScheduledQueryHistory'>,
  ctx: LogsContext,
): OutputOf<'GetScheduledQueryHistory'> {
  const query = requireQuery(input.identifier, ctx);
  const { startTime, endTime, executionStatuses } = input;
  if (startTime > endTime) throw invalid('The end time must not be before the start time.');
  const found = ctx.state.insights.scheduled
    .history(query.id)
    .filter(({ at, status }) => at >= startTime && at <= endTime && (executionStatuses?.includes(status) ?? true));
  const page = paging.page('GetScheduledQueryHistory', input, found, ({ at }) => numericKey(at), { descending: true });
  return {
    name: query.name,
    scheduledQueryArn: arnOf(query, ctx),
    ...page.list(({ queryId, status, at, problem, destinations }) => ({
      ...(queryId !== undefined && { queryId }),
      executionStatus: status,
      triggeredTimestamp: at,
      ...(problem !== undefined && { errorMessage: problem }),
      ...(destinations && { destinations: destinations.map((destination) => ({ ...destination })) }),
    })),
  };
}
