import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CloudWatchTest, failureOf, START, startCloudWatch } from './support.ts';

// Source:
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_MultiDataSources-Connect-Custom.html

const asked: unknown[] = [];
const counted: unknown[] = [];
const seconds = START / 1000;
const ANSWERS: Record<string, unknown> = {
  prices: {
    MetricDataResults: [
      { Label: 'gold', Timestamps: [seconds + 60, seconds, seconds + 7, seconds + 600], Values: [2, 1, 9, 9] },
      { Label: 'silver', StatusCode: 'PartialData', Messages: [{ Code: 'c', Value: 'v' }], Timestamps: [], Values: [] },
    ],
  },
  wrong: { Error: { Code: 'Validation', Value: 'Invalid cluster' } },
  closed: { Error: { Code: 'Forbidden', Value: 'Unable to access' } },
  broken: { Error: { Code: 'Unreachable', Value: 'no route' } },
  silent: [],
};

let test: CloudWatchTest;
beforeAll(async () => {
  test = await startCloudWatch([
    fakeService('lambda', {
      Invoke(input) {
        const { FunctionName, Payload } = input as { FunctionName: string; Payload: Uint8Array };
        asked.push(JSON.parse(Buffer.from(Payload).toString()));
        if (!(FunctionName in ANSWERS)) throw awsError('ResourceNotFoundException', `${FunctionName} is not there.`);
        return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(ANSWERS[FunctionName])) };
      },
    }),
    fakeService('pi', {
      GetResourceMetrics(input) {
        counted.push(input);
        const { Identifier, MetricQueries } = input as { Identifier: string; MetricQueries: { Metric: string }[] };
        if (Identifier !== 'db-A') throw awsError('NotAuthorizedException', `${Identifier} is not there.`);
        return {
          MetricList: MetricQueries.map(({ Metric }, index) => ({
            Key: { Metric },
            DataPoints: [
              { Timestamp: test.at(60), Value: 2 + index },
              { Timestamp: test.at(0), Value: 1 + index },
              { Timestamp: test.at(120) },
            ],
          })),
        };
      },
    }),
  ]);
});
afterAll(() => test[Symbol.asyncDispose]());

const query = async (Expression: string) => {
  const { MetricDataResults } = await test.cloudwatch.getMetricData({
    MetricDataQueries: [{ Id: 'e1', Expression, Period: 60 }],
    StartTime: test.at(0),
    EndTime: test.at(180),
    ScanBy: 'TimestampAscending',
  });
  return MetricDataResults!.map(({ Label, Values, StatusCode, Messages }) => [Label, Values, StatusCode, Messages]);
};

describe('LAMBDA', () => {
  it('requests time series from a function', async () => {
    expect(await query('LAMBDA("prices", "x", -1.5, true)')).toEqual([
      ['gold', [1, 2], 'Complete', undefined],
      ['silver', [], 'PartialData', [{ Code: 'c', Value: 'v' }]],
    ]);
    expect(asked).toEqual([
      {
        EventType: 'GetMetricData',
        GetMetricDataRequest: {
          StartTime: seconds,
          EndTime: seconds + 180,
          Period: 60,
          Arguments: ['x', -1.5, true],
        },
      },
    ]);
    expect(await query('FILL(FIRST(LAMBDA("prices")), 0) * 2')).toEqual([['e1', [2, 4, 0], 'Complete', undefined]]);
  });

  it.each([
    ['closed', 'Forbidden', { Code: 'Forbidden', Value: 'Unable to access' }],
    ['broken', 'InternalError', { Code: 'Unreachable', Value: 'no route' }],
    ['silent', 'InternalError', { Code: 'InternalError', Value: expect.any(String) }],
    ['absent', 'InternalError', { Code: 'ResourceNotFoundException', Value: 'absent is not there.' }],
  ])('reports errors of %s', async (name, status, message) => {
    expect(await query(`LAMBDA("${name}")`)).toEqual([[name, [], status, [message]]]);
  });

  it.each([
    ['LAMBDA("wrong")', 'Invalid cluster'],
    ['LAMBDA(3)', 'LAMBDA takes the name of a function'],
    ['LAMBDA("prices", x)', 'LAMBDA takes strings, numbers and booleans'],
  ])('rejects %s', async (expression, message) => {
    expect((await failureOf(query(expression))).message).toBe(`Error in expression 'e1': ${message}`);
  });

  it('is called once a minute for alarms', async () => {
    const { cloudwatch } = test;
    await cloudwatch.putMetricAlarm({
      AlarmName: 'dear',
      Metrics: [{ Id: 'e', Expression: 'LAMBDA("now")', Period: 60 }],
      EvaluationPeriods: 1,
      Threshold: 5,
      ComparisonOperator: 'GreaterThanThreshold',
    });
    const state = async () => (await cloudwatch.describeAlarms({ AlarmNames: ['dear'] })).MetricAlarms![0]!.StateValue;
    const answer = (value: number) => {
      const now = test.emulator.kernel.clock.now() / 1000;
      ANSWERS.now = { MetricDataResults: [{ Timestamps: [now], Values: [value] }] };
    };
    expect(await state()).toBe('INSUFFICIENT_DATA');
    answer(4);
    await test.advance(60);
    expect(await state()).toBe('OK');
    answer(6);
    await test.advance(60);
    expect(await state()).toBe('ALARM');
    await cloudwatch.deleteAlarms({ AlarmNames: ['dear'] });
  });
});

// Source: https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PerfInsights.Cloudwatch.html
describe('DB_PERF_INSIGHTS', () => {
  it('requests counters from Performance Insights', async () => {
    expect(await query("DB_PERF_INSIGHTS('RDS', 'db-A', 'os.cpuUtilization.user.avg') * 10")).toEqual([
      ['e1', [10, 20], 'Complete', undefined],
    ]);
    expect(counted).toEqual([
      {
        ServiceType: 'RDS',
        Identifier: 'db-A',
        MetricQueries: [{ Metric: 'os.cpuUtilization.user.avg' }],
        StartTime: test.at(0),
        EndTime: test.at(180),
        PeriodInSeconds: 60,
      },
    ]);
    expect(await query("DB_PERF_INSIGHTS('RDS', 'db-A', ['a.avg', 'b.avg'])")).toEqual([
      ['a.avg', [1, 2], 'Complete', undefined],
      ['b.avg', [2, 3], 'Complete', undefined],
    ]);
  });

  it('reports unsupported requests', async () => {
    expect(await query("DB_PERF_INSIGHTS('RDS', 'db-B', 'a.avg')")).toEqual([
      ['e1', [], 'Forbidden', [{ Code: 'NotAuthorizedException', Value: 'db-B is not there.' }]],
    ]);
    const usage = 'DB_PERF_INSIGHTS takes the type and the identifier of a database, and one or more metrics';
    for (const args of ["'S3', 'db-A', 'a.avg'", "'RDS', 'db-A'", "'RDS', 'db-A', [1]", "'RDS', 'db-A', 'a', 'b'"])
      expect((await failureOf(query(`DB_PERF_INSIGHTS(${args})`))).message).toBe(`Error in expression 'e1': ${usage}`);
  });
});
