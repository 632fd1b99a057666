import type { ServiceManifest } from '@emu/core/service';
import { S3_OPTIONS } from './options.ts';
import { mayBeForm } from './recognition/browser-post.ts';
import { directoryBucketPath, HOST_NAMES, S3_HOSTS } from './recognition/hosts.ts';
import { S3_SIGNATURES } from './recognition/signatures.ts';

export { S3_OPTIONS } from './options.ts';

/** Recognises requests for Amazon S3 before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 's3',
  signingNames: ['s3', 's3express', 's3-object-lambda'],
  hostNames: HOST_NAMES,
  hosts: S3_HOSTS,
  catchAll: true,
  signatures: S3_SIGNATURES,
  operationPath: directoryBucketPath,
  claims: (method, path, host, headers) =>
    method === 'OPTIONS' || host.includes('.s3-website') || (method === 'POST' && mayBeForm(path, headers)),
  // Documents, not objects: the largest has 1,000 keys of 1,024 bytes, or 10,000 parts with checksums.
  // https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
  bodies: {
    bytes: 8 * 1024 * 1024,
    refusal: () => ({ code: 'MaxMessageLengthExceeded', message: 'Your request was too big.', status: 400 }),
  },
  options: { table: S3_OPTIONS },
  // Needed for buckets with request metrics; with eager delivery, logs are delivered before the response.
  observes: (settings) =>
    settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY
      ? { requests: 'own', when: 'before-answer' }
      : { requests: 'own', when: 'after-answer', onDemand: true },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
      'AWS::S3Express::BucketPolicy',
      'AWS::S3Express::DirectoryBucket',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
