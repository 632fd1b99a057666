import { manifest as s3 } from '@emu/svc-s3/manifest';
import { type ControlTest, start as startAlone } from '../../../packages/svc-s3control/test/support.ts';

export * from '../../../packages/svc-s3control/test/support.ts';

/** Starts an emulator with S3, S3 Control and others. */
export const start = (options: Parameters<typeof startAlone>[0] = {}): Promise<ControlTest> =>
  startAlone({ ...options, others: [s3, ...(options.others ?? [])] });
