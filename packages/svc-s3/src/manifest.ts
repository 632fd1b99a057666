import type { ServiceManifest } from '@emu/core';

/** How requests for Amazon S3 are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 's3',
  signingNames: ['s3', 's3express'],
  hostNames: ['s3'],
  load: async () => (await import('./index.ts')).plugin,
};
