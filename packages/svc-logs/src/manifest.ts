import { logWriter, type ServiceManifest, vendedLogs } from '@emu/core/service';

/**
 * Maximum bytes of a request: a batch of a million bytes, which JSON may expand sixfold, and ten thousand timestamps.
 */
const MAX_BODY = 8 * 1024 * 1024;

/** Paths of the HTTP ingestion endpoints. */
const INGESTION = new Set(['/ingest/bulk', '/ingest/json', '/services/collector/event', '/v1/logs']);

/** Recognises requests for Amazon CloudWatch Logs before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'logs',
  signingNames: ['logs'],
  hostNames: ['logs'],
  targetPrefixes: ['Logs_20140328'],
  claims: (method, path) => method === 'POST' && INGESTION.has(path),
  bodies: { bytes: MAX_BODY },
  provides: [logWriter, vendedLogs],
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::Logs::AccountPolicy',
      'AWS::Logs::Delivery',
      'AWS::Logs::DeliveryDestination',
      'AWS::Logs::DeliverySource',
      'AWS::Logs::Destination',
      'AWS::Logs::Integration',
      'AWS::Logs::LogAnomalyDetector',
      'AWS::Logs::LogGroup',
      'AWS::Logs::LogStream',
      'AWS::Logs::MetricFilter',
      'AWS::Logs::QueryDefinition',
      'AWS::Logs::ResourcePolicy',
      'AWS::Logs::ScheduledQuery',
      'AWS::Logs::SubscriptionFilter',
      'AWS::Logs::Transformer',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
