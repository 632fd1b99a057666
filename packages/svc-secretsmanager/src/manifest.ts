import type { ServiceManifest } from '@emu/core';

/** How requests for AWS Secrets Manager are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'secretsmanager',
  signingNames: ['secretsmanager'],
  hostNames: ['secretsmanager'],
  targetPrefixes: ['secretsmanager'],
  load: async () => (await import('./index.ts')).plugin,
};
