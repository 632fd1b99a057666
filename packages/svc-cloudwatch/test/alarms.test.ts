import type { PutMetricAlarmCommandInput } from '@aws-sdk/client-cloudwatch';
import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, type CloudWatchTest, eventually, failureOf, REGION, startCloudWatch } from './support.ts';

const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT}:topic`;
const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:f`;
const arnOf = (name: string) => `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:${name}`;

let test: CloudWatchTest;
let number = 0;
/** A unique metric name, also used for alarms. */
let name: string;
const published: Record<string, unknown>[] = [];
const invoked: Record<string, unknown>[] = [];
const events: { DetailType: string; Detail: string; Resources: string[] }[] = [];
beforeAll(async () => {
  test = await startCloudWatch([
    fakeService('sns', {
      Publish: (input) => {
        published.push(input);
        return { MessageId: 'm' };
      },
    }),
    fakeService('lambda', {
      Invoke: (input) => {
        invoked.push(input);
        return {};
      },
    }),
    fakeService('events', {
      PutEvents: ({ Entries }) => {
        events.push(...(Entries as typeof events));
        return { Entries: [] };
      },
    }),
  ]);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  name = `alarm-${++number}`;
  published.length = 0;
  invoked.length = 0;
  events.length = 0;
});

const put = (Value: number, Unit?: 'Seconds') =>
  test.cloudwatch.putMetricData({ Namespace: 'N', MetricData: [{ MetricName: name, Value, Unit }] });
const alarm = (settings: Partial<PutMetricAlarmCommandInput> = {}) =>
  test.cloudwatch.putMetricAlarm({
    AlarmName: name,
    Namespace: 'N',
    MetricName: name,
    Statistic: 'Average',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 21,
    ComparisonOperator: 'GreaterThanThreshold',
    ...settings,
  });
const metricAlarm = async (AlarmName = name) =>
  (await test.cloudwatch.describeAlarms({ AlarmNames: [AlarmName] })).MetricAlarms![0]!;
const compositeAlarm = async (AlarmName: string) =>
  (await test.cloudwatch.describeAlarms({ AlarmNames: [AlarmName], AlarmTypes: ['CompositeAlarm'] }))
    .CompositeAlarms![0]!;
const minute = (time: number) => Math.floor(time / 60_000) * 60_000;
const now = () => test.emulator.kernel.clock.now();
/** Formats a time as in reasons. */
const short = (time: number) => {
  const [, year, month, day, rest] = /^..(..)-(..)-(..)T(.{8})/.exec(new Date(time).toISOString())!;
  return `${day}/${month}/${year} ${rest}`;
};
const long = (time: number) => new Date(time).toISOString().replace('Z', '+0000');

describe('PutMetricAlarm', () => {
  it('creates an alarm with insufficient data, and keeps the state of a replaced one', async () => {
    await alarm({ Tags: [{ Key: 'a', Value: '1' }] });
    expect(await metricAlarm()).toEqual({
      ActionsEnabled: true,
      AlarmActions: [],
      AlarmArn: arnOf(name),
      AlarmConfigurationUpdatedTimestamp: new Date(now()),
      AlarmName: name,
      ComparisonOperator: 'GreaterThanThreshold',
      Dimensions: [],
      EvaluationPeriods: 1,
      InsufficientDataActions: [],
      MetricName: name,
      Namespace: 'N',
      OKActions: [],
      Period: 60,
      StateReason: 'Unchecked: Initial alarm creation',
      StateTransitionedTimestamp: new Date(now()),
      StateUpdatedTimestamp: new Date(now()),
      StateValue: 'INSUFFICIENT_DATA',
      Statistic: 'Average',
      Threshold: 21,
    });
    await test.cloudwatch.setAlarmState({ AlarmName: name, StateValue: 'OK', StateReason: 'by hand' });
    await alarm({ Threshold: 22, Tags: [{ Key: 'b', Value: '2' }] });
    expect(await metricAlarm()).toMatchObject({ StateValue: 'OK', StateReason: 'by hand', Threshold: 22 });
    const { Tags } = await test.cloudwatch.listTagsForResource({ ResourceARN: arnOf(name) });
    expect(Tags).toEqual([{ Key: 'a', Value: '1' }]);
    await eventually(() =>
      expect(events.map(({ DetailType, Detail }) => `${DetailType} ${JSON.parse(Detail).operation ?? ''}`)).toEqual([
        'CloudWatch Alarm Configuration Change create',
        'CloudWatch Alarm State Change ',
        'CloudWatch Alarm Configuration Change update',
      ]),
    );
  });

  it.each<[Partial<PutMetricAlarmCommandInput>, string, string]>([
    [{ Period: 15 }, 'ValidationException', 'Period must be 10, 30 or a multiple of 60'],
    [
      { TreatMissingData: 'x' },
      'ValidationException',
      'The value x is not supported for TreatMissingData parameter. Supported values are [breaching, notBreaching, ignore, missing].',
    ],
    [
      { EvaluateLowSampleCountPercentile: 'x' },
      'ValidationException',
      'Option x is not supported. Supported options for parameter EvaluateLowSampleCountPercentile are evaluate and ignore.',
    ],
    // AWS refuses the option without a percentile: https://github.com/cdklabs/cdk-monitoring-constructs/issues/229
    [
      { EvaluateLowSampleCountPercentile: 'ignore' },
      'ValidationException',
      'Option evaluateLowSampleCountPercentile can not be applied with statistic Average.',
    ],
    [
      { Statistic: undefined, ExtendedStatistic: 'x' },
      'InvalidParameterValueException',
      'The value x for parameter ExtendedStatistic is not supported.',
    ],
    [
      { Statistic: undefined },
      'InvalidParameterCombinationException',
      'Must specify either Statistic or ExtendedStatistic',
    ],
    [{ AlarmActions: ['x'] }, 'ValidationException', 'Invalid arn syntax: x'],
    [
      { DatapointsToAlarm: 2 },
      'ValidationException',
      'DatapointsToAlarm must be less than or equal to EvaluationPeriods',
    ],
    [{ Threshold: undefined }, 'ValidationException', 'Threshold must not be null'],
    [
      { Period: 60, EvaluationPeriods: 1441 },
      'ValidationException',
      'Metrics cannot be checked across more than a day (EvaluationPeriods * Period must be <= 86400).',
    ],
    [
      {
        MetricName: undefined,
        Namespace: undefined,
        Statistic: undefined,
        Period: undefined,
        Metrics: [{ Id: 'e1', Expression: 'm1 + 1' }],
      },
      'ValidationException',
      "Error in expression 'e1': Unknown id: m1",
    ],
    [
      { EvaluationCriteria: { PromQLCriteria: { Query: 'up' } } },
      'NotImplemented',
      expect.stringContaining('EvaluationCriteria') as unknown as string,
    ],
  ])('rejects %j', async (settings, code, message) => {
    expect(await failureOf(alarm(settings))).toEqual({ code, message });
  });
});

describe('evaluation', () => {
  it("goes into ALARM on a breaching datapoint and writes topic message and history with AWS's text", async () => {
    await alarm({
      Unit: 'Seconds',
      AlarmDescription: 'testing',
      AlarmActions: [TOPIC],
      OKActions: [TOPIC],
      TreatMissingData: 'ignore',
      Dimensions: [],
    });
    await put(21, 'Seconds');
    await test.advance(0);
    await put(22, 'Seconds');
    const at = minute(now());
    const reason = `Threshold Crossed: 1 datapoint [21.5 (${short(at)})] was greater than the threshold (21.0).`;
    const data =
      `{"version":"1.0","queryDate":"${long(now())}","startDate":"${long(at)}","unit":"Seconds","statistic":"Average","period":60,` +
      `"recentDatapoints":[21.5],"threshold":21.0,"evaluatedDatapoints":[{"timestamp":"${long(at)}","sampleCount":2.0,"value":21.5}]}`;
    expect(await metricAlarm()).toMatchObject({ StateValue: 'ALARM', StateReason: reason, StateReasonData: data });
    await eventually(() => expect(published).toHaveLength(2));
    expect(published[1]).toEqual({
      TopicArn: TOPIC,
      Subject: `ALARM: "${name}" in US East (N. Virginia)`,
      Message: expect.any(String),
    });
    expect(JSON.parse(published[1]!.Message as string)).toEqual({
      AlarmName: name,
      AlarmDescription: 'testing',
      AWSAccountId: ACCOUNT,
      AlarmConfigurationUpdatedTimestamp: long(now()),
      NewStateValue: 'ALARM',
      NewStateReason: reason,
      StateChangeTime: long(now()),
      Region: 'US East (N. Virginia)',
      AlarmArn: arnOf(name),
      OldStateValue: 'OK',
      ActionExecutedAfterMuteWindow: false,
      OKActions: [TOPIC],
      AlarmActions: [TOPIC],
      InsufficientDataActions: [],
      Trigger: {
        MetricName: name,
        Namespace: 'N',
        StatisticType: 'Statistic',
        Statistic: 'AVERAGE',
        Unit: 'Seconds',
        Dimensions: [],
        Period: 60,
        EvaluationPeriods: 1,
        ComparisonOperator: 'GreaterThanThreshold',
        Threshold: 21,
        TreatMissingData: 'ignore',
        EvaluateLowSampleCountPercentile: '',
      },
    });
    expect(published[1]!.Message).toContain('"Threshold":21.0,');
    const { AlarmHistoryItems: [item] = [] } = await test.cloudwatch.describeAlarmHistory({
      AlarmName: name,
      HistoryItemType: 'StateUpdate',
      MaxRecords: 1,
    });
    expect(item).toMatchObject({ AlarmType: 'MetricAlarm', HistorySummary: 'Alarm updated from OK to ALARM' });
    expect(JSON.parse(item!.HistoryData!)).toMatchObject({
      version: '1.0',
      oldState: { stateValue: 'OK' },
      newState: { stateValue: 'ALARM', stateReason: reason, stateReasonData: { recentDatapoints: [21.5] } },
    });
  });

  it('evaluates each period and detects missing data', async () => {
    await alarm({ TreatMissingData: 'breaching', EvaluationPeriods: 2, InsufficientDataActions: [TOPIC] });
    expect(await metricAlarm()).toMatchObject({
      StateValue: 'ALARM',
      StateReason:
        'Threshold Crossed: no datapoints were received for 2 periods and 2 missing datapoints were treated as [Breaching].',
    });
    const { evaluatedDatapoints } = JSON.parse((await metricAlarm()).StateReasonData!);
    expect(evaluatedDatapoints).toEqual([{ timestamp: expect.any(String) }, { timestamp: expect.any(String) }]);
    await alarm({ EvaluationPeriods: 2, InsufficientDataActions: [TOPIC] });
    await test.advance(60);
    expect(await metricAlarm()).toMatchObject({
      StateValue: 'INSUFFICIENT_DATA',
      StateReason: 'Insufficient Data: 2 datapoints were unknown.',
    });
    expect(published).toHaveLength(1);
  });

  it('requires M of N datapoints', async () => {
    await alarm({ EvaluationPeriods: 3, DatapointsToAlarm: 2, Threshold: 1 });
    const reasons: string[] = [];
    for (const value of [5, 0, 6, 0, 0]) {
      await put(value);
      const { StateValue, StateReason } = await metricAlarm();
      reasons.push(`${StateValue} ${StateReason!.replace(/ \(\d\d\/\d\d\/\d\d [\d:]+\)/g, '')}`);
      await test.advance(60);
    }
    expect(reasons).toEqual([
      'INSUFFICIENT_DATA Unchecked: Initial alarm creation',
      'OK Threshold Crossed: 1 out of the last 3 datapoints [0.0] was not greater than the threshold (1.0) (minimum 2 datapoints for ALARM -> OK transition).',
      'ALARM Threshold Crossed: 2 out of the last 3 datapoints [6.0, 5.0] were greater than the threshold (1.0) (minimum 2 datapoints for OK -> ALARM transition).',
      'OK Threshold Crossed: 2 out of the last 3 datapoints [0.0, 0.0] were not greater than the threshold (1.0) (minimum 2 datapoints for ALARM -> OK transition).',
      'OK Threshold Crossed: 2 out of the last 3 datapoints [0.0, 0.0] were not greater than the threshold (1.0) (minimum 2 datapoints for ALARM -> OK transition).',
    ]);
  });

  it('evaluates expressions', async () => {
    const other = `${name}-errors`;
    const metric = (MetricName: string) => ({
      MetricStat: { Metric: { Namespace: 'N', MetricName }, Period: 60, Stat: 'Sum' },
      ReturnData: false,
    });
    await test.cloudwatch.putMetricAlarm({
      AlarmName: name,
      EvaluationPeriods: 1,
      Threshold: 50,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      AlarmActions: [TOPIC],
      Metrics: [
        { Id: 'rate', Expression: '100 * errors / calls', Label: 'error rate' },
        { Id: 'errors', ...metric(other) },
        { Id: 'calls', ...metric(name) },
      ],
    });
    await put(4);
    expect(await metricAlarm()).toMatchObject({ StateValue: 'INSUFFICIENT_DATA' });
    await test.cloudwatch.putMetricData({ Namespace: 'N', MetricData: [{ MetricName: other, Value: 2 }] });
    expect(await metricAlarm()).toMatchObject({
      StateValue: 'ALARM',
      StateReason: expect.stringMatching(
        /^Threshold Crossed: 1 datapoint \[50\.0 \(.*\)\] was greater than or equal to the threshold \(50\.0\)\.$/,
      ),
      Metrics: [{ Id: 'rate', ReturnData: true }, { Id: 'errors', ReturnData: false }, { Id: 'calls' }],
    });
    await eventually(() => expect(published).toHaveLength(1));
    expect(JSON.parse(published[0]!.Message as string).Trigger.Metrics[0]).toEqual({
      Expression: '100 * errors / calls',
      Id: 'rate',
      Label: 'error rate',
      ReturnData: true,
    });
  });

  it('compares with the band of an anomaly detector', async () => {
    for (let index = 0; index < 10; index++) {
      await put(index % 2);
      await test.advance(60);
    }
    await test.cloudwatch.putMetricAlarm({
      AlarmName: name,
      EvaluationPeriods: 1,
      ThresholdMetricId: 'band',
      ComparisonOperator: 'GreaterThanUpperThreshold',
      Metrics: [
        { Id: 'm1', MetricStat: { Metric: { Namespace: 'N', MetricName: name }, Period: 60, Stat: 'Maximum' } },
        { Id: 'band', Expression: 'ANOMALY_DETECTION_BAND(m1, 2)' },
      ],
    });
    expect(await metricAlarm()).toMatchObject({ StateValue: 'OK' });
    await put(50);
    expect(await metricAlarm()).toMatchObject({
      StateValue: 'ALARM',
      StateReason: expect.stringMatching(
        /^Thresholds Crossed: 1 datapoint \[50\.0 .* was greater than the upper thresholds \[/,
      ),
    });
  });

  it('tracks each group of a Metrics Insights query', async () => {
    const putFor = (host: string, Value: number) =>
      test.cloudwatch.putMetricData({
        Namespace: name,
        MetricData: [{ MetricName: 'cpu', Value, Dimensions: [{ Name: 'host', Value: host }] }],
      });
    await putFor('a', 1);
    await putFor('b', 90);
    await test.cloudwatch.putMetricAlarm({
      AlarmName: name,
      EvaluationPeriods: 1,
      Threshold: 80,
      ComparisonOperator: 'GreaterThanThreshold',
      Metrics: [{ Id: 'q', Expression: `SELECT MAX(cpu) FROM "${name}" GROUP BY host`, Period: 60 }],
    });
    expect(await metricAlarm()).toMatchObject({ StateValue: 'ALARM' });
    const { AlarmContributors } = await test.cloudwatch.describeAlarmContributors({ AlarmName: name });
    expect(AlarmContributors).toEqual([
      {
        ContributorId: expect.stringMatching(/^[\da-f]{16}$/),
        ContributorAttributes: { host: 'b' },
        StateReason: expect.stringContaining('[90.0'),
        StateTransitionedTimestamp: new Date(now()),
      },
    ]);
  });

  it('ignores percentiles of few samples if configured', async () => {
    await alarm({
      Statistic: undefined,
      ExtendedStatistic: 'p90',
      EvaluateLowSampleCountPercentile: 'ignore',
      Threshold: 1,
    });
    await put(5);
    expect(await metricAlarm()).toMatchObject({ StateValue: 'INSUFFICIENT_DATA' });
    await test.cloudwatch.putMetricData({
      Namespace: 'N',
      MetricData: [{ MetricName: name, Values: [5], Counts: [100] }],
    });
    expect(await metricAlarm()).toMatchObject({ StateValue: 'ALARM' });
  });
});

describe('missing data', () => {
  const _ = undefined;
  // Source of the tables: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
  it.each<[number, (number | undefined)[], string, string, string, string]>([
    [3, [0, _, 1, _, 1], 'OK', 'OK', 'OK', 'OK'],
    [3, [0, _, _, _, _], 'OK', 'OK', 'OK', 'OK'],
    [3, [_, _, _, _, _], 'INSUFFICIENT_DATA', 'retain', 'ALARM', 'OK'],
    [3, [0, 1, 1, _, 1], 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
    [3, [_, _, 1, _, _], 'ALARM', 'retain', 'ALARM', 'OK'],
    [2, [0, _, 1, _, 1], 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
    [2, [0, 0, 1, 0, 1], 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
    [2, [0, _, 1, _, _], 'OK', 'OK', 'ALARM', 'OK'],
    [2, [_, _, _, _, 0], 'OK', 'OK', 'ALARM', 'OK'],
    [2, [_, _, _, 1, _], 'ALARM', 'retain', 'ALARM', 'OK'],
  ])('%i of 3 of %j', async (needed, values, missing, ignore, breaching, notBreaching) => {
    const { judge } = await import('../src/alarms/decide.ts');
    const slots = values.map((value, at) => (value === undefined ? undefined : { at, value })).toReversed();
    const stateOf = (treatment: 'missing' | 'ignore' | 'breaching' | 'notBreaching') =>
      judge(slots, { needed, of: 3 }, treatment, ({ value }) => value > 0).state ?? 'retain';
    expect([stateOf('missing'), stateOf('ignore'), stateOf('breaching'), stateOf('notBreaching')]).toEqual([
      missing,
      ignore,
      breaching,
      notBreaching,
    ]);
  });
});

describe('SetAlarmState', () => {
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_SetAlarmState.html#API_SetAlarmState_Errors
  it('rejects data that is not JSON', async () => {
    await alarm();
    const request = test.cloudwatch.setAlarmState({
      AlarmName: name,
      StateValue: 'ALARM',
      StateReason: 'test',
      StateReasonData: '{',
    });
    expect((await failureOf(request)).code).toBe('InvalidFormatFault');
    expect((await metricAlarm()).StateValue).toBe('INSUFFICIENT_DATA');
  });

  it('changes the state with all effects', async () => {
    await alarm({ AlarmActions: [FUNCTION], AlarmDescription: 'testing lambda alarm action' });
    const set = (StateValue: 'ALARM' | 'OK') =>
      test.cloudwatch.setAlarmState({
        AlarmName: name,
        StateValue,
        StateReason: 'testing alarm',
        StateReasonData: '{"a":1}',
      });
    await set('ALARM');
    // Setting the same state runs nothing.
    await set('ALARM');
    await eventually(() => expect(invoked).toHaveLength(1));
    expect(invoked[0]).toMatchObject({ FunctionName: FUNCTION, InvocationType: 'Event' });
    expect(JSON.parse(Buffer.from(invoked[0]!.Payload as Uint8Array).toString())).toEqual({
      source: 'aws.cloudwatch',
      alarmArn: arnOf(name),
      accountId: ACCOUNT,
      time: long(now()),
      region: REGION,
      alarmData: {
        alarmName: name,
        state: { value: 'ALARM', reason: 'testing alarm', reasonData: '{"a":1}', timestamp: long(now()) },
        previousState: {
          value: 'INSUFFICIENT_DATA',
          reason: 'Unchecked: Initial alarm creation',
          timestamp: long(now()),
        },
        configuration: {
          description: 'testing lambda alarm action',
          metrics: [
            {
              id: expect.any(String),
              metricStat: { metric: { namespace: 'N', name, dimensions: {} }, period: 60, stat: 'Average' },
              returnData: true,
            },
          ],
        },
      },
    });
    const event = events.find(({ DetailType }) => DetailType === 'CloudWatch Alarm State Change')!;
    expect(event.Resources).toEqual([arnOf(name)]);
    expect(JSON.parse(event.Detail)).toMatchObject({ alarmName: name, state: { value: 'ALARM' } });
    await eventually(async () => {
      const { AlarmHistoryItems } = await test.cloudwatch.describeAlarmHistory({
        AlarmName: name,
        ScanBy: 'TimestampAscending',
      });
      expect(AlarmHistoryItems!.map(({ HistorySummary }) => HistorySummary)).toEqual(
        expect.arrayContaining([
          `Alarm "${name}" created`,
          'Alarm updated from INSUFFICIENT_DATA to ALARM',
          `Successfully executed action ${FUNCTION}`,
        ]),
      );
    });
  });

  it('runs no disabled actions', async () => {
    await alarm({ AlarmActions: [TOPIC], OKActions: [TOPIC] });
    await test.cloudwatch.disableAlarmActions({ AlarmNames: [name] });
    expect(await metricAlarm()).toMatchObject({ ActionsEnabled: false });
    await test.cloudwatch.setAlarmState({ AlarmName: name, StateValue: 'ALARM', StateReason: 'x' });
    await test.cloudwatch.enableAlarmActions({ AlarmNames: [name] });
    expect(await metricAlarm()).toMatchObject({ ActionsEnabled: true });
    await test.cloudwatch.setAlarmState({ AlarmName: name, StateValue: 'OK', StateReason: 'x' });
    await eventually(() => expect(published).toHaveLength(1));
    expect(JSON.parse(published[0]!.Message as string)).toMatchObject({ NewStateValue: 'OK', OldStateValue: 'ALARM' });
  });

  it('rejects unknown alarms and invalid states', async () => {
    const set = (StateValue: string) =>
      test.cloudwatch.setAlarmState({ AlarmName: 'none', StateValue: StateValue as 'OK', StateReason: 'x' });
    expect((await failureOf(set('OK'))).code).toBe('ResourceNotFound');
    expect(await failureOf(set('INVALID'))).toEqual({
      code: 'ValidationException',
      message:
        "1 validation error detected: Value 'INVALID' at 'stateValue' failed to satisfy constraint: Member must satisfy enum value set: [INSUFFICIENT_DATA, ALARM, OK]",
    });
  });

  it('records failures of actions in the history', async () => {
    const Unknown = `arn:aws:swf:${REGION}:${ACCOUNT}:action/x`;
    await alarm({ AlarmActions: [Unknown] });
    await test.cloudwatch.setAlarmState({ AlarmName: name, StateValue: 'ALARM', StateReason: 'x' });
    await eventually(async () => {
      const { AlarmHistoryItems } = await test.cloudwatch.describeAlarmHistory({
        AlarmName: name,
        HistoryItemType: 'Action',
      });
      expect(AlarmHistoryItems).toMatchObject([{ HistorySummary: `Failed to execute action ${Unknown}` }]);
    });
  });
});

describe('composite alarms', () => {
  const composite = (rule: string, rest: object = {}) =>
    test.cloudwatch.putCompositeAlarm({ AlarmName: `${name}-all`, AlarmRule: rule, ...rest });
  const set = (AlarmName: string, StateValue: 'OK' | 'ALARM') =>
    test.cloudwatch.setAlarmState({ AlarmName, StateValue, StateReason: 'x' });

  it('change together with the alarms in their rule', async () => {
    const [one, two] = [`${name}-1`, `${name}-2`];
    for (const AlarmName of [one, two]) await alarm({ AlarmName });
    await composite(`ALARM("${arnOf(one)}") OR ALARM(${two})`, { AlarmActions: [TOPIC], AlarmDescription: 'both' });
    await set(one, 'ALARM');
    expect(await compositeAlarm(`${name}-all`)).toMatchObject({
      StateValue: 'ALARM',
      StateReason: expect.stringMatching(
        new RegExp(`^${arnOf(one)} transitioned to ALARM at Thursday \\d\\d March, 2026 [\\d:]{8} UTC$`),
      ),
      StateReasonData: `{"triggeringAlarms":[{"arn":"${arnOf(one)}","state":{"value":"ALARM","timestamp":"${long(now())}"}}]}`,
    });
    await set(two, 'ALARM');
    expect((await compositeAlarm(`${name}-all`)).StateReason).toContain(arnOf(one));
    await set(one, 'OK');
    expect((await compositeAlarm(`${name}-all`)).StateValue).toBe('ALARM');
    await set(two, 'OK');
    expect(await compositeAlarm(`${name}-all`)).toMatchObject({
      StateValue: 'OK',
      StateReason: expect.stringContaining(`${arnOf(two)} transitioned to OK at `),
    });
    await eventually(() => expect(published).toHaveLength(1));
    expect(JSON.parse(published[0]!.Message as string)).toMatchObject({
      AlarmName: `${name}-all`,
      AlarmRule: `ALARM("${arnOf(one)}") OR ALARM(${two})`,
      TriggeringChildren: [{ Arn: arnOf(one), State: { Value: 'ALARM', Timestamp: long(now()) } }],
    });
    const children = await test.cloudwatch.describeAlarms({ ChildrenOfAlarmName: `${name}-all` });
    expect(children.MetricAlarms!.map(({ AlarmName }) => AlarmName)).toEqual([one, two]);
    const parents = await test.cloudwatch.describeAlarms({ ParentsOfAlarmName: one });
    expect(parents.CompositeAlarms!.map(({ AlarmName }) => AlarmName)).toEqual([`${name}-all`]);
    expect(await failureOf(test.cloudwatch.deleteAlarms({ AlarmNames: [one] }))).toEqual({
      code: 'ValidationException',
      message: `Cannot delete ${one} as there are composite alarm(s) depending on it.`,
    });
    await test.cloudwatch.deleteAlarms({ AlarmNames: [`${name}-all`] });
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteAlarms.html
    await test.cloudwatch.deleteAlarms({ AlarmNames: [one, 'unknown', two, one] });
    expect((await test.cloudwatch.describeAlarms({ AlarmNamePrefix: name })).MetricAlarms).toEqual([]);
    await test.cloudwatch.deleteAlarms({ AlarmNames: [one] });
  });

  it.each<[string, boolean]>([
    ['TRUE', true],
    ['NOT FALSE AND (FALSE OR TRUE)', true],
    ['AT_LEAST(2, ALARM, (@1, @2, @3))', true],
    ['AT_LEAST(60%, NOT ALARM, (@1, @2, @3))', false],
    ['INSUFFICIENT_DATA(@3) AND NOT OK(@1)', true],
    ['OK(@1) OR OK(@2)', false],
  ])('evaluate %s', async (rule, expected) => {
    for (const suffix of [1, 2, 3]) await alarm({ AlarmName: `${name}-${suffix}` });
    await set(`${name}-1`, 'ALARM');
    await set(`${name}-2`, 'ALARM');
    await composite(rule.replaceAll('@', `${name}-`));
    expect((await compositeAlarm(`${name}-all`)).StateValue).toBe(expected ? 'ALARM' : 'OK');
  });

  it('are not evaluated if they depend on themselves', async () => {
    await composite('FALSE');
    await test.cloudwatch.putCompositeAlarm({ AlarmName: `${name}-not`, AlarmRule: `NOT ALARM(${name}-all)` });
    await composite(`ALARM(${name}-not)`);
    expect([
      (await compositeAlarm(`${name}-all`)).StateValue,
      (await compositeAlarm(`${name}-not`)).StateValue,
    ]).toEqual(['OK', 'ALARM']);
  });

  it('reject invalid rules and unknown alarms', async () => {
    expect(await failureOf(composite('ALARM(nobody)'))).toEqual({
      code: 'ValidationException',
      message: 'Could not save the composite alarm as alarms [nobody] in the alarm rule do not exist',
    });
    expect((await failureOf(composite('ALARM('))).code).toBe('ValidationException');
    expect((await failureOf(composite('ALARM(a) XOR OK(b)'))).code).toBe('ValidationException');
  });

  it('suppress their actions while another alarm is in ALARM', async () => {
    const [child, suppressor] = [`${name}-child`, `${name}-deploy`];
    for (const AlarmName of [child, suppressor]) await alarm({ AlarmName, TreatMissingData: 'ignore' });
    await composite(`ALARM(${child})`, {
      AlarmActions: [TOPIC],
      ActionsSuppressor: suppressor,
      ActionsSuppressorWaitPeriod: 60,
      ActionsSuppressorExtensionPeriod: 30,
    });
    await set(suppressor, 'ALARM');
    await set(child, 'ALARM');
    expect(await compositeAlarm(`${name}-all`)).toMatchObject({ StateValue: 'ALARM', ActionsSuppressedBy: 'Alarm' });
    await test.advance(120);
    expect(published).toEqual([]);
    await set(suppressor, 'OK');
    expect(await compositeAlarm(`${name}-all`)).toMatchObject({ ActionsSuppressedBy: 'ExtensionPeriod' });
    await test.advance(30);
    expect(published).toHaveLength(1);
    expect(await compositeAlarm(`${name}-all`)).not.toHaveProperty('ActionsSuppressedBy');
    await set(child, 'OK');
    expect(await compositeAlarm(`${name}-all`)).toMatchObject({ ActionsSuppressedBy: 'WaitPeriod' });
    await set(child, 'ALARM');
    await test.advance(60);
    // The alarm is back in the state of its last actions.
    expect(published).toHaveLength(1);
  });
});

describe('DescribeAlarms', () => {
  it('finds by name, prefix, state and action, in pages', async () => {
    const names = ['c', 'a', 'b'].map((suffix) => `${name}-${suffix}`);
    for (const AlarmName of names) await alarm({ AlarmName, AlarmActions: AlarmName === names[0] ? [TOPIC] : [] });
    const found = async (input: object) =>
      (await test.cloudwatch.describeAlarms(input)).MetricAlarms!.map(({ AlarmName }) => AlarmName);
    const sorted = [...names].sort();
    expect(await found({ AlarmNamePrefix: name })).toEqual(sorted);
    expect(await found({ AlarmNamePrefix: name, ActionPrefix: TOPIC })).toEqual([names[0]]);
    expect(await found({ AlarmNamePrefix: name, StateValue: 'OK' })).toEqual([]);
    const page = await test.cloudwatch.describeAlarms({ AlarmNamePrefix: name, MaxRecords: 2 });
    expect(page.MetricAlarms).toHaveLength(2);
    expect(await found({ AlarmNamePrefix: name, MaxRecords: 2, NextToken: page.NextToken })).toEqual([sorted[2]]);
    const forMetric = await test.cloudwatch.describeAlarmsForMetric({ Namespace: 'N', MetricName: name, Period: 60 });
    expect(forMetric.MetricAlarms).toHaveLength(3);
    const none = await test.cloudwatch.describeAlarmsForMetric({ Namespace: 'N', MetricName: name, Statistic: 'Sum' });
    expect(none.MetricAlarms).toEqual([]);
  });

  it('is returned by the control route', async () => {
    await alarm();
    const { json } = await test.emulator.control('GET', '/_emulator/cloudwatch/alarms');
    expect((json as { alarms: { name: string }[] }).alarms.find((record) => record.name === name)).toEqual({
      accountId: ACCOUNT,
      region: REGION,
      name,
      type: 'metric',
      state: 'INSUFFICIENT_DATA',
      stateReason: 'Unchecked: Initial alarm creation',
      stateUpdatedTimestamp: new Date(now()).toISOString(),
      actionsEnabled: true,
      alarmActions: [],
      okActions: [],
      insufficientDataActions: [],
      namespace: 'N',
      metricName: name,
      threshold: 21,
      comparisonOperator: 'GreaterThanThreshold',
    });
  });
});

describe('tags', () => {
  it('are added, changed and removed', async () => {
    await alarm();
    const ResourceARN = arnOf(name);
    await test.cloudwatch.tagResource({
      ResourceARN,
      Tags: [
        { Key: 'tag1', Value: 'foo' },
        { Key: 'tag2', Value: 'bar' },
      ],
    });
    await test.cloudwatch.untagResource({ ResourceARN, TagKeys: ['tag1'] });
    expect((await test.cloudwatch.listTagsForResource({ ResourceARN })).Tags).toEqual([{ Key: 'tag2', Value: 'bar' }]);
    const gone = arnOf('gone');
    expect((await test.cloudwatch.listTagsForResource({ ResourceARN: gone })).Tags).toEqual([]);
    expect((await failureOf(test.cloudwatch.tagResource({ ResourceARN: gone, Tags: [] }))).code).toBe(
      'ResourceNotFoundException',
    );
    expect((await failureOf(test.cloudwatch.untagResource({ ResourceARN: gone, TagKeys: [] }))).code).toBe(
      'ResourceNotFoundException',
    );
  });
});
