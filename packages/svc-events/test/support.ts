import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SQS } from '@aws-sdk/client-sqs';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { expect } from 'vitest';
import { manifest } from '../src/manifest.ts';

/** Test environment. Time passes only when the test advances it. */
export interface EventsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Default account and region. */
  readonly events: EventBridge;
  readonly sqs: SQS;
  client(options?: TestClientOptions): EventBridge;
  /** Creates a queue. @returns its ARN */
  queue(name: string): Promise<string>;
  /** Waits for a number of messages in a queue and returns their bodies. */
  received(name: string, count?: number): Promise<string[]>;
  /** Creates a rule with targets on the default bus. */
  rule(name: string, pattern: object | string, targets: RuleTarget[], bus?: string): Promise<void>;
  /** Puts one event. @returns its id */
  put(detail: object, entry?: object): Promise<string>;
  /** Advances the clock by milliseconds and runs the timers that are due. */
  advance(milliseconds: number): Promise<void>;
}

export type RuleTarget = { Arn: string; Id?: string } & Record<string, unknown>;

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
/** Returns the ARN of an EventBridge resource in the default account and region. */
export const arn = (resource: string): string => `arn:aws:events:${REGION}:${ACCOUNT}:${resource}`;

/** Starts an emulator with EventBridge and optional further services. */
export async function startEvents({
  manifests = [],
  settings,
  ...options
}: TestEmulatorOptions = {}): Promise<EventsTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, ...settings },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new EventBridge(emulator.clientConfig(options));
  const events = client();
  const sqs = new SQS(emulator.clientConfig());
  const urlOf = (name: string) => `http://sqs.us-east-1.amazonaws.com/${ACCOUNT}/${name}`;
  return {
    emulator,
    events,
    sqs,
    client,
    queue: async (QueueName) => {
      const fifo = QueueName.endsWith('.fifo');
      const Attributes = fifo ? { FifoQueue: 'true', ContentBasedDeduplication: 'true' } : {};
      await sqs.createQueue({ QueueName, Attributes });
      return `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}`;
    },
    received: async (name, count = 1) => {
      const found: string[] = [];
      const poll = async () => {
        const { Messages = [] } = await sqs.receiveMessage({ QueueUrl: urlOf(name), MaxNumberOfMessages: 10 });
        for (const { Body, ReceiptHandle } of Messages) {
          found.push(Body!);
          await sqs.deleteMessage({ QueueUrl: urlOf(name), ReceiptHandle });
        }
        return found.length;
      };
      if (count === 0) await poll();
      else await expect.poll(poll, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
      expect(found).toHaveLength(count);
      return found;
    },
    rule: async (Name, pattern, targets, EventBusName) => {
      const EventPattern = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
      await events.putRule({ Name, EventPattern, EventBusName });
      const Targets = targets.map((target, index) => ({ Id: `t${index}`, ...target }));
      await events.putTargets({ Rule: Name, EventBusName, Targets });
    },
    put: async (detail, entry = {}) => {
      const { Entries, FailedEntryCount } = await events.putEvents({
        Entries: [{ Source: 'app', DetailType: 'Order', Detail: JSON.stringify(detail), ...entry }],
      });
      expect(FailedEntryCount).toBe(0);
      return Entries![0]!.EventId!;
    },
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/**
 * Returns code and message of a request that must fail without side effects, as `Code: message`. @param errorOf
 * `rejection` for requests with side effects
 */
export async function failureOf(request: Promise<unknown>, errorOf = refusal): Promise<string> {
  const { name, message } = await errorOf(request);
  return `${name}: ${message}`;
}

/** Returns a response without the metadata that the SDK adds. */
export const plain = <T extends { $metadata: unknown }>({ $metadata: _, ...answer }: T): Omit<T, '$metadata'> => answer;
