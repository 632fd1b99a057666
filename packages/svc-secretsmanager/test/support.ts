import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Test environment. Time passes only when the test advances it. */
export interface SecretsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Default account and region. */
  readonly secrets: SecretsManager;
  client(options?: TestClientOptions): SecretsManager;
  /** Advances the clock and runs the timers that are due. */
  advance(days: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
/** Returns an idempotency token derived from a number. */
export const token = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Starts an emulator with Secrets Manager and optional further services. */
export async function startSecrets({
  manifests = [],
  settings,
  ...options
}: TestEmulatorOptions = {}): Promise<SecretsTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, ...settings },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new SecretsManager(emulator.clientConfig(options));
  return {
    emulator,
    secrets: client(),
    client,
    advance: (days) => emulator.kernel.clock.advance(days * 86_400_000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
