import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CloudWatchTest, failureOf, START, startCloudWatch } from './support.ts';

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_MultiDataSources-Connect-Custom.html

const asked: unknown[] = [];
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
  it('asks a function for time series', async () => {
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
  ])('tells what went wrong at %s', async (name, status, message) => {
    expect(await query(`LAMBDA("${name}")`)).toEqual([[name, [], status, [message]]]);
  });

  it.each([
    ['LAMBDA("wrong")', 'Invalid cluster'],
    ['LAMBDA(3)', 'LAMBDA takes the name of a function'],
    ['LAMBDA("prices", x)', 'LAMBDA takes strings, numbers and booleans'],
  ])('refuses %s', async (expression, message) => {
    expect((await failureOf(query(expression))).message).toBe(`Error in expression 'e1': ${message}`);
  });

  it('is asked once a minute for alarms', async () => {
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
