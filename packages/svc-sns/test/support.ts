import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CreateTopicCommandInput, SNS, type SubscribeCommandInput } from '@aws-sdk/client-sns';
import { type CreateQueueCommandInput, SQS } from '@aws-sdk/client-sqs';
import type { SnsMessage, SnsPendingConfirmation, SnsSms } from '@emu/control-client';
import type { AnyServicePlugin, ServiceManifest } from '@emu/core/service';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** Test environment. Time passes only when the test advances it. */
export interface SnsTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** Default account and region. */
  readonly sns: SNS;
  readonly sqs: SQS;
  client(options?: TestClientOptions): SNS;
  queueClient(options?: TestClientOptions): SQS;
  /** Creates a topic and returns its ARN. */
  topic(name: string, attributes?: CreateTopicCommandInput['Attributes']): Promise<string>;
  /** Creates a queue and returns its ARN. */
  queue(name: string, attributes?: CreateQueueCommandInput['Attributes']): Promise<string>;
  /** Subscribes and returns the subscription's ARN. */
  subscribe(
    topicArn: string,
    protocol: string,
    endpoint: string,
    attributes?: SubscribeCommandInput['Attributes'],
  ): Promise<string>;
  /** Receives and deletes the messages of a queue. */
  received(queue: string): Promise<ReceivedMessage[]>;
  messages(): Promise<SnsMessage[]>;
  pending(): Promise<SnsPendingConfirmation[]>;
  sms(): Promise<SnsSms[]>;
  certificate(): Promise<string>;
  /** Advances the clock and runs the timers that are due. */
  advance(seconds: number): Promise<void>;
}

export interface ReceivedMessage {
  body: string;
  attributes: Record<string, { DataType?: string; StringValue?: string; BinaryValue?: Uint8Array }>;
  system: Record<string, string>;
}

/** Starts an emulator with SNS and optional further services. */
export async function startSns(
  others: { manifests?: ServiceManifest[]; plugins?: AnyServicePlugin[] } & Pick<
    TestEmulatorOptions,
    'settings' | 'dataPath'
  > = {},
): Promise<SnsTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...(others.manifests ?? [])],
    plugins: others.plugins ?? [],
    settings: { accountId: ACCOUNT, region: REGION, ...others.settings },
    ...(others.dataPath !== undefined && { dataPath: others.dataPath }),
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new SNS(emulator.clientConfig(options));
  const queueClient = (options?: TestClientOptions) => new SQS(emulator.clientConfig(options));
  const sns = client();
  const sqs = queueClient();
  const list = async <T>(path: string, member: string): Promise<T[]> =>
    ((await emulator.control('GET', `/_emulator/sns/${path}`)).json as Record<string, T[]>)[member]!;
  return {
    emulator,
    sns,
    sqs,
    client,
    queueClient,
    topic: async (Name, Attributes) => (await sns.createTopic({ Name, Attributes })).TopicArn!,
    queue: async (QueueName, Attributes) => {
      await sqs.createQueue({ QueueName, Attributes });
      return `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}`;
    },
    subscribe: async (TopicArn, Protocol, Endpoint, Attributes) =>
      (await sns.subscribe({ TopicArn, Protocol, Endpoint, Attributes, ReturnSubscriptionArn: true })).SubscriptionArn!,
    received: async (queue) => {
      const found: ReceivedMessage[] = [];
      for (;;) {
        const { Messages = [] } = await sqs.receiveMessage({
          QueueUrl: queue,
          MaxNumberOfMessages: 10,
          MessageAttributeNames: ['All'],
          MessageSystemAttributeNames: ['All'],
        });
        if (!Messages.length) return found;
        for (const { Body, MessageAttributes, Attributes, ReceiptHandle } of Messages) {
          found.push({ body: Body!, attributes: MessageAttributes ?? {}, system: Attributes ?? {} });
          await sqs.deleteMessage({ QueueUrl: queue, ReceiptHandle });
        }
      }
    },
    messages: () => list('messages', 'messages'),
    pending: () => list('pending-confirmations', 'pendingConfirmations'),
    sms: () => list('sms', 'messages'),
    certificate: async () => {
      const response = await emulator.gateway.handle({
        method: 'GET',
        target: '/_emulator/sns/cert.pem',
        headers: { host: 'localhost:4566' },
        body: { bytes: async () => new Uint8Array(0), stream: () => (async function* () {})() },
        remoteAddress: undefined,
        localPort: undefined,
        secure: false,
        signal: () => new AbortController().signal,
      });
      return Buffer.from(response.body as Uint8Array).toString();
    },
    advance: (seconds) => emulator.kernel.clock.advance(seconds * 1000),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Error of a request. */
export interface Failure {
  /** Error code in the spelling of the service. */
  code: string;
  message: string;
  status: number | undefined;
}

/**
 * Returns the error of a request that must fail without side effects. @param errorOf `rejection` for requests with side
 * effects
 */
export async function failureOf(request: Promise<unknown>, errorOf = refusal): Promise<Failure> {
  const {
    name,
    message,
    Code,
    Error: shown,
    $metadata,
  } = (await errorOf(request)) as Error & {
    Code?: string;
    Error?: { Code?: string };
    $metadata?: { httpStatusCode?: number };
  };
  return { code: shown?.Code ?? Code ?? name, message, status: $metadata?.httpStatusCode };
}

/** A request that an HTTP endpoint received. */
export interface EndpointRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A local HTTP endpoint. */
export interface Endpoint extends AsyncDisposable {
  url: string;
  requests: EndpointRequest[];
  /** Response status from now on; undefined sends none until it is closed. */
  status: number | undefined;
  /** Resolves after a number of requests. */
  reached(count: number): Promise<EndpointRequest>;
}

/** Starts an HTTP endpoint. */
export async function startEndpoint(): Promise<Endpoint> {
  const requests: EndpointRequest[] = [];
  const waiting: { count: number; resolve(request: EndpointRequest): void }[] = [];
  const endpoint = { requests, status: 200 as number | undefined };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ path: request.url!, headers: request.headers, body });
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve(requests[count - 1]!);
      if (endpoint.status !== undefined) response.writeHead(endpoint.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(endpoint, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    reached: (count: number) =>
      new Promise<EndpointRequest>((resolve) => {
        if (requests.length >= count) resolve(requests[count - 1]!);
        else waiting.push({ count, resolve });
      }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

/** Timeout for background work in milliseconds. */
const PATIENCE = 20_000;

/** Waits for background work. @throws Error after 20 seconds */
export async function eventually<T>(probe: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline) {
    const found = await probe();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`what the test waits for has not happened within ${PATIENCE / 1000} seconds: ${probe}`);
}
