import type { TestEmulatorOptions } from '@emu/gateway/testing';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { type IamTest, startIam as start } from '../../../packages/svc-iam/test/support.ts';

export * from '../../../packages/svc-iam/test/support.ts';

/** Starts an emulator with IAM and STS. */
export const startIam = (options: TestEmulatorOptions = {}): Promise<IamTest> =>
  start({ manifests: [iam, sts], ...options });
