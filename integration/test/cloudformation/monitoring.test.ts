import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { describeTypes, typeCase, typeVariant } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];

const body = (title: string) =>
  JSON.stringify({ widgets: [{ type: 'text', x: 0, y: 0, width: 6, height: 6, properties: { markdown: title } }] });

const definition = (group: string) =>
  JSON.stringify({
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: [group],
    LogFormat: 'JSON',
    Contribution: { Keys: ['$.ip'], Filters: [] },
    AggregateOn: 'Count',
  });

/** An expression over a metric. */
const sum = (MetricName: string) => [
  {
    Id: 'm',
    MetricStat: { Metric: { Namespace: 'n', MetricName }, Period: 60, Stat: 'Sum' },
    ReturnData: false,
  },
  { Id: 'e', Expression: 'm * 2', ReturnData: true },
];

describeTypes(
  [cloudwatch, firehose, iam],
  [
    typeCase({
      type: 'AWS::CloudWatch::Dashboard',
      least: () => ({ DashboardBody: body('one') }),
      most: () => ({ DashboardBody: body('two'), Tags: TAGS }),
      other: () => ({ DashboardName: 'named' }),
    }),
    typeCase({
      type: 'AWS::CloudWatch::InsightRule',
      least: () => ({ RuleName: 'one', RuleBody: definition('a'), RuleState: 'ENABLED' }),
      most: () => ({ RuleBody: definition('b'), RuleState: 'DISABLED', Tags: TAGS, ApplyOnTransformedLogs: true }),
      other: () => ({ RuleName: 'two' }),
    }),
    typeCase({
      type: 'AWS::CloudWatch::MetricStream',
      needs: async () => ({
        role: 'arn:aws:iam::123456789012:role/streams',
        stream: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/metrics',
      }),
      least: ({ role, stream }) => ({ FirehoseArn: stream, RoleArn: role, OutputFormat: 'json' }),
      most: () => ({
        IncludeFilters: [{ Namespace: 'AWS/SQS' }],
        StatisticsConfigurations: [
          { AdditionalStatistics: ['p90'], IncludeMetrics: [{ MetricName: 'm', Namespace: 'n' }] },
        ],
        Tags: TAGS,
      }),
      other: () => ({ Name: 'named', IncludeLinkedAccountsMetrics: false }),
      variants: {
        'that leaves out': typeVariant({
          least: () => ({
            FirehoseArn: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/metrics',
            RoleArn: 'arn:aws:iam::123456789012:role/streams',
            OutputFormat: 'json',
          }),
          most: () => ({ ExcludeFilters: [{ Namespace: 'AWS/SQS' }] }),
          other: () => ({ Name: 'left-out' }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::CloudWatch::AlarmMuteRule',
      least: () => ({ Rule: { Schedule: { Expression: 'cron(0 2 * * *)', Duration: 'PT1H' } } }),
      most: () => ({
        Description: 'described',
        ExpireDate: '2099-01-02T00:00:00Z',
        MuteTargets: { AlarmNames: ['alarm'] },
        Rule: { Schedule: { Expression: 'cron(0 3 * * *)', Duration: 'PT2H', Timezone: 'Europe/Berlin' } },
        StartDate: '2099-01-01T00:00:00Z',
        Tags: TAGS,
      }),
      other: () => ({ Name: 'named' }),
    }),
    typeCase({
      type: 'AWS::CloudWatch::AnomalyDetector',
      least: () => ({ Namespace: 'n', MetricName: 'm', Stat: 'Average' }),
      most: () => ({
        Configuration: {
          ExcludedTimeRanges: [{ StartTime: '2030-01-01T00:00:00', EndTime: '2030-01-02T00:00:00' }],
          MetricTimeZone: 'Europe/Berlin',
        },
      }),
      other: () => ({
        Dimensions: [{ Name: 'd', Value: '1' }],
        MetricCharacteristics: { PeriodicSpikes: true },
        Stat: 'Maximum',
      }),
      variants: {
        'of one metric': typeVariant({
          least: () => ({ SingleMetricAnomalyDetector: { Namespace: 'n', MetricName: 'one', Stat: 'Average' } }),
          most: () => ({ Configuration: { MetricTimeZone: 'Europe/Berlin' } }),
          other: () => ({ SingleMetricAnomalyDetector: { Namespace: 'n', MetricName: 'two', Stat: 'Average' } }),
        }),
        'of an expression': typeVariant({
          least: () => ({ MetricMathAnomalyDetector: { MetricDataQueries: sum('one') } }),
          most: () => ({ Configuration: { MetricTimeZone: 'Europe/Berlin' } }),
          other: () => ({ MetricMathAnomalyDetector: { MetricDataQueries: sum('two') } }),
        }),
      },
    }),
    typeCase({ type: 'AWS::CloudWatch::OTelEnrichment', least: () => ({}), single: true }),
  ],
);
