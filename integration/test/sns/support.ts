import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { type SnsTest, startSns as start } from '../../../packages/svc-sns/test/support.ts';

export * from '../../../packages/svc-sns/test/support.ts';

/** Starts an emulator with SNS, SQS and optional further services. */
export const startSns = (options: Parameters<typeof start>[0] = {}): Promise<SnsTest> =>
  start({ ...options, manifests: [sqs, ...(options.manifests ?? [])] });
