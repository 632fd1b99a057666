import type { ServiceManifest } from '@emu/core/service';
import { directoryBucketPath, HOST_NAMES, S3_HOSTS } from './endpoints/hosts.ts';
import { S3_OPTIONS } from './options.ts';
import { S3_SIGNATURES } from './signatures/rules.ts';

export { S3_OPTIONS } from './options.ts';

/** Whether a body is a browser form. */
export const isForm = (type: string | string[] | undefined): boolean =>
  String(type ?? '')
    .slice(0, 19)
    .toLowerCase() === 'multipart/form-data';

/** Whether a request to a bucket path may be a form with another content type. */
const isUnsuitableForm = (path: string, headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  headers.authorization === undefined && headers['x-amz-target'] === undefined && /^\/[^/]{3,}\/?$/.test(path);

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
    method === 'OPTIONS' ||
    host.includes('.s3-website') ||
    (method === 'POST' &&
      headers['content-type'] !== undefined &&
      (isForm(headers['content-type']) || isUnsuitableForm(path, headers))),
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
