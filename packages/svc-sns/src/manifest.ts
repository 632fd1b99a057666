import type { ServiceManifest } from '@emu/core';

/** How requests for Amazon SNS are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'sns',
  signingNames: ['sns'],
  hostNames: ['sns'],
  queryVersions: ['2010-03-31'],
  // A batch of messages has 256 KB, which a form may write with three bytes each; AWS states no limit for the request.
  // https://docs.aws.amazon.com/sns/latest/api/API_PublishBatch.html
  bodies: { bytes: 2 * 1024 * 1024 },
  load: async () => (await import('./index.ts')).plugin,
};
