import type { ServiceManifest } from '@emu/core/service';

/** How requests for Amazon Elastic Container Registry are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'ecr',
  signingNames: ['ecr'],
  hostNames: ['api.ecr'],
  targetPrefixes: ['AmazonEC2ContainerRegistry_V20150921'],
  // The largest member is a lifecycle policy of 30 KiB. JSON may escape one byte as six.
  bodies: { bytes: 1024 * 1024 },
  cloudFormation: {
    types: ['AWS::ECR::Repository'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  load: async () => (await import('./index.ts')).plugin,
};
