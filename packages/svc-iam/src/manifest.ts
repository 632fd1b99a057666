import { identityDirectory, type ServiceManifest } from '@emu/core';

/** How requests for IAM are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'iam',
  signingNames: ['iam'],
  hostNames: ['iam'],
  queryVersions: ['2010-05-08'],
  // SAML metadata has up to 10,000,000 characters and a chain of certificates 2 MB; a form may write three bytes for each.
  // https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateSAMLProvider.html
  bodies: {
    bytes: 2 * 1024 * 1024,
    operations: {
      CreateSAMLProvider: 30 * 1024 * 1024,
      UpdateSAMLProvider: 30 * 1024 * 1024,
      UploadServerCertificate: 8 * 1024 * 1024,
    },
  },
  credentials: 'access-keys',
  provides: [identityDirectory],
  load: async () => (await import('./index.ts')).plugin,
};
