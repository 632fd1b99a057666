import { ApiGatewayV2, type CreateApiCommandInput } from '@aws-sdk/client-apigatewayv2';
import type { OperationContext } from '@emu/core/service';
import {
  createTestEmulator,
  fakeService,
  refusal,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
/** Start time of tests. */
export const START = '2026-01-01T00:00:00Z';

/** Returns the ARN of a test function. */
export const functionArn = (name: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
/** Returns the URI with which authorizers call a function. */
export const functionUri = (name: string): string =>
  `arn:aws:apigateway:${REGION}:lambda:path/2015-03-31/functions/${functionArn(name)}/invocations`;

/** Handler of a function; an exception is its failure. */
// biome-ignore lint/suspicious/noExplicitAny: events are whatever API Gateway makes
export type TestFunction = (event: any) => unknown;

/** A recorded call to another service. */
export interface SeenCall {
  service: string;
  operation: string;
  input: Record<string, unknown>;
  principal: string;
}

/** A request to an API. */
export interface HttpRequest {
  method?: string;
  /** Names keep their spelling and may have several values. */
  rawHeaders?: readonly (readonly [name: string, value: string])[];
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Response of an API. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

/** Test environment. Time stands still unless the test advances it. */
export interface ApiTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly api: ApiGatewayV2;
  /** Functions by name, run in-process. */
  readonly functions: Map<string, TestFunction>;
  /** Ids of function invocations, as in their logs. */
  readonly invocations: string[];
  /** Recorded calls to services other than Lambda. */
  readonly calls: SeenCall[];
  /**
   * Creates an API with a `$default` stage that deploys automatically.
   * @returns its id
   */
  create(more?: Partial<CreateApiCommandInput>): Promise<string>;
  /**
   * Adds a route to a function by name.
   * @returns ids of the route and its integration
   */
  route(apiId: string, key: string, fn: string, version?: string): Promise<{ routeId: string; integrationId: string }>;
  /** Sends a request to an API by its host. */
  fetch(apiId: string, target: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** Sends a request to any host. */
  fetchHost(host: string, target: string, request?: HttpRequest): Promise<HttpAnswer>;
  advance(milliseconds: number): Promise<void>;
}

async function textOf(body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Services called by APIs, with responses by operation. */
const BEHIND: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  sqs: { SendMessage: { MessageId: 'm1', MD5OfMessageBody: 'x' } },
  events: { PutEvents: { FailedEntryCount: 0, Entries: [{ EventId: 'e1' }] } },
  kinesis: { PutRecord: { ShardId: 'shardId-000000000000', SequenceNumber: '1' } },
  stepfunctions: { StartExecution: { executionArn: 'arn:x', startDate: new Date(0) } },
  firehose: { PutRecord: { RecordId: 'r1' } },
};

/** Starts an emulator with HTTP and WebSocket APIs, and fakes for their services unless given. */
export async function startApis(options: TestEmulatorOptions = {}): Promise<ApiTest> {
  const functions: ApiTest['functions'] = new Map();
  const calls: SeenCall[] = [];
  const invocations: string[] = [];
  const lambda = fakeService('lambda', {
    async Invoke({ FunctionName, Payload }, { requestId }) {
      invocations.push(requestId);
      const fn = functions.get(String(FunctionName).split(':').at(-1)!);
      if (!fn) throw new Error(`no function ${FunctionName}`);
      try {
        const result = await fn(JSON.parse(Buffer.from(Payload as Uint8Array).toString()));
        return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(result ?? null)) };
      } catch (error) {
        const Payload = Buffer.from(JSON.stringify({ errorMessage: (error as Error).message }));
        return { StatusCode: 200, FunctionError: 'Unhandled', Payload };
      }
    },
  });
  const mounted = new Set((options.manifests ?? []).map(({ name }) => name));
  const behind = Object.entries(BEHIND).filter(([service]) => !mounted.has(service));
  const fakes = behind.map(([service, operations]) =>
    fakeService(
      service,
      Object.fromEntries(
        Object.entries(operations).map(([operation, answer]) => [
          operation,
          (input: Record<string, unknown>, { principal }: OperationContext) => {
            calls.push({ service, operation, input, principal: principal.arn });
            return answer;
          },
        ]),
      ),
    ),
  );
  const emulator = await createTestEmulator({
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
    manifests: [manifest, lambda, ...fakes, ...(options.manifests ?? [])],
  });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.set(Date.parse(START));
  const api = new ApiGatewayV2({ ...emulator.clientConfig(), maxAttempts: 1 });
  const fetchHost: ApiTest['fetchHost'] = async (
    host,
    target,
    { method = 'GET', headers = {}, rawHeaders, body = '' } = {},
  ) => {
    const bytes = Buffer.from(body as string);
    const length = bytes.length > 0 ? { 'content-length': String(bytes.length) } : {};
    const lower = Object.fromEntries((rawHeaders ?? []).map(([name, value]) => [name.toLowerCase(), value]));
    const answer = await emulator.gateway.handle({
      method,
      target,
      headers: { host, ...headers, ...lower, ...length },
      ...(rawHeaders && { rawHeaders: ['Host', host, ...rawHeaders.flat(), ...Object.entries(length).flat()] }),
      body: {
        bytes: async () => bytes,
        stream: async function* () {
          if (bytes.length > 0) yield bytes;
        },
      },
      remoteAddress: undefined,
      localPort: undefined,
      secure: true,
      signal: () => new AbortController().signal,
    });
    return { status: answer.status, headers: answer.headers, body: await textOf(answer.body) };
  };
  return {
    emulator,
    api,
    functions,
    invocations,
    calls,
    async create(more) {
      const { ApiId } = await api.createApi({ Name: 'test', ProtocolType: 'HTTP', ...more });
      await api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
      return ApiId!;
    },
    async route(ApiId, RouteKey, fn, PayloadFormatVersion = '2.0') {
      const { IntegrationId } = await api.createIntegration({
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: functionArn(fn),
        PayloadFormatVersion,
      });
      const { RouteId } = await api.createRoute({ ApiId, RouteKey, Target: `integrations/${IntegrationId}` });
      return { routeId: RouteId!, integrationId: IntegrationId! };
    },
    fetch: (apiId, target, request) => fetchHost(`${apiId}.execute-api.${REGION}.amazonaws.com`, target, request),
    fetchHost,
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns `Code: message` of a request that must fail without effect. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
