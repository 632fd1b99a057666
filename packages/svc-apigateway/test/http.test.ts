import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  APIGateway,
  type PutIntegrationCommandInput,
  type PutIntegrationResponseCommandInput,
} from '@aws-sdk/client-api-gateway';
import { selfSigned } from '@emu/core/certificates';
import { createTestEmulator, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';

const BYTES = Buffer.from([0x61, 0xff, 0x00, 0xc3, 0xa4]);
/** The same text read as UTF-8. */
const TEXT = Buffer.from('a\ufffd\0ä');
const ENTITY = 10 * 1024 * 1024;

let emulator: TestEmulator;
let api: APIGateway;
let server: Server;
let secure: TlsServer;
/** Last request to the endpoint. */
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer };
/** Response of the endpoint. */
let respond: (response: ServerResponse, request: IncomingMessage) => void;

const address = (of: Server | TlsServer): string => `127.0.0.1:${(of.address() as AddressInfo).port}`;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest] });
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked = { method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks) };
      respond(response, request);
    });
  };
  server = createServer(listener);
  const now = Date.now();
  const pair = await selfSigned({
    subject: { commonName: '127.0.0.1' },
    notBefore: now - 86_400_000,
    notAfter: now + 86_400_000,
    keyType: 'ec',
    use: { server: { names: [], addresses: ['127.0.0.1'] } },
  });
  secure = createTlsServer({ ...pair, requestCert: true, rejectUnauthorized: false }, listener);
  for (const one of [server, secure]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await emulator.close();
  for (const one of [server, secure]) await new Promise((resolve) => one.close(resolve));
});

interface Made {
  binary?: string[];
  responses?: Partial<PutIntegrationResponseCommandInput>[];
  method?: object;
  part?: string;
  stage?: object;
}

/** Creates an API with `ANY /<part>` on an endpoint, deployed to `dev`; returns the path of its stage. */
async function make(
  integration: Partial<PutIntegrationCommandInput>,
  { binary = [], responses = [], method = {}, part = 'p', stage = {} }: Made = {},
): Promise<string> {
  const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'http', binaryMediaTypes: binary });
  const { id: resourceId } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: part });
  const place = { restApiId, resourceId, httpMethod: 'ANY' };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
  const proxy = { type: 'HTTP_PROXY', uri: `http://${address(server)}/`, integrationHttpMethod: 'ANY' } as const;
  await api.putIntegration({ ...place, ...proxy, ...integration });
  for (const response of responses) {
    const one = { statusCode: '200', ...response };
    const declared = Object.keys(response.responseParameters ?? {}).map((name) => [name, false]);
    const responseParameters = Object.fromEntries(declared) as Record<string, boolean>;
    await api.putMethodResponse({ ...place, statusCode: one.statusCode, responseParameters });
    await api.putIntegrationResponse({ ...place, ...one });
  }
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  await api.createStage({ restApiId, stageName: 'dev', deploymentId, variables: { v: 'var', w: '' } });
  const patchOperations = Object.entries(stage).map(([name, value]) => ({
    op: 'replace' as const,
    path: `/${name}`,
    value: String(value),
  }));
  if (patchOperations.length > 0) await api.updateStage({ restApiId, stageName: 'dev', patchOperations });
  return `/_aws/execute-api/${restApiId}/dev`;
}

const send = (target: string, headers: Record<string, string> = {}, body?: Buffer, method = body ? 'POST' : 'GET') =>
  sendRaw(emulator, {
    method,
    target,
    headers: { ...(body && { 'content-length': String(body.length) }), ...headers },
    ...(body && { chunks: [body] }),
  });

describe('an HTTP proxy', () => {
  // Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
  it.each<[type: string, binary: string[], contentHandling: string | undefined, got: Buffer]>([
    ['text/plain', [], undefined, TEXT],
    ['image/png', [], undefined, TEXT],
    ['image/png', ['image/png'], undefined, BYTES],
    ['image/png', ['image/*'], undefined, BYTES],
    ['text/plain', ['*/*'], undefined, BYTES],
    ['image/png', ['image/png'], 'CONVERT_TO_TEXT', Buffer.from(BYTES.toString('base64'))],
  ])('forwards a body of the type %s, with the binary types %j and %s', async (type, binary, contentHandling, got) => {
    respond = (response) => response.end();
    const path = await make({ contentHandling: contentHandling as never }, { binary });
    await send(`${path}/p`, { 'content-type': type }, BYTES);
    expect(asked.body).toEqual(got);
  });

  it.each<[type: string, binary: string[], accept: string | undefined, got: Buffer]>([
    ['text/plain', [], undefined, TEXT],
    ['image/png', [], 'image/png', TEXT],
    ['image/png', ['image/png'], 'image/png', BYTES],
    ['image/png', ['*/*'], undefined, BYTES],
    ['image/png', ['image/png'], 'text/html', Buffer.from(BYTES.toString('base64'))],
    ['text/plain', ['image/png'], 'image/png', TEXT],
  ])(
    'returns a response of the type %s, with the binary types %j, to a client that accepts %s',
    async (type, binary, accept, got) => {
      respond = (response) => response.writeHead(200, { 'content-type': type }).end(BYTES);
      const path = await make({}, { binary });
      const answer = await send(`${path}/p`, accept === undefined ? {} : { accept });
      expect([answer.status, answer.bytes]).toEqual([200, got]);
    },
  );

  it('responds with 500 to a response above 10 MB', async () => {
    const path = await make({}, { binary: ['*/*'] });
    respond = (response) => response.end(Buffer.alloc(ENTITY));
    expect((await send(`${path}/p`)).bytes).toHaveLength(ENTITY);
    respond = (response) => response.end(Buffer.alloc(ENTITY + 1));
    expect(await send(`${path}/p`)).toMatchObject({ status: 500, text: '{"message":"Internal server error"}' });
  });

  // Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
  it('remaps and drops the headers that AWS remaps and drops', async () => {
    respond = (response) =>
      response
        .writeHead(200, {
          ...{ authorization: 'a', 'content-md5': 'b', date: 'c', expect: 'd', 'max-forwards': 'e', server: 'f' },
          ...{ 'proxy-authenticate': 'g', 'user-agent': 'h', 'www-authenticate': 'i', 'x-amzn-requestid': 'j' },
          ...{ 'content-type': 'text/plain', 'set-cookie': ['k=1', 'l=2'], 'x-own': 'm' },
        })
        .end('body');
    const path = await make({});
    const { headers } = await send(`${path}/p`, { te: 'trailers', 'x-forwarded-host': 'h', 'x-own': 'o' });
    const { 'x-amzn-requestid': ownId, ...rest } = headers;
    expect(ownId).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toMatchObject({
      ...{ 'x-amzn-remapped-authorization': 'a', 'x-amzn-remapped-content-md5': 'b', 'x-amzn-remapped-date': 'c' },
      ...{ 'x-amzn-remapped-expect': 'd', 'x-amzn-remapped-max-forwards': 'e', 'x-amzn-remapped-server': 'f' },
      ...{ 'x-amzn-remapped-proxy-authenticate': 'g', 'x-amzn-remapped-user-agent': 'h' },
      ...{ 'x-amzn-remapped-www-authenticate': 'i', 'x-amzn-remapped-x-amzn-requestid': 'j' },
      ...{ 'content-type': 'text/plain', 'set-cookie': 'k=1,l=2', 'x-own': 'm' },
    });
    for (const name of ['authorization', 'transfer-encoding', 'server', 'www-authenticate'])
      expect(headers).not.toHaveProperty(name);
    for (const name of ['te', 'x-forwarded-host']) expect(asked.headers).not.toHaveProperty(name);
    expect(asked.headers['x-own']).toBe('o');
  });
});

describe('parameters of an HTTP integration', () => {
  it('come from every source of a request', async () => {
    respond = (response) => response.end('{}');
    const to = (place: string, name: string) => `integration.request.${place}.${name}`;
    const sources = {
      [to('header', 'h1')]: 'method.request.header.x-one',
      [to('header', 'h2')]: 'method.request.multivalueheader.x-many',
      [to('header', 'h3')]: 'method.request.body',
      [to('header', 'h4')]: 'method.request.body.a.b[1]',
      [to('header', 'h5')]: 'stageVariables.v',
      [to('header', 'h6')]: 'context.resourcePath',
      [to('header', 'h7')]: "'static'",
      [to('header', 'h8')]: 'context.identity.sourceIp',
      [to('header', 'none')]: 'method.request.header.x-none',
      [to('querystring', 'q1')]: 'method.request.querystring.q',
      [to('querystring', 'q2')]: 'method.request.multivaluequerystring.m',
      [to('querystring', 'q3')]: 'method.request.path.id',
      [to('path', 'part')]: 'method.request.path.id',
    };
    const methodParameters = Object.values(sources).filter((source) => /^method\.request\.(?!body)/.test(source));
    const path = await make(
      {
        type: 'HTTP',
        uri: `http://${address(server)}/base/{part}`,
        requestParameters: sources,
        integrationHttpMethod: 'POST',
      },
      {
        part: '{id}',
        responses: [{}],
        method: { requestParameters: Object.fromEntries(methodParameters.map((source) => [source, false])) },
      },
    );
    const body = Buffer.from('{"a": {"b": [1, "two"]}}');
    await sendRaw(emulator, {
      method: 'POST',
      target: `${path}/a%20b?q=1&q=2&m=3&m=4`,
      headers: { 'content-length': String(body.length), 'x-one': '1', 'x-many': ['2', '3'] as never },
      chunks: [body],
    });
    const { h1, h2, h3, h4, h5, h6, h7, h8, none } = asked.headers;
    expect([h1, h3, h4, h5, h6, h7, h8, none]).toEqual([
      '1',
      body.toString(),
      'two',
      'var',
      '/{id}',
      'static',
      '127.0.0.1',
      undefined,
    ]);
    expect(String(h2).split(/,\s*/)).toEqual(['2', '3']);
    const url = new URL(asked.url, 'http://x');
    expect([url.pathname, url.searchParams.getAll('q1'), url.searchParams.getAll('q2')]).toEqual([
      '/base/a%20b',
      ['2'],
      ['3', '4'],
    ]);
    expect(url.searchParams.get('q3')).toBe('a%20b');
  });

  it('come from every source of a response', async () => {
    respond = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-one': '1', 'x-many': ['2', '3'] })
        .end('{"a": {"b": ["x"]}}');
    const responseParameters = {
      'method.response.header.a': 'integration.response.header.x-one',
      'method.response.header.b': 'integration.response.multivalueheader.x-many',
      'method.response.header.c': 'integration.response.body',
      'method.response.header.d': 'integration.response.body.a.b[0]',
      'method.response.header.e': 'stageVariables.v',
      'method.response.header.f': 'context.httpMethod',
      'method.response.header.g': "'static'",
      'method.response.header.h': 'integration.response.header.x-none',
    };
    const path = await make({ type: 'HTTP' }, { responses: [{ responseParameters }] });
    const { a, b, c, d, e, f, g, h } = (await send(`${path}/p`)).headers as Record<string, string>;
    expect([a, b, c, d, e, f, g, h]).toEqual([
      '1',
      '2,3',
      '{"a": {"b": ["x"]}}',
      'x',
      'var',
      'GET',
      'static',
      undefined,
    ]);
  });

  it('insert stage variables into the URI', async () => {
    respond = (response) => response.end('{}');
    const path = await make({ uri: `http://${address(server)}/\${stageVariables.v}/x\${stageVariables.none}` });
    await send(`${path}/p`);
    expect(asked.url).toBe('/var/x');
  });
});

// Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html
describe('bodies without a template', () => {
  const templates = { 'application/json': 'mapped', 'text/x': '' };
  it.each<[behavior: string, templates: object, type: string, got: string | 415]>([
    ['WHEN_NO_MATCH', templates, 'application/json', 'mapped'],
    ['WHEN_NO_MATCH', templates, 'application/json; charset=utf-8', 'mapped'],
    ['WHEN_NO_MATCH', templates, 'text/plain', 'raw'],
    ['WHEN_NO_MATCH', {}, 'text/plain', 'raw'],
    ['WHEN_NO_TEMPLATES', templates, 'application/json', 'mapped'],
    ['WHEN_NO_TEMPLATES', templates, 'text/plain', 415],
    ['WHEN_NO_TEMPLATES', {}, 'text/plain', 'raw'],
    ['NEVER', templates, 'application/json', 'mapped'],
    ['NEVER', templates, 'text/plain', 415],
    ['NEVER', {}, 'application/json', 415],
    ['NEVER', { $default: 'all' }, 'text/plain', 'all'],
  ])('pass %s of %j for %s: %s', async (passthroughBehavior, requestTemplates, type, got) => {
    respond = (response) => response.end('{}');
    const path = await make(
      { type: 'HTTP', integrationHttpMethod: 'POST', passthroughBehavior, requestTemplates: requestTemplates as never },
      { responses: [{}] },
    );
    const answer = await send(`${path}/p`, { 'content-type': type }, Buffer.from('raw'));
    if (got === 415) expect(answer).toMatchObject({ status: 415, text: '{"message":"Unsupported Media Type"}' });
    else expect([answer.status, asked.body.toString()]).toEqual([200, got]);
  });
});

it('selects the first response whose pattern matches the status, otherwise the one without a pattern', async () => {
  const responses = [
    { statusCode: '200', responseTemplates: { 'text/x': 'fallback' } },
    { statusCode: '404', selectionPattern: '404', responseTemplates: { 'text/x': 'none' } },
    { statusCode: '500', selectionPattern: '5\\d{2}', responseTemplates: { 'text/x': 'broken' } },
  ];
  const path = await make({ type: 'HTTP' }, { responses });
  for (const [status, told] of [
    [201, [200, 'fallback']],
    [404, [404, 'none']],
    [503, [500, 'broken']],
    [1500, [500, 'broken']],
  ] as const) {
    respond = (response) => response.writeHead(Math.min(status, 599)).end('{}');
    const answer = await send(`${path}/p`);
    expect([answer.status, answer.text]).toEqual(told);
  }
  const strict = await make({ type: 'HTTP' }, { responses: responses.slice(1) });
  respond = (response) => response.end('{}');
  expect((await send(`${strict}/p`)).status).toBe(500);
});

describe('TLS endpoints', () => {
  it('receive the client certificate of the stage, which API Gateway also returns', async () => {
    const { clientCertificateId, pemEncodedCertificate } = await api.generateClientCertificate({ description: 'mine' });
    respond = (response, request) => {
      const { raw, subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ raw: raw?.toString('base64'), subject }));
    };
    const uri = `https://${address(secure)}/`;
    const tlsConfig = { insecureSkipVerification: true };
    const plain = await make({ uri, tlsConfig });
    expect(JSON.parse((await send(`${plain}/p`)).text)).toEqual({});
    const shown = await make({ uri, tlsConfig }, { stage: { clientCertificateId } });
    const { raw } = JSON.parse((await send(`${shown}/p`)).text) as { raw: string };
    expect(pemEncodedCertificate!.replace(/-----[^-]+-----|\s/g, '')).toBe(raw);
  });

  it('are rejected with an untrusted certificate, unless verification is disabled', async () => {
    respond = (response) => response.end('{}');
    const path = await make({ uri: `https://${address(secure)}/` });
    expect(await send(`${path}/p`)).toMatchObject({
      status: 504,
      text: '{"message":"Network error communicating with endpoint"}',
    });
  });
});
