import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Fixture of CloudWatch Logs tests. Time stands still unless the test advances it. */
export interface LogsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly logs: CloudWatchLogs;
  /** Emulated time, in epoch milliseconds. */
  readonly now: number;
  client(options?: TestClientOptions): CloudWatchLogs;
  /** Creates a group with streams. */
  group(name: string, ...streams: string[]): Promise<string>;
  /** Stores messages in a stream, one millisecond apart, the last one now. */
  put(logGroupName: string, logStreamName: string, ...messages: string[]): Promise<void>;
  /** Advances the clock by seconds, running due timers. */
  advance(seconds: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const groupArn = (name: string): string => `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${name}`;

/** Starts an emulator with CloudWatch Logs and optional further manifests. */
export async function startLogs({ manifests = [], settings, ...options }: TestEmulatorOptions = {}): Promise<LogsTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, ...settings },
    ...options,
  });
  const { clock } = emulator.kernel;
  clock.freeze();
  const client = (options?: TestClientOptions) => new CloudWatchLogs(emulator.clientConfig(options));
  const logs = client();
  return {
    emulator,
    logs,
    get now() {
      return clock.now();
    },
    client,
    async group(logGroupName, ...streams) {
      await logs.createLogGroup({ logGroupName });
      for (const logStreamName of streams) await logs.createLogStream({ logGroupName, logStreamName });
      return logGroupName;
    },
    async put(logGroupName, logStreamName, ...messages) {
      const first = clock.now() - messages.length + 1;
      const logEvents = messages.map((message, index) => ({ timestamp: first + index, message }));
      await logs.putLogEvents({ logGroupName, logStreamName, logEvents });
    },
    advance: (seconds) => clock.advance(seconds * 1000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>, errorOf = refusal): Promise<string> {
  const { name, message } = await errorOf(request);
  return `${name}: ${message}`;
}
