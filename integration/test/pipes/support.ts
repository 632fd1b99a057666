import { Pipes } from '@aws-sdk/client-pipes';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, fakeService, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { expect, vi } from 'vitest';
import { manifest } from '../../../packages/svc-pipes/src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/pipe`;
/** Returns an ARN in the default account and region. */
export const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** Input, caller and result of a function. */
export interface FunctionCall {
  event: unknown;
  principal: string;
}

/** Test environment for pipes. */
export interface PipesTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly pipes: Pipes;
  readonly sqs: SQS;
  /** Functions by name; others return nothing. */
  readonly functions: Map<string, (event: never) => unknown>;
  /** Calls of functions by name. */
  readonly calls: Map<string, FunctionCall[]>;
  /** Creates a queue. @returns its URL and ARN */
  queue(attributes?: Record<string, string>): Promise<{ url: string; arn: string }>;
  /** Creates a pipe and waits until it runs. @returns its name */
  run(more: { Source: string; Target: string } & Record<string, unknown>): Promise<string>;
  /** Waits for a number of messages in a queue and returns their bodies. */
  received(url: string, count?: number): Promise<unknown[]>;
}

/** Starts an emulator with pipes, queues, test functions, and more. */
export async function startPipes({ manifests = [], ...options }: TestEmulatorOptions = {}): Promise<PipesTest> {
  const functions: PipesTest['functions'] = new Map();
  const calls: PipesTest['calls'] = new Map();
  const lambda = fakeService('lambda', {
    Invoke: async ({ FunctionName, Payload }, { principal }) => {
      const name = String(FunctionName).split(':').at(-1)!;
      const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as unknown;
      calls.set(name, [...(calls.get(name) ?? []), { event, principal: principal.arn }]);
      try {
        const answer = functions.get(name)?.(event as never);
        return { StatusCode: 200, Payload: Buffer.from(answer === undefined ? '' : JSON.stringify(answer)) };
      } catch (error) {
        const Payload = Buffer.from(JSON.stringify({ errorMessage: String(error) }));
        return { StatusCode: 200, FunctionError: 'Unhandled', Payload };
      }
    },
  });
  const emulator = await createTestEmulator({
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
    manifests: [manifest, sqsManifest, lambda, ...manifests],
  });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  const [pipes, sqs] = [new Pipes(config), new SQS(config)];
  let made = 0;
  return {
    emulator,
    pipes,
    sqs,
    functions,
    calls,
    queue: async (Attributes = {}) => {
      const QueueName = `q${++made}${Attributes.FifoQueue ? '.fifo' : ''}`;
      const { QueueUrl } = await sqs.createQueue({ QueueName, Attributes });
      return { url: QueueUrl!, arn: arn('sqs', QueueName) };
    },
    run: async (more) => {
      const Name = `p${++made}`;
      await pipes.createPipe({ Name, RoleArn: ROLE, ...more });
      await vi.waitFor(async () => {
        const { CurrentState, StateReason } = await pipes.describePipe({ Name });
        expect([CurrentState, StateReason]).toEqual(['RUNNING', undefined]);
      });
      return Name;
    },
    received: async (QueueUrl, count = 1) => {
      const bodies: unknown[] = [];
      while (bodies.length < count) {
        const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 5, MaxNumberOfMessages: 10 });
        if (!Messages.length) throw new Error(`only ${bodies.length} of ${count} messages came`);
        for (const { Body, ReceiptHandle } of Messages) {
          await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
          bodies.push(JSON.parse(Body!));
        }
      }
      return bodies;
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}
