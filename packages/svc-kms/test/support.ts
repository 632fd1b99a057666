import { type CreateKeyCommandInput, type KeyMetadata, KMS } from '@aws-sdk/client-kms';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Test environment. Time passes only when the test advances it. */
export interface KmsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Default account and region. */
  readonly kms: KMS;
  client(options?: TestClientOptions): KMS;
  /** Creates a key. */
  key(input?: CreateKeyCommandInput): Promise<KeyMetadata & { Arn: string; KeyId: string }>;
  /** Advances the clock and runs the timers that are due. */
  advance(days: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const text = (value: string): Uint8Array => Buffer.from(value);

/** Starts an emulator with KMS only. */
export async function startKms(options: Omit<TestEmulatorOptions, 'manifests'> = {}): Promise<KmsTest> {
  const emulator = await createTestEmulator({
    ...options,
    manifests: [manifest],
    settings: { accountId: ACCOUNT, region: REGION, ...options.settings },
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new KMS(emulator.clientConfig(options));
  const kms = client();
  return {
    emulator,
    kms,
    client,
    key: async (input = {}) => (await kms.createKey(input)).KeyMetadata as KeyMetadata & { Arn: string; KeyId: string },
    advance: (days) => emulator.kernel.clock.advance(days * 86_400_000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/**
 * Returns code and message of a request that must fail without side effects, as `Code: message`.
 * @param errorOf `rejection` for requests with side effects
 */
export async function failureOf(request: Promise<unknown>, errorOf = refusal): Promise<string> {
  const { name, message } = await errorOf(request);
  // The SDK inserts a placeholder if AWS sends no message.
  return `${name}: ${message === 'UnknownError' ? '' : message}`;
}
