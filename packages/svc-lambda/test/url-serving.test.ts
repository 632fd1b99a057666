import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';

let test: RunningTest;
let listener: Awaited<ReturnType<RunningTest['emulator']['gateway']['listen']>>;
let port: number;
beforeAll(async () => {
  test = await startRunning();
  listener = await test.emulator.gateway.listen({ host: '127.0.0.1' });
  ({ port } = listener);
});
afterAll(async () => {
  await listener.close();
  await test[Symbol.asyncDispose]();
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Arrival of each piece of the body, in milliseconds since the first. */
  arrivals: number[];
}

function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path: pathname + search,
      headers: { host, ...headers },
      agent: false,
    };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      const arrivals: number[] = [];
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        arrivals.push(performance.now());
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
          arrivals: arrivals.map((at) => at - arrivals[0]!),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

type UrlInput = Partial<Parameters<RunningTest['lambda']['createFunctionUrlConfig']>[0]>;

/** Name of the last created function. */
let latest = '';

/** Creates a function with a public URL. */
async function urlOf(code: string, input: UrlInput = {}): Promise<string> {
  const FunctionName = await test.define({ 'index.js': code });
  latest = FunctionName;
  const { FunctionUrl } = await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE', ...input });
  if ((input.AuthType ?? 'NONE') === 'NONE') for (const permission of PUBLIC) await permit(FunctionName, permission);
  return FunctionUrl!;
}

type Permission = Omit<Parameters<RunningTest['lambda']['addPermission']>[0], 'FunctionName' | 'Principal'>;

/** Permissions for everybody to call a URL. */
const PUBLIC: readonly Permission[] = [
  { StatementId: 'url', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
  { StatementId: 'function', Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true },
];

const permit = (FunctionName: string, permission: Permission) =>
  test.lambda.addPermission({ FunctionName, Principal: '*', ...permission });

describe('function URLs', () => {
  it('pass requests on as events', async () => {
    const url = await urlOf('exports.handler = async (event) => event;');
    const { status, headers, body } = await send(`${url}pa%20th/1?q=a&multi=x&multi=%2Fy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', Cookie: 'a=1; b=2', 'X-Custom': 'WeiRd' },
      body: '{"foo":"bar"}',
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    const { hostname } = new URL(url);
    expect(JSON.parse(body)).toEqual({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/pa th/1',
      rawQueryString: 'q=a&multi=x&multi=%2Fy',
      cookies: ['a=1', 'b=2'],
      headers: {
        host: new URL(url).host,
        'content-type': 'application/json',
        'content-length': '13',
        'x-custom': 'WeiRd',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-/),
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-port': expect.any(String),
      },
      queryStringParameters: { q: 'a', multi: 'x,/y' },
      requestContext: {
        accountId: 'anonymous',
        apiId: hostname.split('.')[0],
        domainName: hostname,
        domainPrefix: hostname.split('.')[0],
        http: { method: 'POST', path: '/pa th/1', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
        requestId: expect.any(String),
        routeKey: '$default',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      body: '{"foo":"bar"}',
      isBase64Encoded: false,
    });
    const binary = await send(url, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: Buffer.from([0, 255]),
    });
    expect(JSON.parse(binary.body)).toMatchObject({ body: 'AP8=', isBase64Encoded: true });
  });

  it('are also paths of emu, for clients that cannot resolve their host names', async () => {
    const url = await urlOf(
      'exports.handler = async ({ rawPath, requestContext }) => [rawPath, requestContext.apiId];',
    );
    const id = new URL(url).hostname.split('.')[0]!;
    const local = `http://127.0.0.1:${port}/_aws/lambda-url/`;
    const get = async (path: string) => JSON.parse((await send(local + path)).body);
    expect(await get(id)).toEqual(['/', id]);
    expect(await get(`${id}/`)).toEqual(['/', id]);
    expect(await get(`${id}/pa%20th/1?q=a`)).toEqual(['/pa th/1', id]);
    expect(await get(`${id}//a`)).toEqual(['//a', id]);
    for (const path of ['a'.repeat(32), `${id}x/`])
      expect(await send(local + path)).toMatchObject({ status: 403, body: '{"Message":null}' });
  });

  it("return handlers' results, as recorded from AWS", async () => {
    const url = await urlOf(`exports.handler = async ({ body }) => JSON.parse(body);`);
    const result = async (value: unknown) => {
      const { status, headers, body } = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify(value),
      });
      return [status, headers['content-type'], headers['content-length'], body];
    };
    expect(await result({ hello: 'world' })).toEqual([200, 'application/json', '17', '{"hello":"world"}']);
    expect(await result({ statusCode: 200, body: 'body123' })).toEqual([200, 'application/json', '7', 'body123']);
    expect(await result(['hello', 3, true])).toEqual([200, 'application/json', '16', '["hello",3,true]']);
    expect(await result('hello')).toEqual([200, 'application/json', '5', 'hello']);
    expect(await result(3.1)).toEqual([200, 'application/json', '3', '3.1']);
    expect(await result(null)).toEqual([200, 'application/json', '4', 'null']);
    expect(await result(true)).toEqual([200, 'application/json', '4', 'true']);
    const full = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({
        statusCode: 201,
        headers: { 'Content-Type': 'image/gif', 'X-Own': 'yes' },
        cookies: ['a=1', 'b=2; Secure'],
        body: 'AP8=',
        isBase64Encoded: true,
      }),
    });
    expect(full).toMatchObject({
      status: 201,
      headers: {
        'content-type': 'image/gif',
        'x-own': 'yes',
        'set-cookie': ['a=1', 'b=2; Secure'],
        'content-length': '2',
      },
    });
  });

  it('return 502 for function errors, 429 for throttling, and 403 for unknown URLs', async () => {
    const url = await urlOf('exports.handler = async () => { throw new Error("inside"); };');
    expect(await send(url)).toMatchObject({ status: 502, body: 'Internal Server Error' });
    const busy = await urlOf('exports.handler = async () => 1;');
    await test.lambda.putFunctionConcurrency({ FunctionName: latest, ReservedConcurrentExecutions: 0 });
    const throttled = await send(busy);
    expect(throttled.status).toBe(429);
    expect(JSON.parse(throttled.body)).toEqual({
      Type: 'User',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      message: 'Rate Exceeded.',
    });
    const unknown = await send(url.replace(/\/\/[a-z2-7]+/, `//${'a'.repeat(32)}`));
    expect(unknown).toMatchObject({ status: 403, body: '{"Message":null}' });
  });

  it('require permissions for both the URL and the function', async () => {
    const FunctionName = await test.define({ 'index.js': 'exports.handler = async () => 1;' });
    const { FunctionUrl } = await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
    const status = async () => (await send(FunctionUrl!)).status;
    for (const [missing, present] of [PUBLIC, PUBLIC.toReversed()] as [Permission, Permission][]) {
      await permit(FunctionName, present);
      expect(await status(), `without ${missing.Action}`).toBe(403);
      await permit(FunctionName, { ...missing, StatementId: 'theirs', SourceAccount: '000000000002' });
      expect(await status(), `with ${missing.Action} for another account`).toBe(403);
      await permit(FunctionName, missing);
      expect(await status()).toBe(200);
      for (const StatementId of ['url', 'function', 'theirs'])
        await test.lambda.removePermission({ FunctionName, StatementId });
    }
  });

  it('require a public permission or a signature', async () => {
    const Message =
      'Forbidden. For troubleshooting Function URL authorization issues, see: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html';
    const FunctionName = await test.define({ 'index.js': 'exports.handler = async () => 1;' });
    const { FunctionUrl } = await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
    expect(await send(FunctionUrl!)).toMatchObject({ status: 403, body: JSON.stringify({ Message }) });
    const signed = await urlOf('exports.handler = async (event) => event.requestContext.authorizer.iam;', {
      AuthType: 'AWS_IAM',
    });
    expect(await send(signed)).toMatchObject({ status: 403 });
    const authorization =
      'AWS4-HMAC-SHA256 Credential=000000000002/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0';
    const { status, body } = await send(signed, { headers: { authorization } });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      accountId: '000000000002',
      accessKey: '000000000002',
      userArn: 'arn:aws:iam::000000000002:root',
    });
  });

  it('are served on any domain, and nothing else is', async () => {
    const url = await urlOf('exports.handler = async ({ rawPath }) => rawPath;');
    const [id, label, region] = new URL(url).hostname.split('.');
    const ask = (host: string, path: string) => send(`http://${host}:4566${path}`);
    const anywhere = `${id}.${label}.${region}.emu.example.com`;
    expect(await ask(anywhere, '/_emulator/health')).toMatchObject({ status: 200, body: '/_emulator/health' });
    expect((await ask(`other.${label}.${region}.emu.example.com`, '/_emulator/health')).status).toBe(403);
  });

  it('apply the CORS configuration, or leave CORS to the function without one', async () => {
    const origin = 'https://example.com';
    const url = await urlOf('exports.handler = async () => 1;', {
      Cors: {
        AllowOrigins: [origin],
        AllowMethods: ['PUT'],
        AllowHeaders: ['x-own'],
        ExposeHeaders: ['date'],
        MaxAge: 7,
        AllowCredentials: true,
      },
    });
    const asked = (from: string) =>
      send(url, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': 'PUT' } });
    expect(await asked(origin)).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'x-own',
        'access-control-max-age': '7',
        'access-control-allow-credentials': 'true',
      },
    });
    expect((await asked('https://other.com')).headers['access-control-allow-origin']).toBeUndefined();
    const plain = await send(url, { headers: { origin } });
    expect(plain.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'date',
    });
    const without = await urlOf('exports.handler = async () => ({ statusCode: 200, headers: {}, body: "x" });');
    expect((await send(without, { headers: { origin } })).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('stream responses', async () => {
    const InvokeMode = 'RESPONSE_STREAM';
    const url = await urlOf(
      `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
        const out = awslambda.HttpResponseStream.from(stream, { statusCode: 202, headers: { 'content-type': 'text/plain', 'x-own': 'y' }, cookies: ['c=1'] });
        for (let i = 0; i < 3; i++) { out.write('part ' + i); await new Promise((r) => setTimeout(r, 60)); }
        out.end();
      });`,
      { InvokeMode },
    );
    const answer = await send(url);
    expect(answer).toMatchObject({
      status: 202,
      headers: { 'content-type': 'text/plain', 'x-own': 'y', 'set-cookie': ['c=1'] },
      body: 'part 0part 1part 2',
    });
    expect(answer.arrivals.at(-1)).toBeGreaterThan(80);
    const raw = await urlOf(
      'exports.handler = awslambda.streamifyResponse(async (event, stream) => { stream.setContentType("text/x"); stream.end("raw"); });',
      { InvokeMode },
    );
    expect(await send(raw)).toMatchObject({ status: 200, headers: { 'content-type': 'text/x' }, body: 'raw' });
    const early = await urlOf('exports.handler = awslambda.streamifyResponse(async () => { throw new Error("e"); });', {
      InvokeMode,
    });
    expect(await send(early)).toMatchObject({ status: 502 });
    const middle = await urlOf(
      'exports.handler = awslambda.streamifyResponse(async (event, stream) => { stream.write("x"); await new Promise((r) => setTimeout(r, 30)); throw new Error("e"); });',
      { InvokeMode },
    );
    await expect(send(middle)).rejects.toThrow('aborted');
  });
});
