import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CloudWatchTest, failureOf, startCloudWatch } from './support.ts';

let test: CloudWatchTest;
beforeAll(async () => {
  test = await startCloudWatch();
});
afterAll(() => test[Symbol.asyncDispose]());

const RANGE = () => ({ StartTime: test.at(-3600), EndTime: test.at(3600) });
const metric = (MetricName: string, Stat = 'Sum', Period = 60, Namespace = 'N') => ({
  Id: 'm1',
  MetricStat: { Metric: { Namespace, MetricName }, Period, Stat },
});
const put = (MetricName: string, values: number[], seconds = 0, rest: object = {}) =>
  test.cloudwatch.putMetricData({
    Namespace: 'N',
    MetricData: values.map((Value) => ({ MetricName, Value, Timestamp: test.at(seconds), ...rest })),
  });
const data = async (MetricDataQueries: object[], rest: object = {}) =>
  (
    await test.cloudwatch.getMetricData({
      ...RANGE(),
      ScanBy: 'TimestampAscending',
      MetricDataQueries: MetricDataQueries as never,
      ...rest,
    })
  ).MetricDataResults!;
/** Returns the values of an expression on metrics. */
const values = async (Expression: string, metrics: object[] = []) =>
  (
    await data([...metrics.map((query) => ({ ...query, ReturnData: false })), { Id: 'e1', Expression, Period: 60 }])
  ).map(({ Values }) => Values);

describe('PutMetricData', () => {
  it('accepts values with counts and statistic sets', async () => {
    await test.cloudwatch.putMetricData({
      Namespace: 'N',
      MetricData: [
        { MetricName: 'list', Values: [1, 10, 4], Counts: [1, 3, 2], Unit: 'Count', Timestamp: test.at(0) },
        {
          MetricName: 'set',
          StatisticValues: { SampleCount: 4, Sum: 20, Minimum: 2, Maximum: 9 },
          Timestamp: test.at(0),
        },
      ],
    });
    const list = { Namespace: 'N', MetricName: 'list', ...RANGE(), Period: 60 };
    const { Datapoints, Label } = await test.cloudwatch.getMetricStatistics({
      ...list,
      Statistics: ['SampleCount', 'Sum', 'Minimum', 'Maximum', 'Average'],
    });
    expect(Label).toBe('list');
    expect(Datapoints).toEqual([
      {
        Timestamp: test.at(0),
        SampleCount: 6,
        Sum: 39,
        Minimum: 1,
        Maximum: 10,
        Average: 6.5,
        Unit: 'Count',
      },
    ]);
    const extended = await test.cloudwatch.getMetricStatistics({ ...list, ExtendedStatistics: ['p50', 'p100'] });
    expect(extended.Datapoints).toEqual([
      { Timestamp: test.at(0), ExtendedStatistics: { p50: 7, p100: 10 }, Unit: 'Count' },
    ]);
    expect((await data([metric('set', 'Average')]))[0]!.Values).toEqual([5]);
    // The values of a statistic set are unknown.
    expect((await data([metric('set', 'p50')]))[0]!.Values).toEqual([]);
  });

  it.each([
    [
      { Value: 1, Values: [1] },
      'InvalidParameterCombinationException',
      'The parameters MetricData.member.1.Value and MetricData.member.1.Values are mutually exclusive and you have specified both.',
    ],
    [
      { Values: [1, 2], Counts: [1] },
      'InvalidParameterValueException',
      'The parameters MetricData.member.1.Values and MetricData.member.1.Counts must be of the same size.',
    ],
    [
      { Value: 1, StatisticValues: { SampleCount: 1, Sum: 1, Minimum: 1, Maximum: 1 } },
      'InvalidParameterCombinationException',
      'The parameters MetricData.member.1.Value and MetricData.member.1.StatisticValues are mutually exclusive and you have specified both.',
    ],
    [
      { Value: Number.NaN },
      'InvalidParameterValueException',
      'The value NaN for parameter MetricData.member.1.Value is invalid.',
    ],
    [
      { Value: 1, StorageResolution: 30 },
      'InvalidParameterValueException',
      'The parameter MetricData.member.1.StorageResolution must be 1 or 60.',
    ],
    [
      { Value: 1, Timestamp: new Date(0) },
      'InvalidParameterValueException',
      'The parameter MetricData.member.1.Timestamp must specify a time no more than two weeks in the past.',
    ],
    [
      {},
      'MissingRequiredParameterException',
      'At least one of the parameters MetricData.member.1.Value, MetricData.member.1.Values or MetricData.member.1.StatisticValues must be specified.',
    ],
  ])('rejects %j', async (datum, code, message) => {
    const request = test.cloudwatch.putMetricData({
      Namespace: 'N',
      MetricData: [{ MetricName: 'refused', ...datum }],
    });
    expect(await failureOf(request)).toEqual({ code, message });
    expect((await test.cloudwatch.listMetrics({ MetricName: 'refused' })).Metrics).toEqual([]);
  });

  it('rejects namespaces of AWS', async () => {
    const request = test.cloudwatch.putMetricData({
      Namespace: 'AWS/EC2',
      MetricData: [{ MetricName: 'x', Value: 1 }],
    });
    expect(await failureOf(request)).toEqual({
      code: 'InvalidParameterValueException',
      message: 'The value AWS/ for parameter Namespace is invalid.',
    });
  });

  it('keeps high-resolution seconds for three hours, then minutes, five minutes and hours', async () => {
    await using own = await startCloudWatch();
    const times = async (Period: number) =>
      (
        await own.cloudwatch.getMetricData({
          StartTime: own.at(-86_400 * 14),
          EndTime: own.at(3600),
          ScanBy: 'TimestampAscending',
          MetricDataQueries: [
            { Id: 'm1', MetricStat: { Metric: { Namespace: 'N', MetricName: 'fine' }, Period, Stat: 'Sum' } },
          ],
        })
      ).MetricDataResults![0]!.Timestamps;
    await own.cloudwatch.putMetricData({
      Namespace: 'N',
      MetricData: [70, 71, 130, 400].map((second) => ({
        MetricName: 'fine',
        Value: 1,
        StorageResolution: 1,
        Timestamp: own.at(second),
      })),
    });
    expect(await times(1)).toEqual([70, 71, 130, 400].map(own.at));
    await own.advance(4 * 3600);
    expect(await times(1)).toEqual([60, 120, 360].map(own.at));
    await own.advance(16 * 86_400);
    expect(await times(60)).toEqual([]);
    expect(await times(300)).toEqual([0, 300].map(own.at));
    await own.advance(64 * 86_400);
    expect(await times(3600)).toEqual([own.at(0)]);
    await own.advance(380 * 86_400);
    expect(await times(3600)).toEqual([]);
    expect((await own.emulator.control('GET', '/_emulator/cloudwatch/metrics')).json).toEqual({ metrics: [] });
  });
});

describe('GetMetricStatistics', () => {
  it('returns each unit separately', async () => {
    await put('units', [10]);
    await put('units', [5], 0, { Unit: 'Count' });
    const { Datapoints } = await test.cloudwatch.getMetricStatistics({
      Namespace: 'N',
      MetricName: 'units',
      ...RANGE(),
      Period: 60,
      Statistics: ['Average'],
    });
    expect(Datapoints).toEqual([
      { Timestamp: test.at(0), Average: 5, Unit: 'Count' },
      { Timestamp: test.at(0), Average: 10, Unit: 'None' },
    ]);
    expect(await data([metric('units', 'Average')])).toMatchObject([
      { Values: [5], Messages: [{ Code: 'MultipleUnits', Value: "Multiple units returned: '[Count, None]'" }] },
    ]);
  });

  it.each([
    [
      { StartTime: new Date(0), EndTime: new Date(86_400_000), Period: 1, Statistics: ['Sum'] },
      'InvalidParameterCombinationException',
      'You have requested up to 86400 datapoints, which exceeds the limit of 1440. You may reduce the datapoints requested by increasing Period, or decreasing the time range.',
    ],
    [
      { StartTime: new Date(1000), EndTime: new Date(1000), Period: 60, Statistics: ['Sum'] },
      'InvalidParameterValueException',
      'The parameter StartTime must be less than the parameter EndTime.',
    ],
    [
      { StartTime: new Date(0), EndTime: new Date(1000), Period: 60 },
      'InvalidParameterCombinationException',
      'Must specify either Statistics or ExtendedStatistics',
    ],
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricStatistics.html
    [
      {
        StartTime: new Date(0),
        EndTime: new Date(1000),
        Period: 60,
        Statistics: ['Sum'],
        ExtendedStatistics: ['p50'],
      },
      'InvalidParameterCombinationException',
      'The parameters Statistics and ExtendedStatistics are mutually exclusive and you have specified both.',
    ],
    [
      { StartTime: new Date(0), EndTime: new Date(1000), Period: 60, ExtendedStatistics: ['q5'] },
      'InvalidParameterValueException',
      'The value q5 for parameter ExtendedStatistics is not supported.',
    ],
  ])('rejects %j', async (input, code, message) => {
    const request = test.cloudwatch.getMetricStatistics({ Namespace: 'N', MetricName: 'm', ...input } as never);
    expect(await failureOf(request)).toEqual({ code, message });
  });
});

describe('statistics', () => {
  it.each([
    ['p90', 90.1],
    ['tm90', 45.5],
    ['TM(10%:90%)', 50.5],
    ['IQM', 50.5],
    ['TM(:10)', 5.5],
    ['tc90', 90],
    ['TC(10:20)', 10],
    ['ts10', 55],
    ['TS(95:)', 490],
    ['wm90', 49.95],
    ['WM(20:80)', 50.3],
    ['PR(:25)', 25],
    ['PR(25:75)', 50],
  ])('%s of 1 to 100 is %d', async (stat, expected) => {
    const MetricName = 'hundred';
    const now = await data([metric(MetricName, 'SampleCount')]);
    if (!now[0]!.Values!.length)
      await test.cloudwatch.putMetricData({
        Namespace: 'N',
        MetricData: [
          { MetricName, Timestamp: test.at(0), Values: Array.from({ length: 100 }, (_, index) => index + 1) },
        ],
      });
    expect((await data([metric(MetricName, stat)]))[0]!.Values![0]).toBeCloseTo(expected, 1);
  });
});

describe('GetMetricData', () => {
  beforeAll(async () => {
    await put('a', [1], 0);
    await put('a', [2], 60);
    await put('a', [4], 180);
    await put('b', [10], 0);
    await put('b', [20], 60);
  });
  const a = { ...metric('a'), Id: 'a' };
  const b = { ...metric('b'), Id: 'b' };

  it.each<[string, number[][]]>([
    ['a + b', [[11, 22]]],
    ['a * 2 - 1', [[1, 3, 7]]],
    ['-a ^ 2', [[-1, -4, -16]]],
    ['(a + 1) / 2', [[1, 1.5, 2.5]]],
    ['a > 1 AND a < 4', [[0, 1, 0]]],
    ['a >= 4 || a == 1', [[1, 0, 1]]],
    [
      '[a, b]',
      [
        [1, 2, 4],
        [10, 20],
      ],
    ],
    [
      '[a, b] * 2',
      [
        [2, 4, 8],
        [20, 40],
      ],
    ],
    ['SUM([a, b])', [[11, 22, 4]]],
    ['AVG(METRICS())', [[5.5, 11, 4]]],
    ['MAX(METRICS("b"))', [[10, 20]]],
    ['a / SUM(a) * 7', [[1, 2, 4]]],
    ['ABS(-a)', [[1, 2, 4]]],
    ['CEIL(a / 3)', [[1, 1, 2]]],
    ['FLOOR(a / 3)', [[0, 0, 1]]],
    ['LOG10(b)', [[1, Math.log10(20)]]],
    ['LOG(a)', [[0, Math.log(2), Math.log(4)]]],
    ['DIFF(a)', [[1, 2]]],
    ['DIFF_TIME(a)', [[60, 120]]],
    ['RATE(a) * 60', [[1, 1]]],
    ['RUNNING_SUM(a)', [[1, 3, 7]]],
    ['a * PERIOD(a)', [[60, 120, 240]]],
    ['a * DATAPOINT_COUNT(a)', [[3, 6, 12]]],
    ['a + METRIC_COUNT(METRICS())', [[3, 4, 6]]],
    ['IF(a > 1, b, 0)', [[0, 20]]],
    ['IF(a > 1, a)', [[2, 4]]],
    ['MINUTE(a)', [[0, 1, 3]]],
    ['HOUR(a)', [[12, 12, 12]]],
    ['DAY(a)', [[4, 4, 4]]],
    ['DATE(b) + MONTH(b) * 100 + YEAR(b) * 10000', [[20_260_305, 20_260_305]]],
    ['EPOCH(b) - 1772712000', [[0, 60]]],
    ['FIRST([a, b])', [[1, 2, 4]]],
    ['a - LAST(b)', [[-19, -18, -16]]],
    [
      'SORT([a, b], AVG, DESC)',
      [
        [10, 20],
        [1, 2, 4],
      ],
    ],
    ['SORT([a, b], MAX, ASC, 1)', [[1, 2, 4]]],
    ['SLICE([a, b], 1)', [[10, 20]]],
    ['STDDEV([a, b])', [[4.5, 9, 0]]],
    ['MIN([a, b])', [[1, 2, 4]]],
  ])('%s', async (expression, expected) => {
    expect(await values(expression, [a, b])).toEqual(expected);
  });

  it('fills gaps', async () => {
    const filled = async (filler: string) =>
      (
        await data(
          [
            { ...a, ReturnData: false },
            { Id: 'e1', Expression: `FILL(a, ${filler})` },
          ],
          {
            StartTime: test.at(0),
            EndTime: test.at(300),
          },
        )
      )[0]!.Values;
    expect(await filled('0')).toEqual([1, 2, 0, 4, 0]);
    expect(await filled('REPEAT')).toEqual([1, 2, 2, 4, 4]);
    expect(await filled('LINEAR')).toEqual([1, 2, 3, 4]);
    expect(await filled('-a')).toEqual([1, 2, 4]);
  });

  it.each(['TIME_SERIES(1)', 'FILL(a, 0)', 'FILL(a, REPEAT)'])('limits the datapoints of %s', async (Expression) => {
    const range = { StartTime: new Date(0), EndTime: new Date('9999-12-31T00:00:00Z') };
    const queries = [
      { ...a, ReturnData: false },
      { Id: 'e1', Expression, Period: 1 },
    ];
    const { code, message } = await failureOf(data(queries, range));
    expect(code).toMatch(/^Validation/);
    expect(message).toBe(
      "Error in expression 'e1': The expressions generate more than 1008000 datapoints; increase the period",
    );
  });

  it('creates constants and bands, and removes empty series', async () => {
    const range = { StartTime: test.at(0), EndTime: test.at(180) };
    const [constant] = await data([{ Id: 'e1', Expression: 'TIME_SERIES(3)', Period: 60 }], range);
    expect(constant!.Values).toEqual([3, 3, 3]);
    expect(await values('REMOVE_EMPTY([a, c])', [a, { ...metric('none'), Id: 'c' }])).toEqual([[1, 2, 4]]);
    const [low, high] = await values('ANOMALY_DETECTION_BAND(b, 1)', [b]);
    expect([low, high]).toEqual([
      [10, 10],
      [20, 20],
    ]);
    expect(await values('ANOMALY_DETECTION_BAND(n)', [{ ...metric('never-put'), Id: 'n' }])).toEqual([[], []]);
  });

  it.each([
    ['a +', "Error in expression 'e1': Unexpected end"],
    ['a + "x"', "Error in expression 'e1': Unsupported operand type(s) for +: '[TimeSeries, String]'"],
    ['nothing + a', "Error in expression 'e1': Unknown id: nothing"],
    ['FOO(a)', "Error in expression 'e1': Unsupported function: FOO"],
    ['SUM(a)', "Error in expression 'e1': The expression must return a time series or an array of time series"],
    ['SERVICE_QUOTA(a)', "Error in expression 'e1': SERVICE_QUOTA takes a metric of AWS/Usage with a quota"],
    ['INSIGHT_RULE_METRIC("r", "Sum")', "Error in expression 'e1': There is no metric Sum of a rule r"],
    ['e1', "Error in expression 'e1': Circular dependency: e1"],
  ])('rejects %s', async (expression, message) => {
    expect(await failureOf(values(expression, [a]))).toEqual({ code: 'ValidationException', message });
  });

  it('responds with 501 to functions of missing services', async () => {
    expect((await failureOf(values("DB_PERF_INSIGHTS('RDS', 'db', 'x')", []))).code).toBe('NotImplemented');
    expect((await failureOf(values("LAMBDA('f')", []))).code).toBe('NotImplemented');
    const alarm = test.cloudwatch.putMetricAlarm({
      AlarmName: 'counters',
      Metrics: [{ Id: 'e', Expression: "DB_PERF_INSIGHTS('RDS', 'db', 'x')", Period: 60 }],
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold',
    });
    expect((await failureOf(alarm)).code).toBe('NotImplemented');
  });

  it.each([
    [{ MetricDataQueries: [a, a] }, 'The values for parameter Id in MetricDataQueries are not unique.'],
    [
      { MetricDataQueries: [{ ...a, Id: 'A' }] },
      'The value A for parameter MetricDataQueries.member.1.Id is not matching the expected pattern ^[a-z][a-zA-Z0-9_]*$.',
    ],
    [{ StartTime: new Date(10_000), EndTime: new Date(5000) }, 'The parameter EndTime must be greater than StartTime.'],
    [
      { StartTime: new Date(10_000), EndTime: new Date(10_000) },
      'The parameter StartTime must not equal parameter EndTime.',
    ],
    [
      { MetricDataQueries: [{ ...a, Expression: '1' }] },
      'The parameters MetricDataQueries.member.1.Expression and MetricDataQueries.member.1.MetricStat are mutually exclusive and you have specified both.',
    ],
  ])('rejects %j', async (input, message) => {
    const request = test.cloudwatch.getMetricData({ ...RANGE(), MetricDataQueries: [a], ...input });
    expect(await failureOf(request)).toEqual({ code: 'ValidationException', message });
  });

  it('labels metrics by their differences and fills in dynamic labels', async () => {
    const labels = async (queries: object[]) => (await data(queries)).map(({ Label }) => Label);
    const stat = (Id: string, Stat: string, Period: number) => ({ ...metric('a', Stat, Period), Id });
    expect(await labels([stat('x', 'Sum', 60), stat('y', 'Minimum', 30)])).toEqual(['a Sum 60', 'a Minimum 30']);
    expect(await labels([stat('x', 'Sum', 60), stat('y', 'Sum', 30)])).toEqual(['a 60', 'a 30']);
    expect(await labels([stat('x', 'Sum', 60), stat('y', 'Minimum', 60)])).toEqual(['a Sum', 'a Minimum']);
    expect(await labels([a, b])).toEqual(['a', 'b']);
    expect(await labels([a, { Id: 'e1', Expression: 'a + 1' }])).toEqual(['a', 'e1']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudWatch's own placeholders
    const Label = "${LABEL}: ${MAX} of ${DATAPOINT_COUNT} in ${PROP('Namespace')}, last at ${LAST_TIME}";
    expect(await labels([{ ...a, Label }])).toEqual(['a: 4 of 3 in N, last at 2026-03-05T12:03:00Z']);
  });

  it('paginates by datapoints, newest first by default', async () => {
    const input = { ...RANGE(), MetricDataQueries: [a, b], MaxDatapoints: 2 };
    const pages: number[][][] = [];
    let NextToken: string | undefined;
    do {
      const page = await test.cloudwatch.getMetricData({ ...input, NextToken });
      pages.push(page.MetricDataResults!.map(({ Values }) => Values!));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(pages).toEqual([[[4, 2]], [[1], [20]], [[10]]]);
    expect((await failureOf(test.cloudwatch.getMetricData({ ...input, NextToken: 'x' }))).code).toBe(
      'InvalidNextToken',
    );
  });

  it('hides metrics of accounts that share nothing', async () => {
    const [result] = await data([{ ...a, AccountId: '111111111111' }]);
    expect(result).toMatchObject({ StatusCode: 'Forbidden', Values: [] });
  });
});

describe('searches and queries', () => {
  beforeAll(async () => {
    for (const [QueueName, Stage, value] of [
      ['orders-dlq', 'prod', 1],
      ['orders', 'prod', 5],
      ['users', 'dev', 9],
    ] as const)
      await test.cloudwatch.putMetricData({
        Namespace: 'App/Queues',
        MetricData: [
          {
            MetricName: 'MessagesSent',
            Value: value,
            Timestamp: test.at(0),
            Dimensions: [
              { Name: 'Stage', Value: Stage },
              { Name: 'QueueName', Value: QueueName },
            ],
          },
        ],
      });
  });
  const found = async (search: string) => {
    const results = await data([{ Id: 'e1', Expression: `SEARCH('${search}', 'Sum', 60)` }]);
    return results.map(({ Label, Values }) => `${Label} ${Values}`).sort();
  };

  it.each([
    ['{App/Queues,QueueName,Stage} MetricName="MessagesSent"', ['orders prod 5', 'orders-dlq prod 1', 'users dev 9']],
    ['{App/Queues,QueueName} MetricName="MessagesSent"', []],
    ['Namespace="App/Queues" orders', ['orders 5', 'orders-dlq 1']],
    ['Namespace="App/Queues" orders NOT dlq', ['MessagesSent 5']],
    ['Namespace="App/Queues" Stage=(dev OR test)', ['MessagesSent 9']],
    ['Namespace="App/Queues" (QueueName="users" OR dlq)', ['orders-dlq prod 1', 'users dev 9']],
    ['{App/Queues,QueueName,Stage} sent', ['orders prod 5', 'orders-dlq prod 1', 'users dev 9']],
  ])('finds %s', async (search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['SELECT SUM(MessagesSent) FROM "App/Queues"', ['MessagesSent 15']],
    ['SELECT MAX(MessagesSent) FROM SCHEMA("App/Queues", QueueName, Stage) WHERE Stage = \'prod\'', ['MessagesSent 5']],
    ['SELECT SUM(MessagesSent) FROM "App/Queues" GROUP BY Stage ORDER BY SUM() DESC', ['dev 9', 'prod 6']],
    [
      'SELECT AVG(MessagesSent) FROM "App/Queues" GROUP BY QueueName, Stage ORDER BY MIN() ASC LIMIT 1',
      ['orders-dlq prod 1'],
    ],
    [
      "SELECT COUNT(MessagesSent) FROM \"App/Queues\" WHERE QueueName != 'users' AND (Stage = 'prod' OR Stage = 'x')",
      ['MessagesSent 2'],
    ],
  ])('runs %s', async (Expression, expected) => {
    const results = await data([{ Id: 'q1', Expression, Period: 60 }]);
    const shown = results.map(({ Label, Values }) => `${Label} ${Values}`);
    expect(shown.map((text) => text.replace('q1 ', ''))).toEqual(expected);
  });

  it('rejects invalid queries', async () => {
    const request = data([{ Id: 'q1', Expression: 'SELECT FOO(x) FROM y', Period: 60 }]);
    expect(await failureOf(request)).toEqual({
      code: 'ValidationException',
      message: "Error in expression 'q1': Invalid query syntax at 'FOO'",
    });
  });
});

describe('ListMetrics', () => {
  it('lists metrics with recent data, by name and dimensions', async () => {
    const list = async (input: object) =>
      (await test.cloudwatch.listMetrics({ Namespace: 'App/Queues', ...input })).Metrics!.map(({ Dimensions }) =>
        Dimensions!.map(({ Value }) => Value).join(' '),
      );
    expect(await list({})).toEqual(['orders prod', 'orders-dlq prod', 'users dev']);
    expect(await list({ Dimensions: [{ Name: 'Stage', Value: 'dev' }] })).toEqual(['users dev']);
    expect(await list({ Dimensions: [{ Name: 'Other' }] })).toEqual([]);
    expect(await list({ RecentlyActive: 'PT3H' })).toHaveLength(3);
    const { OwningAccounts } = await test.cloudwatch.listMetrics({
      Namespace: 'App/Queues',
      IncludeLinkedAccounts: true,
    });
    expect(OwningAccounts).toEqual(['000000000000', '000000000000', '000000000000']);
    await test.advance(4 * 3600);
    expect(await list({ RecentlyActive: 'PT3H' })).toEqual([]);
    await test.advance(14 * 86_400);
    expect(await list({})).toEqual([]);
  });
});
