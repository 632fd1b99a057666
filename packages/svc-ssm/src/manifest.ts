import type { ServiceManifest } from '@emu/core';
import { ATTACHMENT_BUCKET } from './documents/downloads.ts';

const MAX_BODY = 1024 * 1024;

/** How requests for Amazon Simple Systems Manager (SSM) are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'ssm',
  signingNames: ['ssm'],
  hostNames: ['ssm'],
  targetPrefixes: ['AmazonSSM'],
  // The longest input is a document of 64 KiB, of which JSON may need six bytes for one.
  bodies: {
    bytes: MAX_BODY,
    refusal: (limit) => ({
      code: 'RequestEntityTooLargeException',
      message: `HTTP content length exceeded ${limit} bytes.`,
      status: 413,
    }),
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  // Attachments of documents are downloaded from a bucket of AWS's.
  claims: (_method, path) => path.startsWith(`/${ATTACHMENT_BUCKET}`),
  // Scripts of runbooks run in containers or as processes.
  containers: async (options) => (await import('@emu/containers')).openContainers(options),
  cloudFormation: {
    types: [
      'AWS::SSM::Association',
      'AWS::SSM::Document',
      'AWS::SSM::MaintenanceWindow',
      'AWS::SSM::MaintenanceWindowTarget',
      'AWS::SSM::MaintenanceWindowTask',
      'AWS::SSM::Parameter',
      'AWS::SSM::PatchBaseline',
      'AWS::SSM::ResourceDataSync',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
