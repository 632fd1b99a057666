import type { TestEmulatorOptions } from '@emu/gateway/testing';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { type EventsTest, startEvents as start } from '../../../packages/svc-events/test/support.ts';

export * from '../../../packages/svc-events/test/support.ts';

/** Starts an emulator with EventBridge, SQS and optional further services. */
export const startEvents = (options: TestEmulatorOptions = {}): Promise<EventsTest> =>
  start({ ...options, manifests: [sqs, ...(options.manifests ?? [])] });
