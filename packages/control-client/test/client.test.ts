import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, ControlClient, type Fetch, HttpError } from '../src/index.ts';
import { recordingClient } from './recorder.ts';

/** Returns the error of a rejected promise. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it resolved'),
    (error: unknown) => error,
  );

describe('base URL', () => {
  test.each([
    ['http://localhost:4566', 'http://localhost:4566/_emulator/health'],
    ['http://localhost:4566/', 'http://localhost:4566/_emulator/health'],
    ['https://ci.example/emu//', 'https://ci.example/emu/_emulator/health'],
    ['http://localhost:4566/?x=1#y', 'http://localhost:4566/_emulator/health'],
  ])('%s', async (baseUrl, url) => {
    const { client, sent } = recordingClient({}, baseUrl);
    await client.health();
    expect(sent[0]?.url).toBe(url);
  });

  test('accepts a URL object', async () => {
    const urls: string[] = [];
    const fetch: Fetch = async (url) => {
      urls.push(url);
      return new Response('{}');
    };
    await new ControlClient(new URL('http://[::1]:4566'), { fetch }).health();
    expect(urls).toEqual(['http://[::1]:4566/_emulator/health']);
  });

  test.each(['', 'localhost:4566', '/relative', 'ftp://localhost'])('rejects %j', (baseUrl) => {
    expect(() => new ControlClient(baseUrl)).toThrow(TypeError);
  });

  test('WebSocket URLs of an https emulator are secure', () => {
    const client = new ControlClient('https://ci.example/emu');
    expect(client.apigatewayv2.wsUrl('a1', 'prod')).toBe(
      'wss://ci.example/emu/_emulator/apigatewayv2/ws/a1?stage=prod',
    );
  });
});

describe('path parameters', () => {
  test.each(['a/b', 'a?b', 'a#b', 'a%2Fb', 'a b', 'ü', '…', 'a:b', '{x}', '$&', '...'])(
    '%j remains one segment',
    async (name) => {
      const { client, sent } = recordingClient();
      await client.sqs.forceDlq(name);
      const segments = new URL(sent[0]!.url).pathname.split('/');
      expect(segments).toHaveLength(5);
      expect(decodeURIComponent(segments[3]!)).toBe(name);
    },
  );

  test.each(['', '.', '..'])('rejects %j and sends nothing', async (name) => {
    const { client, sent } = recordingClient();
    await expect(client.sqs.forceDlq(name)).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });
});

describe('answers', () => {
  test('JSON is parsed', async () => {
    const health = { status: 'ok', version: '1.2.3', services: ['sqs'] };
    const { client } = recordingClient({ body: JSON.stringify(health) });
    expect(await client.health()).toEqual(health);
  });

  test('bytes are unchanged', async () => {
    const zip = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0xff]);
    const { client } = recordingClient({ body: zip });
    expect(await client.lambda.functionCode('000000000001', 'f')).toEqual(zip);
    expect(await client.lambda.layerContent('000000000001', 'l', 1)).toEqual(zip);
  });

  test('text is unchanged', async () => {
    const { client } = recordingClient({ body: '-----BEGIN CERTIFICATE-----\n' });
    expect(await client.sns.certificate()).toBe('-----BEGIN CERTIFICATE-----\n');
  });
});

describe('ApiError', () => {
  test('contains status, parsed body, code and message', async () => {
    const body = { error: { code: 'NotImplemented', message: 'emu does not have kms yet' } };
    const { client } = recordingClient({ status: 501, body: JSON.stringify(body) });
    const error = await rejection(client.kms.usage());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      route: 'GET /_emulator/kms/usage',
      status: 501,
      body,
      code: 'NotImplemented',
      message: 'emu does not have kms yet',
    });
  });

  test('reads the errors of credential endpoints with code and message at the top level', async () => {
    const body = { code: 'InvalidIdInRequest', message: 'no such task' };
    const { client } = recordingClient({ status: 400, body: JSON.stringify(body) });
    const error = await rejection(client.ecs.taskCredentials('t'));
    expect(error).toMatchObject({ status: 400, body, code: 'InvalidIdInRequest', message: 'no such task' });
  });

  test.each([
    ['', ''],
    ['<html>Bad gateway</html>', '<html>Bad gateway</html>'],
    ['null', null],
    ['{"error":"x"}', { error: 'x' }],
    ['{"error":{"code":7}}', { error: { code: 7 } }],
  ])('accepts any body: %j', async (text, body) => {
    const { client } = recordingClient({ status: 502, body: text });
    const error = await rejection(client.lambda.functionCode('000000000001', 'f'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 502,
      body,
      code: undefined,
      message: 'GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file} answered with status 502',
    });
  });
});

describe('HttpError', () => {
  const failing = (fetch: Fetch): Promise<unknown> =>
    rejection(new ControlClient('http://emu.test', { fetch }).health());

  test('contains the rejection of fetch', async () => {
    const cause = new Error('connection refused');
    const error = await failing(() => Promise.reject(cause));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ name: 'HttpError', route: 'GET /_emulator/health', cause });
  });

  test('contains the error thrown by fetch', async () => {
    const cause = new TypeError('bad URL');
    const error = await failing(() => {
      throw cause;
    });
    expect(error).toMatchObject({ name: 'HttpError', cause });
  });

  test.each([200, 500])('contains the error that interrupted a response with status %d', async (status) => {
    const cause = new Error('socket hang up');
    const error = await failing(async () => ({
      status,
      text: () => Promise.reject(cause),
      arrayBuffer: () => Promise.reject(cause),
    }));
    expect(error).toMatchObject({ name: 'HttpError', cause });
  });

  test('is also for responses that are not JSON', async () => {
    const error = await failing(async () => new Response('<html>'));
    expect(error).toMatchObject({ name: 'HttpError', message: 'GET /_emulator/health: the answer is not JSON' });
    expect((error as HttpError).cause).toBeInstanceOf(SyntaxError);
  });
});

describe('fetch', () => {
  afterEach(() => vi.unstubAllGlobals());

  test("is the platform's at the time of the call, called as a bare function", async () => {
    const client = new ControlClient('http://emu.test');
    const receivers: unknown[] = [];
    vi.stubGlobal('fetch', async function (this: unknown) {
      receivers.push(this);
      return new Response('{"status":"ok"}');
    });
    expect(await client.health()).toEqual({ status: 'ok' });
    expect(receivers).toEqual([globalThis]);
  });
});

test('sub-clients are created once per client', () => {
  const { client } = recordingClient();
  expect(client.sqs).toBe(client.sqs);
  expect(client.bedrockAgent).not.toBe(client.bedrockAgentRuntime);
  expect(recordingClient().client.sqs).not.toBe(client.sqs);
});

test('rejects an invalid date and sends nothing', async () => {
  const { client, sent } = recordingClient();
  await expect(client.clock.set(new Date(Number.NaN))).rejects.toThrow(RangeError);
  expect(sent).toEqual([]);
});
