import { type CreateQueueCommandInput, SQS } from '@aws-sdk/client-sqs';
import type { ServiceManifest } from '@emu/core/service';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Fixture of SQS tests. Time stands still unless the test advances it. */
export interface SqsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly sqs: SQS;
  client(options?: TestClientOptions): SQS;
  /** Creates a queue and returns its URL. */
  queue(name: string, attributes?: CreateQueueCommandInput['Attributes']): Promise<string>;
  /** Creates a FIFO queue with content-based deduplication. */
  fifoQueue(name: string, attributes?: CreateQueueCommandInput['Attributes']): Promise<string>;
  arnOf(name: string): string;
  /** Advances the clock, running due timers. */
  advance(seconds: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
const REGION = 'us-east-1';

/**
 * Starts an emulator with SQS.
 * @param others additional services
 * @param values settings other than defaults
 */
export async function startSqs(
  others: readonly ServiceManifest[] = [],
  values: NonNullable<TestEmulatorOptions['settings']>['values'] = {},
): Promise<SqsTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...others],
    settings: { accountId: ACCOUNT, region: REGION, values },
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new SQS(emulator.clientConfig(options));
  const sqs = client();
  const queue: SqsTest['queue'] = async (name, attributes) =>
    (await sqs.createQueue({ QueueName: name, Attributes: attributes })).QueueUrl!;
  return {
    emulator,
    sqs,
    client,
    queue,
    fifoQueue: (name, attributes) =>
      queue(name, { FifoQueue: 'true', ContentBasedDeduplication: 'true', ...attributes }),
    arnOf: (name) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`,
    advance: (seconds) => emulator.kernel.clock.advance(seconds * 1000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** A failed request. */
export interface Failure {
  /** Error code as SDKs show it. */
  code: string;
  message: string;
  status: number | undefined;
}

/**
 * Error of a request that must fail without side effects.
 * @param errorOf `rejection` for requests with side effects
 */
export async function failureOf(request: Promise<unknown>, errorOf = refusal): Promise<Failure> {
  const {
    name,
    message,
    Error: shown,
    $metadata,
  } = (await errorOf(request)) as Error & {
    Error?: { Code?: string };
    $metadata?: { httpStatusCode?: number };
  };
  return { code: shown?.Code ?? name, message, status: $metadata?.httpStatusCode };
}

/** Bodies of received messages. */
export async function receiveBodies(
  sqs: SQS,
  QueueUrl: string,
  options: Omit<Parameters<SQS['receiveMessage']>[0], 'QueueUrl'> = {},
): Promise<string[]> {
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, ...options });
  return Messages.map(({ Body }) => Body!);
}
