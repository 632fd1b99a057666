import type { ServiceManifest } from '@emu/core';

/** How requests for AWS KMS are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'kms',
  signingNames: ['kms'],
  hostNames: ['kms'],
  targetPrefixes: ['TrentService'],
  load: async () => (await import('./index.ts')).plugin,
};
