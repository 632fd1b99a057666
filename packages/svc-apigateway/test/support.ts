import * as sdk from '@aws-sdk/client-api-gateway';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** A client with one function per operation. */
export type Api = {
  [Name in keyof sdk.APIGateway as sdk.APIGateway[Name] extends (args: never) => Promise<unknown>
    ? Name
    : never]: sdk.APIGateway[Name];
};

/** Starts an emulator with API Gateway only, and its client. */
export async function start(): Promise<{ emulator: TestEmulator; api: sdk.APIGateway }> {
  const emulator = await createTestEmulator({ manifests: [manifest] });
  return { emulator, api: new sdk.APIGateway(emulator.clientConfig()) };
}

/** Response of an API. */
export interface Answered {
  status: number;
  headers: Record<string, string | string[]>;
  text: string;
  json: unknown;
}

/** A request to an API. */
export interface Asked {
  method?: string;
  host?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends a request to an API without a socket. */
export async function ask(emulator: TestEmulator, asked: Asked): Promise<Answered> {
  const { method = 'GET', host = 'localhost:4566', path, headers = {}, body = '' } = asked;
  const bytes = Buffer.from(body as string);
  const answer = await emulator.gateway.handle({
    method,
    target: path,
    headers: { host, ...(bytes.length > 0 && { 'content-length': String(bytes.length) }), ...headers },
    rawHeaders: ['Host', host, ...Object.entries(headers).flat()],
    body: {
      bytes: async () => bytes,
      stream: async function* () {
        yield bytes;
      },
    },
    remoteAddress: '127.0.0.1',
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
  const chunks: Uint8Array[] = [];
  if (typeof answer.body === 'string') chunks.push(Buffer.from(answer.body));
  else if (answer.body instanceof Uint8Array) chunks.push(answer.body);
  else for await (const chunk of answer.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const lower = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: answer.status, headers: lower, text, json };
}

/** Returns code and message of the error of a call. */
export async function errorOf(running: Promise<unknown>): Promise<[code: string, message: string]> {
  try {
    await running;
  } catch (error) {
    const { name, message } = error as Error;
    return [name, message];
  }
  throw new Error('the call went well');
}

/** Creates an API with a mock method at `/<path>` and its response. */
export async function mockApi(
  api: sdk.APIGateway,
  {
    name = 'mock',
    part = 'pets',
    httpMethod = 'GET',
    request = '{"statusCode": 200}',
    response = '',
    method = {} as Partial<sdk.PutMethodCommandInput>,
  } = {},
): Promise<{ restApiId: string; resourceId: string; rootResourceId: string; httpMethod: string }> {
  const { id, rootResourceId } = await api.createRestApi({ name });
  const restApiId = id!;
  const { id: resource } = await api.createResource({ restApiId, parentId: rootResourceId!, pathPart: part });
  const place = { restApiId, resourceId: resource!, httpMethod };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
  await api.putMethodResponse({ ...place, statusCode: '200' });
  await api.putIntegration({ ...place, type: 'MOCK', requestTemplates: { 'application/json': request } });
  await api.putIntegrationResponse({
    ...place,
    statusCode: '200',
    ...(response && { responseTemplates: { 'application/json': response } }),
  });
  return { ...place, rootResourceId: rootResourceId! };
}
