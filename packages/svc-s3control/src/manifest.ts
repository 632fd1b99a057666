import { accessPointDirectory, type ServiceManifest } from '@emu/core/service';

/** Recognises requests for Amazon S3 Control before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 's3control',
  // S3 has the first and the last path, too: headers distinguish the services.
  signingNames: ['s3', 's3-outposts', 's3express'],
  requiredHeaders: ['x-amz-account-id', 'x-amz-outpost-id'],
  hostNames: ['s3-control', 's3express-control', 's3-outposts'],
  pathPrefixes: ['/v20180820'],
  signatures: { declaresPayload: true },
  // Access points on Outposts and their contents.
  claims: (_method, path, host) => host.includes('.s3-outposts.') && !path.startsWith('/v20180820'),
  // Like S3, with the same error format.
  bodies: {
    bytes: 8 * 1024 * 1024,
    refusal: () => ({ code: 'MaxMessageLengthExceeded', message: 'Your request was too big.', status: 400 }),
  },
  provides: [accessPointDirectory],
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::S3::AccessGrant',
      'AWS::S3::AccessGrantsInstance',
      'AWS::S3::AccessGrantsLocation',
      'AWS::S3::AccessPoint',
      'AWS::S3::MultiRegionAccessPoint',
      'AWS::S3::MultiRegionAccessPointPolicy',
      'AWS::S3::StorageLens',
      'AWS::S3::StorageLensGroup',
      'AWS::S3Express::AccessPoint',
      'AWS::S3ObjectLambda::AccessPoint',
      'AWS::S3ObjectLambda::AccessPointPolicy',
      'AWS::S3Outposts::Bucket',
      'AWS::S3Outposts::BucketPolicy',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
