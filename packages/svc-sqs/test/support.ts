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

/** What a test of SQS works with. Time stands still unless the test advances it. */
export interface SqsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly sqs: SQS;
  client(options?: TestClientOptions): SQS;
  /** Makes a queue and returns its URL. */
  queue(name: string, attributes?: CreateQueueCommandInput['Attributes']): Promise<string>;
  /** Makes a FIFO queue with deduplication by content. */
  fifoQueue(name: string, attributes?: CreateQueueCommandInput['Attributes']): Promise<string>;
  arnOf(name: string): string;
  /** Moves the clock, running what falls due. */
  advance(seconds: number): Promise<void>;
}

export const ACCOUNT = '000000000000';
const REGION = 'us-east-1';

/**
 * Starts an emulator with SQS only.
 * @param others services beside it
 * @param values settings that are not their defaults
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

/** How a request failed. */
export interface Failure {
  /** The code as the SDKs show it. */
  code: string;
  message: string;
  status: number | undefined;
}

/** The error of a request that must fail and leave no trace. @param errorOf `rejection` where it leaves some */
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

/** Bodies of the messages a receive gets. */
export async function receiveBodies(
  sqs: SQS,
  QueueUrl: string,
  options: Omit<Parameters<SQS['receiveMessage']>[0], 'QueueUrl'> = {},
): Promise<string[]> {
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, ...options });
  return Messages.map(({ Body }) => Body!);
}
