import type { ServiceManifest } from '@emu/core/service';
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
  // While messages had 256 KiB, AWS was seen to refuse bodies of more than six times that and 90,112 bytes, in these words:
  // a byte of a message takes up to six in JSON. Messages have 1 MiB now.
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
  bodies: { bytes: 6 * 1024 * 1024 + 90_112, refusal: 'RequestEntityTooLarge' },
  controlPaths: ['/_emulator/sqs/', '/_aws/sqs/messages', '/_aws/sqs/messages/'],
  options: { table: SQS_OPTIONS },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: ['AWS::SQS::Queue', 'AWS::SQS::QueueInlinePolicy', 'AWS::SQS::QueuePolicy'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
