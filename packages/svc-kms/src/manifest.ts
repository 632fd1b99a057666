import type { ServiceManifest } from '@emu/core/service';
import { KMS_OPTIONS } from './options.ts';

/** How requests for AWS KMS are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'kms',
  signingNames: ['kms'],
  hostNames: ['kms'],
  targetPrefixes: ['TrentService'],
  // The largest member is a key policy of 32 KB, in JSON. AWS documents no limit for the request.
  // https://docs.aws.amazon.com/kms/latest/developerguide/resource-limits.html
  bodies: { bytes: 1024 * 1024 },
  options: { table: KMS_OPTIONS },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: ['AWS::KMS::Alias', 'AWS::KMS::Key', 'AWS::KMS::ReplicaKey'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
