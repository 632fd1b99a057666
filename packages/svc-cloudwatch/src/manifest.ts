import { MetricBoard, metricBoard, type ServiceManifest } from '@emu/core/service';

/** Facts by which the gateway recognises requests for Amazon CloudWatch before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'cloudwatch',
  signingNames: ['monitoring'],
  hostNames: ['monitoring'],
  targetPrefixes: ['GraniteServiceVersion20100801'],
  queryVersions: ['2010-08-01'],
  // Requests have at most 1 MB; compressed data may have 1,000 metrics with 150 values and counts each.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
  bodies: { bytes: 1024 * 1024, operations: { PutMetricData: 8 * 1024 * 1024 } },
  // Services leave metrics on the board until CloudWatch is first used.
  offers: [{ capability: metricBoard, make: () => new MetricBoard() }],
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::AlarmMuteRule',
      'AWS::CloudWatch::AnomalyDetector',
      'AWS::CloudWatch::CompositeAlarm',
      'AWS::CloudWatch::Dashboard',
      'AWS::CloudWatch::InsightRule',
      'AWS::CloudWatch::MetricStream',
      'AWS::CloudWatch::OTelEnrichment',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
