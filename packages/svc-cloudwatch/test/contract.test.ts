import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const RULE = JSON.stringify({
  Schema: { Name: 'CloudWatchLogRule', Version: 1 },
  LogGroupNames: ['api'],
  LogFormat: 'JSON',
  Contribution: { Keys: ['$.ip'] },
  AggregateOn: 'Count',
});

/** Creates state of every persistent kind. */
async function act(config: TestClientConfig): Promise<void> {
  const cloudwatch = new CloudWatch(config);
  const Tags = [{ Key: 'a', Value: 'b' }];
  const metric = { Namespace: 'N', MetricName: 'kept' };
  await cloudwatch.putMetricData({
    Namespace: 'N',
    MetricData: [{ MetricName: 'kept', Values: [1, 2], Counts: [3, 1] }],
  });
  await cloudwatch.putMetricData({ Namespace: 'N', MetricData: [{ MetricName: 'kept', Value: 2 }] });
  await cloudwatch.putMetricAlarm({
    ...metric,
    AlarmName: 'metric',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 1000,
    ComparisonOperator: 'GreaterThanThreshold',
    Tags,
  });
  await cloudwatch.putCompositeAlarm({ AlarmName: 'composite', AlarmRule: 'OK(metric)', Tags });
  await cloudwatch.setAlarmState({ AlarmName: 'metric', StateValue: 'ALARM', StateReason: 'x' });
  await cloudwatch.putAlarmMuteRule({
    Name: 'mute',
    Rule: { Schedule: { Expression: 'cron(0 2 * * *)', Duration: 'PT1H' } },
  });
  await cloudwatch.putAnomalyDetector({ ...metric, Stat: 'Sum' });
  await cloudwatch.putInsightRule({ RuleName: 'rule', RuleDefinition: RULE, Tags });
  await cloudwatch.putMetricStream({
    Name: 'stream',
    FirehoseArn: 'arn:aws:firehose:us-east-1:000000000000:deliverystream/s',
    RoleArn: 'arn:aws:iam::000000000000:role/r',
    OutputFormat: 'json',
  });
  await cloudwatch.startOTelEnrichment({});
}

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const cloudwatch = new CloudWatch(config);
  const now = Date.now();
  const kept = {
    Namespace: 'N',
    MetricName: 'kept',
    StartTime: new Date(now - 3_600_000),
    EndTime: new Date(now + 60_000),
    Period: 3600,
  };
  const data = await cloudwatch.getMetricStatistics({ ...kept, Statistics: ['Sum', 'SampleCount'] });
  const extended = await cloudwatch.getMetricStatistics({ ...kept, ExtendedStatistics: ['p50'] });
  const history = await cloudwatch.describeAlarmHistory({ HistoryItemType: 'StateUpdate' });
  return {
    data: data.Datapoints!.map(({ Sum, SampleCount }) => ({ Sum, SampleCount })),
    extended: extended.Datapoints!.map(({ ExtendedStatistics }) => ExtendedStatistics),
    metrics: (await cloudwatch.listMetrics({})).Metrics,
    alarms: (await cloudwatch.describeAlarms({})).MetricAlarms,
    composite: (await cloudwatch.describeAlarms({ AlarmTypes: ['CompositeAlarm'] })).CompositeAlarms,
    history: history.AlarmHistoryItems!.map(({ HistorySummary }) => HistorySummary),
    mute: (await cloudwatch.listAlarmMuteRules({})).AlarmMuteRuleSummaries,
    detectors: (await cloudwatch.describeAnomalyDetectors({})).AnomalyDetectors,
    rules: (await cloudwatch.describeInsightRules({})).InsightRules,
    streams: (await cloudwatch.listMetricStreams({})).Entries,
    enrichment: (await cloudwatch.getOTelEnrichment({})).Status,
  };
}

describeServiceContract({ manifest, scope: 'region', act, observe });

// Dashboards exist in all regions of the account.
describeServiceContract({
  manifest,
  scope: 'account',
  async act(config) {
    await new CloudWatch(config).putDashboard({ DashboardName: 'board', DashboardBody: '{"widgets":[]}' });
  },
  observe: async (config) => (await new CloudWatch(config).listDashboards({})).DashboardEntries,
});
