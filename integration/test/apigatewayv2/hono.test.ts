import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { sendRaw } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-apigatewayv2/manifest';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { arn } from '../../../packages/svc-lambda/test/support.ts';

/** An application without any knowledge of emu. */
const APPLICATION = `
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';

const app = new Hono();
app.get('/hello/:name', (c) => c.json({ hello: c.req.param('name'), tags: c.req.queries('tag') ?? [] }));
app.post('/echo', async (c) => c.text(await c.req.text(), 201, { 'x-kind': c.req.header('content-type') ?? '' }));
app.get('/cookies', (c) => {
  c.header('set-cookie', 'a=1');
  c.header('set-cookie', 'b=2', { append: true });
  return c.body(new Uint8Array([0, 1, 255]).buffer, 200, { 'content-type': 'application/octet-stream' });
});
export const handler = handle(app);
`;

let test: RunningTest;
let host: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: APPLICATION, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
  });
  test = await startRunning({ manifests: [manifest] });
  const name = await test.define({ 'index.js': outputFiles[0]!.text });
  const api = new ApiGatewayV2(test.emulator.clientConfig());
  const { ApiId } = await api.createApi({ Name: 'hono', ProtocolType: 'HTTP', Target: arn(name) });
  host = `${ApiId}.execute-api.us-east-1.localhost:4566`;
});
afterAll(() => test[Symbol.asyncDispose]());

const send = (method: string, target: string, headers: Record<string, string> = {}, body = '') =>
  sendRaw(test.emulator, { method, target, headers: { host, ...headers }, chunks: [body] });

it('a Hono application runs with its Lambda adapter', async () => {
  const hello = await send('GET', '/hello/J%C3%BCrg?tag=a&tag=b');
  expect([hello.status, JSON.parse(hello.text)]).toEqual([200, { hello: 'Jürg', tags: ['a', 'b'] }]);
  const echo = await send('POST', '/echo', { 'content-type': 'text/plain' }, 'ünïcode');
  expect([echo.status, echo.text, echo.headers['x-kind']]).toEqual([201, 'ünïcode', 'text/plain']);
  const form = await send('POST', '/echo', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1&b=2');
  expect(form.text).toBe('a=1&b=2');
  const cookies = await send('GET', '/cookies');
  expect([...cookies.bytes]).toEqual([0, 1, 255]);
  expect(cookies.headers['set-cookie']).toContain('b=2');
  expect((await send('GET', '/none')).status).toBe(404);
});
