import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import {
  createTestEmulator,
  type RawResponse,
  refusal,
  sendRaw,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const OTHER = '000000000001';
const REGION = 'us-east-1';

/** Fixture of a test. Time stands still unless the test advances it. */
export interface ControlTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly control: S3Control;
  readonly s3: S3Client;
  controlOf(options?: TestClientOptions): S3Control;
  s3Of(options?: TestClientOptions, config?: Partial<S3ClientConfig>): S3Client;
}

/** Starts an emulator with S3 Control and other services. */
export async function start(
  options: Partial<TestEmulatorOptions> & { others?: TestEmulatorOptions['manifests'] } = {},
): Promise<ControlTest> {
  const { others = [], ...rest } = options;
  const emulator = await createTestEmulator({
    manifests: [manifest, ...others],
    ...rest,
    settings: { accountId: ACCOUNT, region: REGION, ...rest.settings },
  });
  emulator.kernel.clock.freeze();
  const controlOf = (client?: TestClientOptions) => new S3Control(emulator.clientConfig(client));
  const s3Of = (client?: TestClientOptions, config?: Partial<S3ClientConfig>) =>
    new S3Client({ ...emulator.clientConfig(client), ...config });
  return {
    emulator,
    control: controlOf(),
    s3: s3Of(),
    controlOf,
    s3Of,
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Error of a call without side effects, reduced to what tests compare; fails if it succeeds. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<Error & Record<string, unknown> & { $metadata: { httpStatusCode?: number } }> {
  return (await refusal(promise)) as Error & Record<string, unknown> & { $metadata: { httpStatusCode?: number } };
}

/** Sends a raw request. */
export const send = (
  { emulator }: Pick<ControlTest, 'emulator'>,
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<RawResponse> => sendRaw(emulator, { method, target, headers, chunks: [body] });
