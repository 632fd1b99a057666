import { notEmulated } from '@emu/core/service';
import type { InputOf, LogFieldsListItem, LogFieldType, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { dataSourceOf, isFrom } from '../data-sources.ts';
import { notFound } from '../errors.ts';
import { parseObject } from '../insights/fields/json.ts';
import { paging } from '../paging.ts';
import { accountsOf, groupsOf, nameExpression } from './groups.ts';

/** Number of events of a data source to inspect, newest first. */
const MAX_SAMPLE = 1000;
const MAX_DEPTH = 20;

/**
 * Counts log groups by data source; groups without one are left out.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListAggregateLogGroupSummaries.html
 */
export function ListAggregateLogGroupSummaries(
  input: InputOf<'ListAggregateLogGroupSummaries'>,
  ctx: LogsContext,
): OutputOf<'ListAggregateLogGroupSummaries'> {
  if (input.groupBy !== 'DATA_SOURCE_NAME_AND_TYPE')
    throw notEmulated(`grouping by ${input.groupBy} of ListAggregateLogGroupSummaries`);
  const { accountIdentifiers, includeLinkedAccounts, logGroupClass, logGroupNamePattern, dataSources } = input;
  const names = nameExpression(logGroupNamePattern);
  const counts = new Map<string, { name: string; type: string; count: number }>();
  for (const { group } of groupsOf(accountsOf(includeLinkedAccounts, accountIdentifiers, ctx), ctx)) {
    const { tags, class: ofGroup } = group.record;
    const source = dataSourceOf(tags);
    if (!source || !isFrom(tags, dataSources) || !names(group.name)) continue;
    if (logGroupClass !== undefined && ofGroup !== logGroupClass) continue;
    const key = `${source.name}\u0000${source.type}`;
    const counted = counts.get(key) ?? { ...source, count: 0 };
    counted.count++;
    counts.set(key, counted);
  }
  return paging
    .page('ListAggregateLogGroupSummaries', input, [...counts], ([key]) => key)
    .list(([, { name, type, count }]) => ({
      logGroupCount: count,
      groupingIdentifiers: [
        { key: 'dataSource.Name', value: name },
        { key: 'dataSource.Type', value: type },
      ],
    }));
}

/** Returns the type of a JSON value, down to `MAX_DEPTH`. */
function typeOf(value: unknown, depth: number): LogFieldType {
  const deeper = depth < MAX_DEPTH;
  if (Array.isArray(value))
    return { type: 'array', ...(value.length && deeper && { element: typeOf(value[0], depth + 1) }) };
  if (typeof value === 'object' && value !== null)
    return { type: 'struct', ...(deeper && { fields: fieldsOf(Object.entries(value), depth + 1) }) };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'bigint' : 'double' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}

const fieldsOf = (entries: Iterable<readonly [string, unknown]>, depth = 0): LogFieldsListItem[] =>
  [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([logFieldName, value]) => ({ logFieldName, logFieldType: typeOf(value, depth) }));

/**
 * Returns the fields of the newest JSON events of a data source, with their types.
 * @throws AwsError `ResourceNotFoundException` if no group has the data source
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogFields.html
 */
export async function GetLogFields(
  { dataSourceName: name, dataSourceType: type }: InputOf<'GetLogFields'>,
  ctx: LogsContext,
): Promise<OutputOf<'GetLogFields'>> {
  const groups = ctx.state.groups.list().filter(({ record }) => isFrom(record.tags, [{ name, type }]));
  if (!groups.length) throw notFound('The specified data source does not exist.');
  const found = new Map<string, unknown>();
  let events = 0;
  reading: for (const group of groups)
    for await (const chunk of group.events.read({ descending: true }))
      for (const { message, transformed } of chunk.events) {
        if (events++ >= MAX_SAMPLE) break reading;
        for (const [field, value] of Object.entries(parseObject(transformed ?? message) ?? {}))
          if (value !== null && !found.has(field)) found.set(field, value);
      }
  return { logFields: fieldsOf(found) };
}
