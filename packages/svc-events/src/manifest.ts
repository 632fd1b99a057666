import type { ServiceManifest } from '@emu/core';

/** How requests for Amazon EventBridge are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'events',
  signingNames: ['events'],
  hostNames: ['events'],
  targetPrefixes: ['AWSEvents'],
  load: async () => (await import('./index.ts')).plugin,
};
