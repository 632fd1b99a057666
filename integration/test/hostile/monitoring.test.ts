import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import {
  bodyOf,
  describeHostileInputs,
  eventually,
  type HostileClient,
  nestedArrays,
  nestedObjects,
  type Outcome,
} from './support.ts';

const HOUR = 3600;

/** Evaluates a metric math expression over an hour. */
const math = (client: HostileClient, Expression: string, more: object[] = []) => {
  const end = Math.floor(Date.now() / 1000);
  return client.call('cloudwatch', 'GetMetricData', {
    StartTime: end - HOUR,
    EndTime: end,
    MetricDataQueries: [{ Id: 'e', Expression, Period: 60 }, ...more],
  });
};

const inParentheses = (levels: number, inside = '1') => '('.repeat(levels) + inside + ')'.repeat(levels);

/** Creates a log group with events. @returns its name */
async function logGroup(client: HostileClient, name: string, messages: readonly string[]): Promise<string> {
  bodyOf(
    await client
      .call('logs', 'CreateLogGroup', { logGroupName: name })
      .then((one) => ({ ...one, text: one.text || '{}' })),
  );
  await client.call('logs', 'CreateLogStream', { logGroupName: name, logStreamName: 's' });
  const timestamp = Date.now();
  for (let from = 0; from < messages.length; from += 1000)
    await client.call('logs', 'PutLogEvents', {
      logGroupName: name,
      logStreamName: 's',
      logEvents: messages.slice(from, from + 1000).map((message) => ({ timestamp, message })),
    });
  return name;
}

/** Runs an Insights query over a log group. @returns its status as the code, unless it is complete */
async function insights(client: HostileClient, logGroupName: string, queryString: string): Promise<Outcome> {
  const now = Math.floor(Date.now() / 1000);
  const input = { logGroupName, queryString, startTime: now - HOUR, endTime: now + HOUR };
  const started = await client.call('logs', 'StartQuery', input);
  if (started.status !== 200) return started;
  const { queryId } = bodyOf<{ queryId: string }>(started);
  return eventually(async () => {
    const results = await client.call('logs', 'GetQueryResults', { queryId });
    const { status } = bodyOf<{ status: string }>(results);
    if (status === 'Running' || status === 'Scheduled') return undefined;
    return { ...results, ...(status !== 'Complete' && { code: status }) };
  });
}

const metricFilter = (client: HostileClient, filterPattern: string, message: string) =>
  client.call('logs', 'TestMetricFilter', { filterPattern, logEventMessages: [message] });

describeHostileInputs(
  [cloudwatch, logs],
  [
    {
      name: '1,000 signs in a metric math expression',
      send: (client) => math(client, `${'-'.repeat(1000)}1`),
      code: 'ValidationException',
    },
    {
      name: 'a circle of metric math expressions',
      send: (client) => math(client, 'f + 1', [{ Id: 'f', Expression: 'e + 1' }]),
      code: 'ValidationException',
    },
    {
      name: '1,000 parentheses in an Insights query',
      send: async (client, attempt) =>
        insights(client, await logGroup(client, `p${attempt}`, ['x']), `filter ${inParentheses(3000, 'a = 1')}`),
      code: 'MalformedQueryException',
    },
    {
      name: '1,000 nested functions in an Insights query',
      send: async (client, attempt) =>
        insights(
          client,
          await logGroup(client, `f${attempt}`, ['x']),
          `fields ${'abs('.repeat(1500)}1${')'.repeat(1500)} as a`,
        ),
      code: 'MalformedQueryException',
    },
    {
      name: 'a filter pattern of many wildcards in members',
      send: (client) =>
        metricFilter(
          client,
          `{ $${'.*'.repeat(500)} = 1 }`,
          `[${Array.from({ length: 8 }).reduce<string>((inner) => `[${inner},${inner}]`, '1')}]`,
        ),
    },
    {
      name: 'a filter pattern and an event of nested objects',
      send: (client) => metricFilter(client, `{ $${'.a'.repeat(500)} = 1 }`, nestedObjects(20_000)),
    },
    {
      name: 'a filter pattern and an event of nested arrays',
      send: (client) => metricFilter(client, `{ $${'.*'.repeat(500)} = 1 }`, nestedArrays(100_000)),
    },
    {
      name: '1,000 parentheses in a metric math expression',
      send: (client) => math(client, `TIME_SERIES(${inParentheses(1000)})`),
      code: 'ValidationException',
    },
    {
      name: '20,000 parentheses in a metric math expression',
      send: (client) => math(client, inParentheses(20_000)),
      code: 'ValidationException',
    },
    {
      name: 'metric math expressions that double a list of series 30 times',
      send: (client) =>
        math(
          client,
          '[e1, e1]',
          Array.from({ length: 30 }, (_, at) => ({
            Id: `e${at + 1}`,
            Expression: at === 29 ? '[TIME_SERIES(1), TIME_SERIES(2)]' : `[e${at + 2}, e${at + 2}]`,
            Period: 60,
          })),
        ),
      code: 'ValidationException',
    },
    {
      name: '120 metric math expressions of 20 series, each before the one that it refers to',
      send: (client) =>
        math(
          client,
          'SUM(e1)',
          Array.from({ length: 120 }, (_, at) => ({
            Id: `e${at + 1}`,
            Expression: at === 119 ? `[${Array(20).fill('TIME_SERIES(1)').join()}]` : `e${at + 2} + 1`,
            Period: 1,
            ReturnData: false,
          })),
        ),
    },
    {
      name: 'a search and a query of Metrics Insights over 500 metrics with 60 datapoints',
      send: async (client, attempt) => {
        const Namespace = `search${attempt}`;
        const now = Math.floor(Date.now() / 1000);
        for (let minute = 1; minute <= 60; minute++) {
          await client.call('cloudwatch', 'PutMetricData', {
            Namespace,
            MetricData: Array.from({ length: 500 }, (_, at) => ({
              MetricName: 'm',
              Dimensions: [{ Name: 'id', Value: `${at}` }],
              Timestamp: now - 60 * minute,
              Value: at,
            })),
          });
          // Each request has a turn of its own.
          await new Promise((resolve) => setImmediate(resolve));
        }
        bodyOf(await math(client, `SUM(SEARCH('Namespace="${Namespace}" MetricName="m"', 'p99', 60))`));
        return math(client, `SELECT AVG(m) FROM "${Namespace}" GROUP BY id`);
      },
    },
    {
      name: '1,000 operators in an Insights query',
      send: async (client, attempt) =>
        insights(client, await logGroup(client, `o${attempt}`, ['x']), `fields 1${' + 1'.repeat(1000)} as a`),
    },
    {
      name: 'an Insights query whose texts double with each command',
      send: async (client, attempt) =>
        insights(
          client,
          await logGroup(client, `d${attempt}`, ['x'.repeat(1000)]),
          `fields @message as m0${Array.from({ length: 40 }, (_, at) => ` | fields concat(m${at}, m${at}) as m${at + 1}`).join('')}`,
        ),
      code: 'Failed',
    },
    {
      name: '50 large regular expressions in an Insights query',
      send: async (client, attempt) =>
        insights(
          client,
          await logGroup(client, `r${attempt}`, ['x']),
          Array.from({ length: 50 }, (_, at) => `filter @message like /(?:a{999}){4}${attempt}x${at}/`).join(' | '),
        ),
      code: 'MalformedQueryException',
      text: 'too large together',
    },
    {
      name: '50 large regular expressions from a log event',
      send: async (client, attempt) =>
        insights(
          client,
          await logGroup(client, `d${attempt}`, ['(?:a{999}){4}']),
          Array.from(
            { length: 50 },
            (_, at) => `fields regexreplace('x', concat(@message, '${attempt}x${at}'), '') as a${at}`,
          ).join(' | '),
        ),
      code: 'Failed',
    },
    {
      name: 'an Insights query over 20,000 events',
      send: async (client, attempt) =>
        insights(
          client,
          await logGroup(
            client,
            `l${attempt}`,
            Array.from({ length: 20_000 }, (_, at) => `{"a":${at},"b":"user ${at}"}`),
          ),
          'parse b /user (?<n>\\d+)/ | stats count(*) by n % 1000 as m | sort m desc',
        ),
    },
    {
      name: 'an Insights query over a log event of nested objects',
      send: async (client, attempt) =>
        insights(
          client,
          await logGroup(client, `n${attempt}`, [nestedObjects(20_000)]),
          'fields a.a.a, jsonParse(@message) as j',
        ),
    },
    {
      name: '500 parentheses in a filter pattern',
      send: (client) => metricFilter(client, `{ ${inParentheses(500, '$.a = 1')} }`, '{"a":1}'),
    },
    {
      name: 'a transformer of an event of nested objects',
      send: (client) =>
        client.call('logs', 'TestTransformer', {
          transformerConfig: [{ parseJSON: {} }, { copyValue: { entries: [{ source: 'a', target: 'b' }] } }],
          logEventMessages: [nestedObjects(20_000)],
        }),
    },
    {
      name: 'a transformer whose replacements make a text 100 times as long, ten times',
      send: (client) =>
        client.call('logs', 'TestTransformer', {
          transformerConfig: [
            { parseJSON: {} },
            {
              substituteString: {
                entries: Array.from({ length: 10 }, () => ({ source: 'a', from: '.', to: 'a'.repeat(100) })),
              },
            },
          ],
          logEventMessages: ['{"a":"a"}'],
        }),
    },
  ],
);
