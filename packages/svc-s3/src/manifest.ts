import type { ServiceManifest } from '@emu/core';

/** Whether a body is a browser's form. */
const isForm = (type: string | string[]): boolean => String(type).slice(0, 19).toLowerCase() === 'multipart/form-data';

/** How requests for Amazon S3 are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 's3',
  signingNames: ['s3', 's3express', 's3-object-lambda'],
  // The last is the host of Multi-Region Access Points.
  hostNames: ['s3', 's3-website', 's3-accesspoint', 's3-object-lambda', 'accesspoint.s3-global'],
  claims: (method, _path, host, headers) =>
    method === 'OPTIONS' ||
    host.includes('.s3-website') ||
    (method === 'POST' && headers['content-type'] !== undefined && isForm(headers['content-type'])),
  observes: ({ values }) => values.EMULATOR_S3_EAGER_DELIVERY,
  load: async () => (await import('./index.ts')).plugin,
};
