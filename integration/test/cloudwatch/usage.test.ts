import { CloudWatch, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { ServiceQuotas } from '@aws-sdk/client-service-quotas';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudwatchManifest } from '@emu/svc-cloudwatch/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as schedulerManifest } from '@emu/svc-scheduler/manifest';
import { manifest as quotasManifest } from '@emu/svc-servicequotas/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let emulator: TestEmulator;
let cloudwatch: CloudWatch;
let logs: CloudWatchLogs;
let quotas: ServiceQuotas;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [cloudwatchManifest, logsManifest, quotasManifest, schedulerManifest, ssmManifest],
  });
  emulator.kernel.clock.freeze();
  const config = emulator.clientConfig();
  cloudwatch = new CloudWatch(config);
  logs = new CloudWatchLogs(config);
  quotas = new ServiceQuotas(config);
});
afterAll(() => emulator.close());

const now = () => emulator.kernel.clock.now();
const calls = (Service: string, Resource: string) => ({
  Namespace: 'AWS/Usage',
  MetricName: 'CallCount',
  Dimensions: Object.entries({ Class: 'None', Resource, Service, Type: 'API' }).map(([Name, Value]) => ({
    Name,
    Value,
  })),
});
const counted: MetricDataQuery = {
  Id: 'm',
  MetricStat: { Metric: calls('Logs', 'DescribeLogGroups'), Period: 60, Stat: 'Sum' },
};
/** Returns the values of a query over the last hour, or of an expression on the calls of DescribeLogGroups. */
async function values(Expression?: string): Promise<number[]> {
  const queries = Expression
    ? [
        { ...counted, ReturnData: false },
        { Id: 'e', Expression, Period: 60 },
      ]
    : [counted];
  const { MetricDataResults } = await cloudwatch.getMetricData({
    MetricDataQueries: queries,
    StartTime: new Date(now() - 3_600_000),
    EndTime: new Date(now() + 60_000),
  });
  return MetricDataResults![0]!.Values!;
}

describe('AWS/Usage', () => {
  it('counts the calls of Parameter Store, whose quotas name the metric', async () => {
    const ssm = new SSM(emulator.clientConfig());
    await ssm.putParameter({ Name: 'a', Value: 'b', Type: 'String' });
    for (let call = 0; call < 2; call++) await ssm.getParameter({ Name: 'a' });
    const Metric = calls('SSM', 'GetParameter');
    const { MetricDataResults } = await cloudwatch.getMetricData({
      MetricDataQueries: [
        { Id: 'm', MetricStat: { Metric, Period: 60, Stat: 'Sum' } },
        { Id: 'q', Expression: 'SERVICE_QUOTA(m)', Period: 60 },
      ],
      StartTime: new Date(now() - 3_600_000),
      EndTime: new Date(now() + 60_000),
    });
    expect(MetricDataResults!.map(({ Values }) => Values)).toEqual([[2], [2400]]);
  });

  it('counts the calls of EventBridge Scheduler', async () => {
    await new Scheduler(emulator.clientConfig()).listSchedules({});
    const { MetricDataResults } = await cloudwatch.getMetricData({
      MetricDataQueries: [
        { Id: 'm', MetricStat: { Metric: calls('Scheduler', 'ListSchedules'), Period: 60, Stat: 'Sum' } },
      ],
      StartTime: new Date(now() - 3_600_000),
      EndTime: new Date(now() + 60_000),
    });
    expect(MetricDataResults![0]!.Values).toEqual([1]);
  });

  it('counts calls of operations, which expressions compare with their quotas', async () => {
    for (let call = 0; call < 3; call++) await logs.describeLogGroups({});
    expect(await values()).toEqual([3]);
    expect(await values('SERVICE_QUOTA(m)')).toEqual([600]);
    expect(await values('100 * m / SERVICE_QUOTA(m)')).toEqual([0.5]);
    const { Metrics } = await cloudwatch.listMetrics({ Namespace: 'AWS/Usage', MetricName: 'CallCount' });
    expect(Metrics).toContainEqual(calls('CloudWatch', 'GetMetricData'));
  });

  it('is named by the quotas', async () => {
    const { Quota } = await quotas.getServiceQuota({ ServiceCode: 'monitoring', QuotaCode: 'L-5E141212' });
    expect(Quota!.UsageMetric).toEqual({
      MetricNamespace: 'AWS/Usage',
      MetricName: 'CallCount',
      MetricDimensions: { Class: 'None', Resource: 'GetMetricData', Service: 'CloudWatch', Type: 'API' },
      MetricStatisticRecommendation: 'Sum',
    });
  });

  it('triggers alarms on the usage of a quota', async () => {
    await cloudwatch.putMetricAlarm({
      AlarmName: 'near',
      Metrics: [
        { ...counted, ReturnData: false },
        { Id: 'e', Expression: '100 * m / SERVICE_QUOTA(m)' },
      ],
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
    await emulator.kernel.clock.advance(180_000);
    const state = async () => (await cloudwatch.describeAlarms({ AlarmNames: ['near'] })).MetricAlarms![0]!.StateValue;
    expect(await state()).toBe('OK');
    for (let call = 0; call < 7; call++) await logs.describeLogGroups({});
    await emulator.kernel.clock.advance(60_000);
    expect(await state()).toBe('ALARM');
  });
});

describe('INSIGHT_RULE_METRIC', () => {
  it('is a series of the counts of a rule', async () => {
    await logs.createLogGroup({ logGroupName: 'app' });
    await logs.createLogStream({ logGroupName: 'app', logStreamName: 's' });
    const RuleDefinition = JSON.stringify({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      LogGroupNames: ['app'],
      LogFormat: 'JSON',
      Contribution: { Keys: ['$.user'], ValueOf: '$.n' },
      AggregateOn: 'Sum',
    });
    await cloudwatch.putInsightRule({ RuleName: 'users', RuleDefinition });
    const timestamp = now();
    const event = (user: string, n: number) => ({ timestamp, message: JSON.stringify({ user, n }) });
    await logs.putLogEvents({
      logGroupName: 'app',
      logStreamName: 's',
      logEvents: [event('a', 2), event('a', 3), event('b', 4)],
    });
    expect(Math.max(...(await values('INSIGHT_RULE_METRIC("users", "UniqueContributors")')))).toBe(2);
    expect(Math.max(...(await values("INSIGHT_RULE_METRIC('users', 'Sum') * 10")))).toBe(90);
    expect(Math.max(...(await values('INSIGHT_RULE_METRIC("users", "MaxContributorValue")')))).toBe(5);
  });

  it('triggers alarms', async () => {
    await cloudwatch.putMetricAlarm({
      AlarmName: 'rule',
      Metrics: [{ Id: 'e', Expression: 'INSIGHT_RULE_METRIC("users", "Sum")', Period: 60 }],
      EvaluationPeriods: 1,
      Threshold: 10,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
    const message = JSON.stringify({ user: 'c', n: 11 });
    await logs.putLogEvents({ logGroupName: 'app', logStreamName: 's', logEvents: [{ timestamp: now(), message }] });
    await emulator.kernel.clock.advance(60_000);
    const { MetricAlarms } = await cloudwatch.describeAlarms({ AlarmNames: ['rule'] });
    expect(MetricAlarms![0]!.StateValue).toBe('ALARM');
  });
});
