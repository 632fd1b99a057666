import { defineResource, type ResourceAddress, taggedRecord } from '@emu/core/service';
import { asString } from '@emu/wire';
import type { LogsState } from '../state.ts';
import { tagging } from '../tags.ts';

/** Lookup tables of Logs Insights. */
export const lookupTableType = defineResource({
  name: 'lookup-table',
  service: 'logs',
  scope: 'region',
  format: 'lookup-table:{name}',
  identify(input, place): ResourceAddress<{ name: string }> | undefined {
    const arn = asString(input.lookupTableArn) ?? asString(input.resourceArn);
    if (arn !== undefined) return lookupTableType.parse(arn);
    const name = asString(input.lookupTableName);
    return name === undefined ? undefined : { key: { name }, place };
  },
  find: (state: LogsState, { name }) => (state.insights.lookupTables.find(name) ? { name } : undefined),
  list: (state) => state.insights.lookupTables.list().map(({ name }) => ({ name })),
  tagged: { tagging, find: ({ insights }, { name }) => taggedRecord(insights.lookupTables.tables, name) },
});

/** Scheduled queries of Logs Insights; operations also accept their names. */
export const scheduledQueryType = defineResource({
  name: 'scheduled-query',
  service: 'logs',
  scope: 'region',
  format: 'scheduled-query:{id}',
  cloudFormation: 'AWS::Logs::ScheduledQuery',
  identify(input): ResourceAddress<{ id: string }> | undefined {
    const arn = asString(input.identifier) ?? asString(input.resourceArn);
    return arn?.startsWith('arn:') ? scheduledQueryType.parse(arn) : undefined;
  },
  find: (state: LogsState, { id }) => (state.insights.scheduled.find(id)?.id === id ? { id } : undefined),
  list: (state) => state.insights.scheduled.list().map(({ id }) => ({ id })),
  tagged: { tagging, find: ({ insights }, { id }) => taggedRecord(insights.scheduled.queries, id) },
});
