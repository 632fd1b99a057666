import type { ServiceManifest } from '@emu/core/service';
import { SQS_OPTIONS } from './options.ts';

/** Recognises requests for Amazon SQS before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'sqs',
  signingNames: ['sqs'],
  hostNames: ['sqs', 'queue'],
  targetPrefixes: ['AmazonSQS'],
  queryVersions: ['2012-11-05'],
  // https://github.com/aws/aws-cli/issues/5341
  signatures: { describesMismatch: true },
  // Only SQS accepts query requests without a version: at the root and at queue URLs.
  queryPaths: /^\/(\d{12}\/[\w-]{1,80}(\.fifo)?)?$/,
  // When messages were limited to 256 KiB, AWS was observed to reject bodies of more than six times that plus 90,112
  // bytes with this message: a message byte takes up to six in JSON. Messages are now limited to 1 MiB.
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
