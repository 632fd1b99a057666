import * as sdk from '@aws-sdk/client-cloudwatch';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-cloudwatch/model/cloudwatch.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const NAMESPACE = 'App';
const TOPIC = 'arn:aws:sns:us-east-1:000000000000:topic';
const FIREHOSE = 'arn:aws:firehose:us-east-1:000000000000:deliverystream/stream';
const ROLE = 'arn:aws:iam::000000000000:role/stream';
const HOUR = 3_600_000;
const Dimensions = [{ Name: 'Host', Value: 'a' }];
const Tags = [{ Key: 'team', Value: 'a' }];
const BODY = JSON.stringify({
  widgets: [{ type: 'metric', properties: { metrics: [[NAMESPACE, 'Latency']], region: 'us-east-1' } }],
});
const definition = (key: string): string =>
  JSON.stringify({
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: ['api'],
    LogFormat: 'JSON',
    Contribution: { Keys: [key], Filters: [] },
    AggregateOn: 'Count',
  });
const Metric = { Namespace: NAMESPACE, MetricName: 'Latency', Dimensions };
const detector = { ...Metric, Stat: 'Sum' };
const expression = {
  MetricMathAnomalyDetector: {
    MetricDataQueries: [
      { Id: 'e1', Expression: 'm1 + 1' },
      { Id: 'm1', MetricStat: { Metric, Period: 60, Stat: 'Sum' }, ReturnData: false },
    ],
  },
};
const metricAlarm = (AlarmName: string) => ({
  AlarmName,
  ...Metric,
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 1,
  Threshold: 100,
  ComparisonOperator: 'GreaterThanThreshold',
});
const queries = [
  { Id: 'm1', MetricStat: { Metric, Period: 60, Stat: 'Sum' } },
  { Id: 'e1', Expression: 'm1 * 2' },
];
const range = ({ now }: Facts) => ({
  StartTime: new Date(Number(now) - HOUR),
  EndTime: new Date(Number(now) + HOUR),
});
const put = (send: Send, Value = 5) =>
  send('PutMetricData', { Namespace: NAMESPACE, MetricData: [{ MetricName: 'Latency', Dimensions, Value }] });

/** Creates a metric with data, alarms of both types with a history, and resources of every other kind. */
async function setUp(send: Send): Promise<Facts> {
  const now = String(Math.floor(Date.now() / 60_000) * 60_000);
  await put(send);
  await put(send, 7);
  await send('PutMetricAlarm', { ...metricAlarm('known'), AlarmActions: [TOPIC], Tags });
  await send('PutMetricAlarm', metricAlarm('other'));
  await send('PutCompositeAlarm', { AlarmName: 'composite', AlarmRule: 'ALARM(known)', Tags });
  await send('SetAlarmState', { AlarmName: 'known', StateValue: 'ALARM', StateReason: 'x' });
  await send('PutMetricAlarm', {
    AlarmName: 'grouped',
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanThreshold',
    Metrics: [{ Id: 'q', Expression: `SELECT SUM(Latency) FROM "${NAMESPACE}" GROUP BY Host`, Period: 60 }],
  });
  await send('PutAlarmMuteRule', {
    Name: 'known',
    Rule: { Schedule: { Expression: 'cron(0 2 * * *)', Duration: 'PT1H' } },
    MuteTargets: { AlarmNames: ['other'] },
  });
  await send('PutDashboard', { DashboardName: 'known', DashboardBody: BODY, Tags });
  await send('PutAnomalyDetector', detector);
  await send('PutInsightRule', { RuleName: 'known', RuleDefinition: definition('$.ip'), Tags });
  await send('PutMetricStream', { Name: 'known', FirehoseArn: FIREHOSE, RoleArn: ROLE, OutputFormat: 'json', Tags });
  const { MetricAlarms } = await send('DescribeAlarms', { AlarmNames: ['known'] });
  return { now, alarm: (MetricAlarms as { AlarmArn: string }[])[0]!.AlarmArn };
}

/** Returns everything from describing operations. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const said = async (operation: string, input: Record<string, unknown> = {}) => {
    const { $metadata: _, ...answer } = await send(operation, input);
    return answer;
  };
  const found = [
    await said('ListMetrics'),
    await said('GetMetricData', { ...range(facts), MetricDataQueries: queries }),
    await said('DescribeAlarms', { AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
    await said('DescribeAlarmHistory', { AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
    await said('ListAlarmMuteRules'),
    await said('ListDashboards'),
    await said('DescribeAnomalyDetectors', { AnomalyDetectorTypes: ['SINGLE_METRIC', 'METRIC_MATH'] }),
    await said('DescribeInsightRules'),
    await said('ListMetricStreams'),
    await said('GetOTelEnrichment'),
  ];
  const bodies = ((found[5] as { DashboardEntries?: { DashboardName: string }[] }).DashboardEntries ?? []).map(
    ({ DashboardName }) => said('GetDashboard', { DashboardName }),
  );
  const streams = ((found[8] as { Entries?: { Name: string }[] }).Entries ?? []).map(({ Name }) =>
    said('GetMetricStream', { Name }),
  );
  return [found, await Promise.all(bodies), await Promise.all(streams), await tagsOf(send, facts)];
}

/** Returns the tags of the known alarm; none if it was deleted. */
async function tagsOf(send: Send, { alarm }: Facts): Promise<unknown> {
  return (await send('ListTagsForResource', { ResourceARN: alarm })).Tags;
}

const mute = (send: Send, { name = '' }: { name?: string }) => send('GetAlarmMuteRule', { AlarmMuteRuleName: name });
const setOk = (send: Send) => send('SetAlarmState', { AlarmName: 'known', StateValue: 'OK', StateReason: 'fine' });
/** A rule that AWS offers for an endpoint service. */
const managed = {
  ResourceARN: 'arn:aws:ec2:us-east-1:000000000000:vpc-endpoint-service/vpce-svc-0123456789abcdef0',
  TemplateName: 'VpcEndpointService-BytesByEndpointId-v1',
};
const named = (member: string) => () => ({ [member]: ['known'] });

/** Amazon CloudWatch. */
export const cloudwatch: Scenario = {
  service: 'cloudwatch',
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.CloudWatchClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    DeleteAlarmMuteRule: () => ({ AlarmMuteRuleName: 'known' }),
    DeleteAlarms: () => ({ AlarmNames: ['other'] }),
    DeleteAnomalyDetector: () => detector,
    DeleteDashboards: named('DashboardNames'),
    DeleteInsightRules: named('RuleNames'),
    DeleteMetricStream: () => ({ Name: 'known' }),
    DescribeAlarmContributors: () => ({ AlarmName: 'grouped' }),
    DescribeAlarmHistory: () => ({}),
    DescribeAlarms: () => ({}),
    DescribeAlarmsForMetric: () => ({ ...Metric }),
    DescribeAnomalyDetectors: () => ({}),
    DescribeInsightRules: () => ({}),
    DisableAlarmActions: named('AlarmNames'),
    DisableInsightRules: named('RuleNames'),
    EnableAlarmActions: named('AlarmNames'),
    EnableInsightRules: named('RuleNames'),
    GetAlarmMuteRule: () => ({ AlarmMuteRuleName: 'known' }),
    GetDashboard: () => ({ DashboardName: 'known' }),
    GetInsightRuleReport: (facts) => ({ RuleName: 'known', ...range(facts), Period: 600 }),
    GetMetricData: (facts) => ({ ...range(facts), MetricDataQueries: queries }),
    GetMetricStatistics: (facts) => ({ ...Metric, ...range(facts), Period: 60, Statistics: ['Sum'] }),
    GetMetricStream: () => ({ Name: 'known' }),
    GetMetricWidgetImage: () => ({ MetricWidget: JSON.stringify({ metrics: [[NAMESPACE, 'Latency', 'Host', 'a']] }) }),
    ListAlarmMuteRules: () => ({}),
    ListDashboards: () => ({}),
    ListMetricStreams: () => ({}),
    ListMetrics: () => ({}),
    ListTagsForResource: ({ alarm }) => ({ ResourceARN: alarm }),
    PutAlarmMuteRule: () => ({ Name: 'new', Rule: { Schedule: { Expression: 'cron(0 2 * * *)', Duration: 'PT1H' } } }),
    PutAnomalyDetector: () => ({ ...detector, Stat: 'Average' }),
    PutCompositeAlarm: () => ({ AlarmName: 'new', AlarmRule: 'ALARM(known)' }),
    PutDashboard: () => ({ DashboardName: 'new', DashboardBody: BODY }),
    ListManagedInsightRules: () => ({ ResourceARN: managed.ResourceARN }),
    PutManagedInsightRules: () => ({ ManagedRules: [managed] }),
    PutInsightRule: () => ({ RuleName: 'new', RuleDefinition: definition('$.user') }),
    PutMetricAlarm: () => metricAlarm('new'),
    PutMetricData: () => ({ Namespace: NAMESPACE, MetricData: [{ MetricName: 'Latency', Dimensions, Value: 1 }] }),
    PutMetricStream: () => ({ Name: 'new', FirehoseArn: FIREHOSE, RoleArn: ROLE, OutputFormat: 'json' }),
    SetAlarmState: () => ({ AlarmName: 'known', StateValue: 'OK', StateReason: 'x' }),
    StartMetricStreams: named('Names'),
    StopMetricStreams: named('Names'),
    TagResource: ({ alarm }) => ({ ResourceARN: alarm, Tags: [{ Key: 'new', Value: 'x' }] }),
    UntagResource: ({ alarm }) => ({ ResourceARN: alarm, TagKeys: ['team'] }),
  },
  also: {
    DeleteAnomalyDetector: [() => ({ SingleMetricAnomalyDetector: detector })],
    PutAnomalyDetector: [() => ({ SingleMetricAnomalyDetector: { ...detector, Stat: 'p90' } }), () => expression],
    PutCompositeAlarm: [
      () => ({
        AlarmName: 'new',
        AlarmRule: 'ALARM(known)',
        ActionsSuppressor: 'other',
        ActionsSuppressorWaitPeriod: 10,
        ActionsSuppressorExtensionPeriod: 10,
      }),
    ],
    PutMetricAlarm: [
      () => ({ ...metricAlarm('new'), Statistic: undefined, ExtendedStatistic: 'p90' }),
      () => ({
        AlarmName: 'new',
        EvaluationPeriods: 1,
        ThresholdMetricId: 'band',
        ComparisonOperator: 'GreaterThanUpperThreshold',
        Metrics: [
          { Id: 'm1', MetricStat: { Metric, Period: 60, Stat: 'Sum' } },
          { Id: 'band', Expression: 'ANOMALY_DETECTION_BAND(m1, 2)' },
        ],
      }),
    ],
    PutMetricData: [
      () => ({ Namespace: NAMESPACE, MetricData: [{ MetricName: 'Latency', Values: [1, 2], Counts: [3, 4] }] }),
      () => ({
        Namespace: NAMESPACE,
        EntityMetricData: [
          {
            Entity: { KeyAttributes: { Type: 'Service', Name: 'x' } },
            MetricData: [{ MetricName: 'Latency', Value: 1 }],
          },
        ],
      }),
    ],
    GetMetricStatistics: [(facts) => ({ ...Metric, ...range(facts), Period: 60, ExtendedStatistics: ['p90'] })],
  },
  before: {
    EnableAlarmActions: async (send) => {
      await send('DisableAlarmActions', { AlarmNames: ['known'] });
      return {};
    },
    EnableInsightRules: async (send) => {
      await send('DisableInsightRules', { RuleNames: ['known'] });
      return {};
    },
    StartMetricStreams: async (send) => {
      await send('StopMetricStreams', { Names: ['known'] });
      return {};
    },
    StopOTelEnrichment: async (send) => {
      await send('StartOTelEnrichment', {});
      return {};
    },
  },
  values: {
    'PutMetricStream.StatisticsConfigurations': [
      [{ IncludeMetrics: [{ Namespace: 'App', MetricName: 'Latency' }], AdditionalStatistics: ['p99'] }],
    ],
    'PutMetricAlarm.TreatMissingData': ['breaching', 'notBreaching'],
    'PutMetricAlarm.EvaluateLowSampleCountPercentile': ['ignore'],
    'PutMetricAlarm.AlarmActions': [[TOPIC]],
    'PutMetricAlarm.OKActions': [[TOPIC]],
    'PutMetricAlarm.InsufficientDataActions': [[TOPIC]],
    'PutCompositeAlarm.AlarmActions': [[TOPIC]],
    'PutCompositeAlarm.OKActions': [[TOPIC]],
    'PutCompositeAlarm.InsufficientDataActions': [[TOPIC]],
    'PutMetricAlarm.Period': [120],
    'PutMetricAlarm.EvaluationInterval': [60],
    'GetMetricData.MaxDatapoints': [1],
    'GetMetricData.ScanBy': ['TimestampAscending'],
    'DescribeAlarms.AlarmNames': [['known']],
    'DescribeAlarms.AlarmNamePrefix': ['k'],
    'DescribeAlarms.ActionPrefix': ['arn:aws:sns'],
    'DescribeAlarms.ChildrenOfAlarmName': ['composite'],
    'DescribeAlarms.ParentsOfAlarmName': ['known'],
    'DescribeAlarmHistory.AlarmName': ['known'],
    'DescribeAlarmsForMetric.Statistic': ['Average'],
    'DescribeAlarmsForMetric.Period': [300],
    'DescribeAnomalyDetectors.Namespace': ['None'],
    'DescribeAnomalyDetectors.MetricName': ['None'],
    'ListMetrics.Namespace': ['None'],
    'ListMetrics.MetricName': ['None'],
    'ListDashboards.DashboardNamePrefix': ['x'],
    'ListAlarmMuteRules.AlarmName': ['known'],
    'PutAlarmMuteRule.MuteTargets': [{ AlarmNames: ['known'] }],
    'PutInsightRule.RuleState': ['DISABLED'],
    'PutManagedInsightRules.ManagedRules': [
      [{ ...managed, TemplateName: 'VpcEndpointService-RstPacketsByEndpointId-v1' }],
    ],
    'PutMetricStream.IncludeFilters': [[{ Namespace: NAMESPACE }]],
    'PutMetricStream.ExcludeFilters': [[{ Namespace: NAMESPACE }]],
  },
  after: {
    PutAlarmMuteRule: (send, _facts) => mute(send, { name: 'new' }),
    DisableAlarmActions: (send) => setOk(send),
  },
  reads: {
    DescribeAlarmContributors: (send) =>
      send('PutMetricAlarm', { ...metricAlarm('x') }).then(() =>
        send('PutMetricAlarm', {
          AlarmName: 'grouped',
          EvaluationPeriods: 1,
          Threshold: 1000,
          ComparisonOperator: 'GreaterThanThreshold',
          Metrics: [{ Id: 'q', Expression: `SELECT SUM(Latency) FROM "${NAMESPACE}" GROUP BY Host`, Period: 60 }],
        }),
      ),
    DescribeAlarmHistory: setOk,
    DescribeAlarms: setOk,
    DescribeAlarmsForMetric: setOk,
    DescribeAnomalyDetectors: (send) => send('DeleteAnomalyDetector', detector),
    DescribeInsightRules: (send) => send('DisableInsightRules', { RuleNames: ['known'] }),
    ListManagedInsightRules: (send) => send('PutManagedInsightRules', { ManagedRules: [managed] }),
    GetAlarmMuteRule: (send) =>
      send('PutAlarmMuteRule', {
        Name: 'known',
        Rule: { Schedule: { Expression: 'cron(0 3 * * *)', Duration: 'PT1H' } },
      }),
    GetDashboard: (send) => send('PutDashboard', { DashboardName: 'known', DashboardBody: '{"widgets":[]}' }),
    GetInsightRuleReport: (send) => send('PutInsightRule', { RuleName: 'known', RuleDefinition: definition('$.x') }),
    GetMetricData: (send) => put(send),
    GetMetricStatistics: (send) => put(send),
    GetMetricWidgetImage: async (send) => {
      await put(send, 50);
      return send('PutMetricData', {
        Namespace: NAMESPACE,
        MetricData: [{ MetricName: 'Latency', Dimensions, Value: 90, Timestamp: new Date(Date.now() - HOUR) }],
      });
    },
    GetMetricStream: (send) => send('StopMetricStreams', { Names: ['known'] }),
    GetOTelEnrichment: (send) => send('StartOTelEnrichment', {}),
    ListAlarmMuteRules: (send) => send('DeleteAlarmMuteRule', { AlarmMuteRuleName: 'known' }),
    ListDashboards: (send) => send('DeleteDashboards', { DashboardNames: ['known'] }),
    ListMetricStreams: (send) => send('DeleteMetricStream', { Name: 'known' }),
    ListMetrics: (send) =>
      send('PutMetricData', { Namespace: NAMESPACE, MetricData: [{ MetricName: 'Other', Value: 1 }] }),
    ListTagsForResource: (send, { alarm }) =>
      send('TagResource', { ResourceARN: alarm, Tags: [{ Key: 'b', Value: 'c' }] }),
  },
};
