import type { Facts, Scenario, Send } from '../scenario.ts';

const ACCOUNT = '123456789012';
const GROUP = `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:known`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;
/** Seconds, milliseconds: after all times in a scenario. */
const LATE = 4_102_444_800;

/** Maximum number of polls, each in another turn of the event loop. */
const MAX_ROUNDS = 100_000;
const breath = () => new Promise((resolve) => setImmediate(resolve));

const ofGroup = () => ({ logGroupName: 'known' });
const identified = () => ({ logGroupIdentifier: GROUP });

const query = () => ({ ...ofGroup(), startTime: 0, endTime: LATE, queryString: 'fields @message' });
/** Returns the result of an ended query. */
async function resultsOf(send: Send, queryId: unknown): Promise<Record<string, unknown>> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { $metadata: _, ...answer } = await send('GetQueryResults', { queryId });
    if (answer.status !== 'Running') return answer;
    await breath();
  }
  throw new Error(`the query ${String(queryId)} does not end`);
}
const withQuery = async (send: Send): Promise<Facts> => {
  const { queryId } = await send('StartQuery', query());
  await resultsOf(send, queryId);
  return { query: queryId as string };
};
const byQuery = (facts: Facts) => ({ queryId: facts.query });
const withPointer = async (send: Send): Promise<Facts> => {
  const { queryId } = await send('StartQuery', {
    ...query(),
    queryString: 'fields @ptr | sort @timestamp desc | limit 1',
  });
  const { results } = await resultsOf(send, queryId);
  const [row] = results as { field: string; value: string }[][];
  return { pointer: row!.find(({ field }) => field === '@ptr')!.value };
};

const definition = () => ({ name: 'saved', queryString: 'fields @message' });
const withDefinition = async (send: Send): Promise<Facts> => {
  const { queryDefinitionId } = await send('PutQueryDefinition', definition());
  return { definition: queryDefinitionId as string };
};

const TABLE = `arn:aws:logs:us-east-1:${ACCOUNT}:lookup-table:users`;
const byTable = () => ({ lookupTableArn: TABLE });
const table = () => ({ lookupTableName: 'users', tableBody: 'id,name\n1,a\n' });
const changedTable = () => ({ ...byTable(), tableBody: 'id,name\n1,b\n2,c\n' });
const withTable = async (send: Send): Promise<Facts> => {
  await send('CreateLookupTable', table());
  return {};
};

const HOUR = 3_600_000;
const scheduled = () => ({
  name: 'hourly',
  queryLanguage: 'CWLI',
  queryString: 'fields @message',
  logGroupIdentifiers: ['known'],
  scheduleExpression: 'cron(0 * * * ? *)',
  startTimeOffset: 3600,
  executionRoleArn: ROLE,
});
const byScheduled = () => ({ identifier: 'hourly' });
const changedScheduled = () => {
  const { name: _, ...settings } = scheduled();
  return { ...settings, ...byScheduled(), scheduleExpression: 'cron(30 * * * ? *)', state: 'DISABLED' };
};
const withScheduled = async (send: Send): Promise<Facts> => {
  await send('CreateScheduledQuery', scheduled());
  return {};
};
const history = () => ({ ...byScheduled(), startTime: 0, endTime: LATE * 1000 });
const runScheduled = async (send: Send): Promise<Facts> => {
  await send('Emu.Advance', { milliseconds: HOUR });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { triggerHistory } = await send('GetScheduledQueryHistory', history());
    const runs = triggerHistory as { executionStatus: string }[];
    if (runs.length && runs.every(({ executionStatus }) => executionStatus !== 'Running')) return {};
    await breath();
  }
  throw new Error('the scheduled query does not end');
};
const withHistory = async (send: Send): Promise<Facts> => {
  await withScheduled(send);
  return runScheduled(send);
};

const processors = () => [
  { parseJSON: {} },
  { addKeys: { entries: [{ key: 'team', value: 'a' }] } },
  { copyValue: { entries: [{ source: 'user', target: 'who' }] } },
  { renameKeys: { entries: [{ key: 'old', renameTo: 'new' }] } },
  { moveKeys: { entries: [{ source: 'inner', target: 'outer' }] } },
  { lowerCaseString: { withKeys: ['user'] } },
  { typeConverter: { entries: [{ key: 'n', type: 'integer' }] } },
  { splitString: { entries: [{ source: 'list', delimiter: ',' }] } },
  { substituteString: { entries: [{ source: 'who', from: 'A', to: 'B' }] } },
  { deleteKeys: { withKeys: ['gone'] } },
];
const otherProcessors = [
  { csv: { columns: ['a', 'b'], delimiter: ',' } },
  { grok: { match: '%{WORD:level} %{GREEDYDATA:rest}' } },
  { parseKeyValue: { fieldDelimiter: ' ', keyValueDelimiter: '=' } },
];
const MESSAGE = JSON.stringify({ user: 'A', old: 1, inner: 'x', outer: {}, n: '7', list: 'a,b', gone: true });
const transformer = () => ({ ...identified(), transformerConfig: processors() });
const withTransformer = async (send: Send): Promise<Facts> => {
  await send('PutTransformer', transformer());
  return {};
};

type Part = Pick<Scenario, 'observe' | 'inputs' | 'reads'> & {
  [member in 'before' | 'also' | 'after' | 'live']-?: NonNullable<Scenario[member]>;
};

/** Queries of Logs Insights with the resources they use, and transformers. */
export const insights = {
  live: ['DescribeQueries', 'GetQueryResults', 'GetScheduledQueryHistory', 'ListLogGroupsForQuery', 'StopQuery'],
  /** Returns the pointer of the newest event. */
  withPointer,
  async observe(send: Send): Promise<unknown> {
    const answer = async (operation: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
      const { $metadata: _, ...members } = await send(operation, input);
      return members;
    };
    const [{ lookupTables }, { scheduledQueries }] = await Promise.all([
      answer('DescribeLookupTables'),
      answer('ListScheduledQueries'),
    ]);
    const tables = lookupTables as { lookupTableArn: string }[];
    const queries = scheduledQueries as { scheduledQueryArn: string }[];
    const { logGroups } = await answer('DescribeLogGroups');
    const groups = logGroups as { logGroupArn: string }[];
    return Promise.all([
      answer('DescribeQueries'),
      answer('DescribeQueryDefinitions'),
      lookupTables,
      ...tables.map(({ lookupTableArn }) => answer('GetLookupTable', { lookupTableArn })),
      ...tables.map(({ lookupTableArn }) => answer('ListTagsForResource', { resourceArn: lookupTableArn })),
      scheduledQueries,
      ...queries.map(({ scheduledQueryArn }) => answer('GetScheduledQuery', { identifier: scheduledQueryArn })),
      ...queries.map(({ scheduledQueryArn }) => answer('ListTagsForResource', { resourceArn: scheduledQueryArn })),
      ...groups.map(({ logGroupArn }) => answer('GetTransformer', { logGroupIdentifier: logGroupArn })),
    ]);
  },
  before: {
    DeleteLookupTable: withTable,
    DeleteQueryDefinition: withDefinition,
    DeleteScheduledQuery: withScheduled,
    DeleteTransformer: withTransformer,
    DescribeLookupTables: withTable,
    DescribeQueries: withQuery,
    DescribeQueryDefinitions: withDefinition,
    GetLookupTable: withTable,
    GetQueryResults: withQuery,
    GetScheduledQuery: withScheduled,
    GetScheduledQueryHistory: withHistory,
    GetTransformer: withTransformer,
    ListLogGroupsForQuery: withQuery,
    ListScheduledQueries: withScheduled,
    PutQueryDefinition: withDefinition,
    StopQuery: withQuery,
    UpdateLookupTable: withTable,
    UpdateScheduledQuery: withScheduled,
  },
  inputs: {
    CreateLookupTable: table,
    CreateScheduledQuery: scheduled,
    DeleteLookupTable: byTable,
    DeleteQueryDefinition: (facts) => ({ queryDefinitionId: facts.definition }),
    DeleteScheduledQuery: byScheduled,
    DeleteTransformer: identified,
    GetLogGroupFields: ofGroup,
    GetLogRecord: (facts) => ({ logRecordPointer: facts.pointer }),
    GetLookupTable: byTable,
    GetQueryResults: byQuery,
    GetScheduledQuery: byScheduled,
    GetScheduledQueryHistory: history,
    GetTransformer: identified,
    ListLogGroupsForQuery: byQuery,
    PutQueryDefinition: definition,
    PutTransformer: transformer,
    StartQuery: query,
    StopQuery: byQuery,
    TestTransformer: () => ({ transformerConfig: processors(), logEventMessages: [MESSAGE] }),
    UpdateLookupTable: changedTable,
    UpdateScheduledQuery: changedScheduled,
  },
  also: {
    GetLogGroupFields: [identified],
    PutQueryDefinition: [(facts) => ({ ...definition(), queryDefinitionId: facts.definition, name: 'renamed' })],
    PutTransformer: [() => ({ ...identified(), transformerConfig: otherProcessors })],
    StartQuery: [
      () => ({ ...query(), logGroupName: undefined, logGroupNames: ['known', 'other'] }),
      () => ({ ...query(), logGroupName: undefined, logGroupIdentifiers: [GROUP] }),
    ],
    TestTransformer: [() => ({ transformerConfig: otherProcessors, logEventMessages: ['a=1,b', 'ERROR all a=1 b=2'] })],
  },
  after: {
    StartQuery: (send, _, { queryId }) => resultsOf(send, queryId),
  },
  reads: {
    DescribeLookupTables: (send) => send('UpdateLookupTable', changedTable()),
    DescribeQueries: withQuery,
    DescribeQueryDefinitions: (send, facts) => send('DeleteQueryDefinition', { queryDefinitionId: facts.definition }),
    GetLogGroupFields: (send) =>
      send('PutLogEvents', {
        ...ofGroup(),
        logStreamName: 'stream',
        logEvents: [{ timestamp: Date.now() - 60_000, message: '{"level":"ERROR"}' }],
      }),
    GetLogRecord: undefined,
    GetLookupTable: (send) => send('UpdateLookupTable', changedTable()),
    GetQueryResults: undefined,
    GetScheduledQuery: (send) => send('UpdateScheduledQuery', changedScheduled()),
    GetScheduledQueryHistory: runScheduled,
    GetTransformer: (send) => send('PutTransformer', { ...identified(), transformerConfig: [{ csv: {} }] }),
    ListLogGroupsForQuery: undefined,
    ListScheduledQueries: (send) => send('UpdateScheduledQuery', changedScheduled()),
    TestTransformer: undefined,
  },
} satisfies Part & { withPointer: typeof withPointer };
