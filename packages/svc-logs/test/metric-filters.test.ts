import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, type LogsTest, REGION, startLogs } from './support.ts';

type Transformation = NonNullable<Parameters<LogsTest['logs']['putMetricFilter']>[0]['metricTransformations']>[number];

const reported: Record<string, unknown>[] = [];
const cloudwatch = fakeService('cloudwatch', {
  PutMetricData(input) {
    reported.push(input);
    return {};
  },
});

describe('metric filters', () => {
  let test: LogsTest;
  beforeAll(async () => {
    test = await startLogs({ manifests: [cloudwatch] });
  });
  beforeEach(() => {
    reported.length = 0;
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const put = (logGroupName: string, filterPattern: string, transformation: Partial<Transformation> = {}) =>
    test.logs.putMetricFilter({
      logGroupName,
      filterName: 'filter',
      filterPattern,
      metricTransformations: [{ metricName: 'Errors', metricNamespace: 'App', metricValue: '1', ...transformation }],
    });
  /** The start of the current minute. */
  const minute = () => new Date(test.now - (test.now % 60_000));

  it('counts matches, and reports the default value for a minute without any', async () => {
    const group = await test.group('counted', 'a');
    await put(group, 'ERROR', { defaultValue: 0, unit: 'Count' });
    const timestamp = minute().getTime() + 100;
    await test.logs.putLogEvents({
      logGroupName: group,
      logStreamName: 'a',
      logEvents: ['ERROR 1', 'info', 'ERROR 2'].map((message) => ({ timestamp, message })),
    });
    const datum = { MetricName: 'Errors', Timestamp: minute(), Unit: 'Count' };
    expect(reported).toEqual([{ Namespace: 'App', MetricData: [{ ...datum, Values: [1], Counts: [2] }] }]);
    reported.length = 0;
    await test.advance(60);
    await test.put(group, 'a', 'info');
    expect(reported).toEqual([
      { Namespace: 'App', MetricData: [{ ...datum, Timestamp: minute(), Values: [0], Counts: [1] }] },
    ]);
    const { logGroups } = await test.logs.describeLogGroups({ logGroupNamePrefix: group });
    expect(logGroups![0]!.metricFilterCount).toBe(1);
  });

  it('reads values and dimensions from events', async () => {
    const json = await test.group('valued', 'a');
    await put(json, '{ $.latency = * }', { metricValue: '$.latency', dimensions: { Route: '$.route' } });
    const events = [
      { latency: 5, route: '/a' },
      { latency: 7, route: '/b' },
      { latency: 'x', route: '/a' },
      { latency: 1 },
    ];
    await test.put(json, 'a', ...events.map((event) => JSON.stringify(event)));
    const [{ MetricData }] = reported as [{ MetricData: { Dimensions: unknown; Values: number[] }[] }];
    expect(MetricData.map(({ Dimensions, Values }) => [Dimensions, Values])).toEqual([
      [[{ Name: 'Route', Value: '/a' }], [5]],
      [[{ Name: 'Route', Value: '/b' }], [7]],
    ]);
    reported.length = 0;
    const fields = await test.group('fields', 'a');
    await put(fields, '[ip, bytes > 10]', { metricValue: '$bytes' });
    await test.put(fields, 'a', '1.1.1.1 20', '1.1.1.1 5');
    expect(reported).toMatchObject([{ MetricData: [{ Values: [20] }] }]);
  });

  it('selects events by system fields, and adds them as dimensions', async () => {
    const { logs } = test;
    const group = await test.group('systems', 'a');
    const filter = {
      logGroupName: group,
      filterName: 'filter',
      filterPattern: 'x',
      metricTransformations: [{ metricName: 'Xs', metricNamespace: 'App', metricValue: '1' }],
      emitSystemFieldDimensions: ['@aws.region', '@aws.account'],
    };
    const criteria = async (fieldSelectionCriteria: string) => {
      await logs.putMetricFilter({ ...filter, fieldSelectionCriteria });
      reported.length = 0;
      await test.put(group, 'a', 'x');
      return reported.length;
    };
    expect(await criteria(`@aws.region = "${REGION}" AND @aws.account IN ["1", "${ACCOUNT}"]`)).toBe(1);
    expect(reported).toMatchObject([
      {
        MetricData: [
          {
            Dimensions: [
              { Name: '@aws.region', Value: REGION },
              { Name: '@aws.account', Value: ACCOUNT },
            ],
          },
        ],
      },
    ]);
    expect(await criteria(`@aws.region != "${REGION}"`)).toBe(0);
    expect(await criteria(`@aws.account = "1" or (@aws.account NOT IN ['1'] and @aws.region = "${REGION}")`)).toBe(1);
    const { metricFilters } = await logs.describeMetricFilters({ logGroupName: group });
    expect(metricFilters).toMatchObject([
      {
        fieldSelectionCriteria: expect.stringContaining('NOT IN'),
        emitSystemFieldDimensions: filter.emitSystemFieldDimensions,
      },
    ]);
    for (const wrong of ['@aws.region', '@aws.region = us', '@other = "x"', '(@aws.region = "x"', '@aws.region IN []'])
      expect(await failureOf(logs.putMetricFilter({ ...filter, fieldSelectionCriteria: wrong }))).toBe(
        'InvalidParameterException: The specified field selection criteria is not valid.',
      );
    expect(await failureOf(logs.putMetricFilter({ ...filter, emitSystemFieldDimensions: ['@message'] }))).toBe(
      'InvalidParameterException: The system fields that metrics have as dimensions must be @aws.account or @aws.region.',
    );
  });

  it('describes, limits and deletes filters', async () => {
    const { logs } = test;
    const logGroupName = await test.group('described', 'a');
    await put(logGroupName, 'x', { metricName: 'Other' });
    const filter = {
      filterName: 'filter',
      filterPattern: 'x',
      metricTransformations: [{ metricName: 'Other', metricNamespace: 'App', metricValue: '1' }],
      creationTime: test.now,
      logGroupName,
      applyOnTransformedLogs: false,
    };
    for (const input of [
      { logGroupName },
      { filterNamePrefix: 'fil', logGroupName },
      { metricName: 'Other', metricNamespace: 'App' },
    ])
      expect((await logs.describeMetricFilters(input)).metricFilters).toEqual([filter]);
    for (let index = 0; index < 5; index++)
      await logs.putMetricFilter({ ...filter, filterName: `regex-${index}`, filterPattern: '%a%' });
    expect(await failureOf(logs.putMetricFilter({ ...filter, filterPattern: '{ $.a = %b% }' }))).toBe(
      'LimitExceededException: Resource limit exceeded.',
    );
    await logs.deleteMetricFilter({ logGroupName, filterName: 'filter' });
    expect(await failureOf(logs.deleteMetricFilter({ logGroupName, filterName: 'filter' }))).toBe(
      'ResourceNotFoundException: The specified metric filter does not exist.',
    );
    expect(await failureOf(put('none', 'x'))).toBe(
      'ResourceNotFoundException: The specified log group does not exist.',
    );
    expect(await failureOf(put(logGroupName, '{ $.a'))).toBe(
      'InvalidParameterException: Invalid metric filter pattern',
    );
    expect(await failureOf(put(logGroupName, 'x', { defaultValue: 0, dimensions: { A: '$.a' } }))).toMatch(
      /^InvalidParameterException: Invalid metric transformation/,
    );
    const rare = { logGroupName: 'rare', logGroupClass: 'INFREQUENT_ACCESS' } as const;
    await logs.createLogGroup(rare);
    expect(await failureOf(put('rare', 'x'))).toMatch(/^InvalidOperationException/);
  });

  it('tests patterns', async () => {
    const { matches } = await test.logs.testMetricFilter({
      filterPattern: '[ip, code = 4*]',
      logEventMessages: ['1.1.1.1 200', '1.1.1.1 404'],
    });
    expect(matches).toEqual([
      { eventNumber: 2, eventMessage: '1.1.1.1 404', extractedValues: { $ip: '1.1.1.1', $code: '404' } },
    ]);
  });
});

describe('metric filters that break constraints', () => {
  const transformation = (n: number) => ({
    metricName: `metric${n}`,
    metricNamespace: `namespace${n}`,
    metricValue: '1',
  });
  const filter = {
    logGroupName: 'app',
    filterName: 'f',
    filterPattern: '',
    metricTransformations: [transformation(1)],
  };
  const long = 'X'.repeat(513);
  const tooLong = (value: string, member: string, most: number) =>
    `InvalidParameterException: 1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must have length less than or equal to ${most}`;

  it('rejects them with recorded messages', async () => {
    await using test = await startLogs();
    const { logs } = test;
    expect(await failureOf(logs.putMetricFilter({ ...filter, filterName: long }))).toBe(
      tooLong(long, 'filterName', 512),
    );
    const pattern = 'X'.repeat(1025);
    expect(await failureOf(logs.putMetricFilter({ ...filter, filterPattern: pattern }))).toBe(
      tooLong(pattern, 'filterPattern', 1024),
    );
    // AWS returns the unit before the dimensions, unlike the order in its models.
    const shown = (n: number) =>
      `MetricTransformation(metricName=metric${n}, metricNamespace=namespace${n}, metricValue=1, defaultValue=null, dimensions=null, unit=null)`;
    const two = [transformation(1), transformation(2)];
    expect(await failureOf(logs.putMetricFilter({ ...filter, metricTransformations: two }))).toBe(
      tooLong(`[${shown(1)}, ${shown(2)}]`, 'metricTransformations', 1),
    );
    expect(await failureOf(logs.deleteMetricFilter({ logGroupName: 'app', filterName: long }))).toBe(
      tooLong(long, 'filterName', 512),
    );
    expect(await failureOf(logs.deleteMetricFilter({ logGroupName: long, filterName: 'f' }))).toBe(
      'InvalidParameterException: Invalid LogGroup or LogStream, both must have length less than or equal to 512.',
    );
    expect(await failureOf(logs.describeMetricFilters({ filterNamePrefix: long }))).toBe(
      tooLong(long, 'filterNamePrefix', 512),
    );
    const name = 'X'.repeat(256);
    expect(await failureOf(logs.describeMetricFilters({ metricName: name, metricNamespace: 'n' }))).toBe(
      tooLong(name, 'metricName', 255),
    );
  });
});
