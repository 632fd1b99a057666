import { SES } from '@aws-sdk/client-ses';
import { SESv2 } from '@aws-sdk/client-sesv2';
import type { OperationContext } from '@emu/core/service';
import {
  createTestEmulator,
  fakeService,
  refusal,
  sendRaw,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { manifest, v2Manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const START = '2026-01-01T00:00:00Z';
export const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT}:events`;
export const STREAM = `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/events`;
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/ses`;
export const BUS = `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/default`;
export const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:mail`;

/** A recorded call to a service used by SES. */
export interface SeenCall {
  service: string;
  operation: string;
  input: Record<string, unknown>;
  principal: string;
}

/** Response of a control route. */
export type Json = Record<string, never>;

/** Test environment. Time stands still unless the test advances it. */
export interface SesTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly ses: SES;
  readonly v2: SESv2;
  /** Recorded calls to services used by SES. */
  readonly calls: SeenCall[];
  /** S3 objects for imports by key. */
  readonly objects: Map<string, string>;
  /** Response of a receipt rule's function. */
  readonly answer: { disposition?: string };
  clients(options?: TestClientOptions): { ses: SES; v2: SESv2 };
  /** Returns the messages published to topics since the last call, without envelope. */
  published(): Record<string, never>[];
  /** Reads a control route. */
  get<T = Json>(path: string): Promise<T>;
  post<T = Json>(path: string, body: unknown): Promise<T>;
  /** Opens a link in a mail. */
  open(url: string, method?: string): Promise<{ status: number; location: string | undefined; body: string }>;
}

const MISSING_TARGET = /missing/;

/** Starts an emulator with SES and fakes of the services that it calls. */
export async function startSes(options: TestEmulatorOptions = {}): Promise<SesTest> {
  const calls: SeenCall[] = [];
  const objects = new Map<string, string>();
  const answer: { disposition?: string } = {};
  const fake = (service: string, operations: Record<string, (input: Record<string, unknown>) => unknown>) =>
    fakeService(
      service,
      Object.fromEntries(
        Object.entries(operations).map(([operation, handle]) => [
          operation,
          async (input: Record<string, unknown>, { principal }: OperationContext) => {
            const kept =
              input.Body instanceof Uint8Array ? { ...input, Body: Buffer.from(input.Body).toString() } : input;
            if (MISSING_TARGET.test(JSON.stringify(kept)))
              throw awsError('NotFound', 'There is none.', { status: 404 });
            calls.push({ service, operation, input: kept, principal: principal.arn });
            return handle(input);
          },
        ]),
      ),
    );
  const read = async function* (key: string) {
    yield Buffer.from(objects.get(key) ?? '');
  };
  const fakes = [
    fake('sns', { Publish: () => ({ MessageId: 'm' }), GetTopicAttributes: () => ({}) }),
    fake('firehose', { PutRecord: () => ({}), DescribeDeliveryStream: () => ({}) }),
    fake('events', { PutEvents: () => ({ FailedEntryCount: 0, Entries: [{}] }) }),
    fake('s3', {
      PutObject: () => ({}),
      GetObject: ({ Key }) => ({ Body: read(String(Key)) }),
    }),
    fake('lambda', {
      GetFunctionConfiguration: () => ({}),
      Invoke: () => ({ StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer)) }),
    }),
  ];
  const emulator = await createTestEmulator({
    manifests: [manifest, v2Manifest, ...fakes],
    ...options,
    settings: { accountId: ACCOUNT, region: REGION, ...options.settings },
  });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.set(Date.parse(START));
  const clients = (client?: TestClientOptions) => ({
    ses: new SES({ ...emulator.clientConfig(client), maxAttempts: 1 }),
    v2: new SESv2({ ...emulator.clientConfig(client), maxAttempts: 1 }),
  });
  const control = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await emulator.control(method, `/_emulator/ses${path}`, body);
    if (status !== 200) throw Object.assign(new Error(JSON.stringify(json)), { status });
    return json;
  };
  return {
    emulator,
    ...clients(),
    clients,
    calls,
    objects,
    answer,
    published: () =>
      calls
        .splice(0)
        .filter(({ operation }) => operation === 'Publish')
        .map(({ input }) => JSON.parse(String(input.Message).startsWith('{') ? String(input.Message) : '{}')),
    get: (path) => control('GET', path) as Promise<never>,
    post: (path, body) => control('POST', path, body) as Promise<never>,
    async open(url, method = 'GET') {
      const { pathname, host } = new URL(url);
      const { status, headers, text } = await sendRaw(emulator, {
        method,
        target: pathname,
        headers: { host, 'user-agent': 'reader' },
      });
      return { status, location: headers.location, body: text };
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns `Code: message` of a request that must fail without effect. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
