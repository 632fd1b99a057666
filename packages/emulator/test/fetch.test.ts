import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createEmulator } from '../src/index.ts';

/** Authorization header of a caller whose signature is not verified. */
const SIGNED = {
  authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0',
};

/** Sends a request with an unmodified path to the port. */
async function send(port: number, method: string, path: string, body = ''): Promise<{ status: number; text: string }> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers: SIGNED }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode!, text };
}

test('a port keeps dot segments, empty segments and backslashes of keys', async () => {
  await using emu = await createEmulator({ services: ['s3'] });
  const { port } = await emu.listen();
  expect((await send(port, 'PUT', '/keys')).status).toBe(200);
  const keys = ['_emulator/../b', 'a/../b', 'a//b', 'a\\b'];
  for (const key of keys) {
    expect((await send(port, 'PUT', `/keys/${key}`, key)).status).toBe(200);
    expect(await send(port, 'GET', `/keys/${key}`)).toEqual({ status: 200, text: key });
  }
  const { text } = await send(port, 'GET', '/keys?list-type=2');
  expect([...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)).toEqual(keys);
});

test('fetch reaches services, data planes and control routes in the process', async () => {
  await using emu = await createEmulator({ services: ['s3', 'sqs'] });
  await new SQSClient(emu.clientConfig()).send(new CreateQueueCommand({ QueueName: 'jobs' }));
  const health = await emu.fetch('http://localhost:4566/_emulator/health');
  expect(await health.json()).toMatchObject({ status: 'ok', services: ['s3', 'sqs'] });
  expect((await emu.fetch('http://localhost/site', { method: 'PUT', headers: SIGNED })).status).toBe(200);
  const body = 'x'.repeat(100_000);
  const put = await emu.fetch(new Request('http://site.s3.localhost/a', { method: 'PUT', body, headers: SIGNED }));
  expect(put.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await (await emu.fetch('http://site.s3.localhost/a', { headers: SIGNED })).text()).toBe(body);
  const head = await emu.fetch('http://site.s3.localhost/a', { method: 'HEAD', headers: SIGNED });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '100000', '']);
  const form = new URLSearchParams({ Action: 'GetQueueUrl', Version: '2012-11-05', QueueName: 'jobs' });
  const queue = await emu.fetch('http://sqs.us-east-1.localhost/', { method: 'POST', body: form });
  expect(await queue.text()).toContain('/jobs</QueueUrl>');
});

test('fetch rejects immediately when its signal is aborted', async () => {
  await using emu = await createEmulator({ services: ['sqs'] });
  await new SQSClient(emu.clientConfig()).send(new CreateQueueCommand({ QueueName: 'jobs' }));
  const query = new URLSearchParams({
    Action: 'ReceiveMessage',
    Version: '2012-11-05',
    QueueUrl: 'http://localhost/123456789012/jobs',
    WaitTimeSeconds: '20',
  });
  const init = { method: 'POST', body: query, signal: AbortSignal.timeout(50) };
  await expect(emu.fetch('http://localhost/', init)).rejects.toMatchObject({ name: 'TimeoutError' });
});
