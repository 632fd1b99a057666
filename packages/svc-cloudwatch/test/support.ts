import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator, refusal, type TestClientOptions, type TestEmulator } from '@emu/gateway/testing';
import { vi } from 'vitest';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** A Thursday in 2026, at the beginning of an hour. */
export const START = Date.UTC(2026, 2, 5, 12);

/** Test environment of CloudWatch. Time stands still unless the test advances it. */
export interface CloudWatchTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly cloudwatch: CloudWatch;
  client(options?: TestClientOptions): CloudWatch;
  /** Advances the clock and runs due timers. */
  advance(seconds: number): Promise<void>;
  /** Returns the time a number of seconds after `START`. */
  at(seconds: number): Date;
}

/** Starts an emulator with CloudWatch and any further services of the test. */
export async function startCloudWatch(others: ServiceManifest[] = []): Promise<CloudWatchTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...others],
    settings: { accountId: ACCOUNT, region: REGION },
  });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.set(START);
  const client = (options?: TestClientOptions) => new CloudWatch(emulator.clientConfig(options));
  return {
    emulator,
    client,
    cloudwatch: client(),
    advance: (seconds) => emulator.kernel.clock.advance(seconds * 1000),
    at: (seconds) => new Date(START + seconds * 1000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns code and message of a request that must fail without effect. */
export async function failureOf(request: Promise<unknown>): Promise<{ code: string; message: string }> {
  const { name, message } = (await refusal(request)) as Error;
  return { code: name, message };
}

/** Waits until a check of background work passes, such as alarm actions. */
export const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 10_000 });
