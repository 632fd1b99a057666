import type { ServiceManifest } from '@emu/core/service';
import { FIREHOSE_OPTIONS } from './options.ts';

/** Five hundred records of PutRecordBatch have 4 MiB in total, which base64 increases by a third. */
const MAX_BODY = 8 * 1024 * 1024;

/** Recognises requests for Amazon Data Firehose before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'firehose',
  signingNames: ['firehose'],
  hostNames: ['firehose'],
  targetPrefixes: ['Firehose_20150804'],
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  options: { table: FIREHOSE_OPTIONS },
  cloudFormation: {
    types: ['AWS::KinesisFirehose::DeliveryStream'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  load: async () => (await import('./index.ts')).plugin,
};
