import { SSM } from '@aws-sdk/client-ssm';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Test environment of Systems Manager. Time stands still unless the test advances it. */
export interface SsmTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Client of the default account and region. */
  readonly ssm: SSM;
  client(options?: TestClientOptions): SSM;
  /** Puts a String. @returns its version */
  put(Name: string, Value?: string, more?: object): Promise<number>;
  value(Name: string): Promise<string>;
  /** Advances the clock by milliseconds and runs due timers. */
  advance(milliseconds: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const DAY = 86_400_000;
/** Returns the ARN of a parameter by name, without a leading slash. */
export const arnOf = (name: string): string => `arn:aws:ssm:${REGION}:${ACCOUNT}:parameter/${name}`;

/** Starts an emulator with Systems Manager and any further services of the test. */
export async function startSsm({ manifests = [], settings, ...options }: TestEmulatorOptions = {}): Promise<SsmTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, ...settings },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new SSM(emulator.clientConfig(options));
  const ssm = client();
  return {
    emulator,
    ssm,
    client,
    put: async (Name, Value = 'x', more = {}) =>
      (await ssm.putParameter({ Name, Value, Type: 'String', ...more })).Version!,
    value: async (Name) => (await ssm.getParameter({ Name })).Parameter!.Value!,
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns `Code: message` of a request that must fail without effect. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
