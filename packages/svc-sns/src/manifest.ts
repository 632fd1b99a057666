import type { ServiceManifest } from '@emu/core/service';
import { SNS_OPTIONS } from './options.ts';

/** How requests for Amazon SNS are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'sns',
  signingNames: ['sns'],
  hostNames: ['sns'],
  queryVersions: ['2010-03-31'],
  // https://github.com/aws/aws-sdk-ruby/issues/335
  signatures: { describesMismatch: true },
  options: { table: SNS_OPTIONS },
  // A batch has at most 256 KB of messages. A form may encode one byte as three. AWS documents no limit for the
  // request. https://docs.aws.amazon.com/sns/latest/api/API_PublishBatch.html
  bodies: { bytes: 2 * 1024 * 1024 },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: ['AWS::SNS::Subscription', 'AWS::SNS::Topic', 'AWS::SNS::TopicInlinePolicy', 'AWS::SNS::TopicPolicy'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
