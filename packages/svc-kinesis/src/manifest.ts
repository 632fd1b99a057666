import type { ServiceManifest } from '@emu/core/service';
import { KINESIS_OPTIONS } from './options.ts';

/** Five hundred records of PutRecords have 10 MiB in total, which base64 increases by a third. */
const MAX_BODY = 16 * 1024 * 1024;

/** Recognises requests for Amazon Kinesis before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'kinesis',
  signingNames: ['kinesis'],
  hostNames: ['kinesis'],
  targetPrefixes: ['Kinesis_20131202'],
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  options: { table: KINESIS_OPTIONS },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: ['AWS::Kinesis::ResourcePolicy', 'AWS::Kinesis::Stream', 'AWS::Kinesis::StreamConsumer'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
