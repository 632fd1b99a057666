import type { ServiceManifest } from '@emu/core/service';

/** How requests for AWS Cloud Control API are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'cloudcontrol',
  signingNames: ['cloudcontrolapi'],
  hostNames: ['cloudcontrolapi'],
  targetPrefixes: ['CloudApiService'],
  // AWS documents no limit. A desired state or patch document has at most 262144 characters.
  bodies: { bytes: 2 * 1024 * 1024 },
  load: async () => (await import('./index.ts')).plugin,
};
