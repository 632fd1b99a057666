import type { ServiceManifest } from '@emu/core';
import { SQS_OPTIONS } from './options.ts';

/** How requests for Amazon SQS are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'sqs',
  signingNames: ['sqs'],
  hostNames: ['sqs', 'queue'],
  targetPrefixes: ['AmazonSQS'],
  queryVersions: ['2012-11-05'],
  // SQS alone takes query requests without a version: at its root, and at its queues' URLs.
  queryPaths: /^\/(\d{12}\/[\w-]{1,80}(\.fifo)?)?$/,
  options: { table: SQS_OPTIONS },
  load: async () => (await import('./index.ts')).plugin,
};
