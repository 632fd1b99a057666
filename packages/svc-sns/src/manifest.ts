import type { ServiceManifest } from '@emu/core';

/** How requests for Amazon SNS are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'sns',
  signingNames: ['sns'],
  hostNames: ['sns'],
  queryVersions: ['2010-03-31'],
  load: async () => (await import('./index.ts')).plugin,
};
