import type { ServiceManifest } from '@emu/core/service';
import { ATTACHMENT_BUCKET, DATA_CHANNEL, SNAPSHOT_BUCKET } from './paths.ts';

const MAX_BODY = 1024 * 1024;

/**
 * Facts by which the gateway recognises requests for Amazon Simple Systems Manager (SSM) before the service is loaded.
 */
export const manifest: ServiceManifest = {
  name: 'ssm',
  signingNames: ['ssm'],
  hostNames: ['ssm'],
  targetPrefixes: ['AmazonSSM'],
  // Older clients, such as API Gateway, use the query protocol.
  queryVersions: ['2014-11-06'],
  // The longest input is a document of 64 KiB; JSON may escape one byte with six.
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  quotas: async () => (await import('./quotas.ts')).quotas,
  // Document attachments and patch snapshots are downloaded from AWS's buckets; sessions use WebSockets.
  claims: (_method, path, _host, headers) =>
    path.startsWith(`/${ATTACHMENT_BUCKET}`) ||
    path.startsWith(`/${SNAPSHOT_BUCKET}`) ||
    (path.startsWith(DATA_CHANNEL) && headers.upgrade !== undefined),
  // Runbook scripts run in containers or processes.
  containers: async (options) => (await import('@emu/containers')).openContainers(options),
  cloudFormation: {
    types: [
      'AWS::SSM::Association',
      'AWS::SSM::Document',
      'AWS::SSM::MaintenanceWindow',
      'AWS::SSM::MaintenanceWindowTarget',
      'AWS::SSM::MaintenanceWindowTask',
      'AWS::SSM::OpsItem',
      'AWS::SSM::Parameter',
      'AWS::SSM::PatchBaseline',
      'AWS::SSM::ResourceDataSync',
      'AWS::SSM::ResourcePolicy',
      'AWS::SSM::ServiceSetting',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
