import type { ServiceManifest } from '@emu/core';

/** How the gateway recognises DynamoDB before it is loaded. */
export const manifest: ServiceManifest = {
  name: 'dynamodb',
  signingNames: ['dynamodb'],
  hostNames: ['dynamodb'],
  targetPrefixes: ['DynamoDB_20120810'],
  load: async () => (await import('./index.ts')).plugin,
};
