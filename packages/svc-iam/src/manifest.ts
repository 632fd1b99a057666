import { identityDirectory, type ServiceManifest } from '@emu/core';

/** How requests for IAM are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'iam',
  signingNames: ['iam'],
  hostNames: ['iam'],
  queryVersions: ['2010-05-08'],
  credentials: 'access-keys',
  provides: [identityDirectory],
  load: async () => (await import('./index.ts')).plugin,
};
