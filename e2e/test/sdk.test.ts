import { Agent as HttpsAgent } from 'node:https';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { NodeHttp2Handler, NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';

let emu: Emu;
beforeAll(async () => {
  emu = await startEmu();
});
afterAll(() => emu?.kill());

const transports = [
  { name: 'HTTP/1.1', scheme: 'http', handler: () => new NodeHttpHandler() },
  { name: 'HTTP/2 without TLS', scheme: 'http', handler: () => new NodeHttp2Handler() },
  {
    name: 'HTTP/1.1 over TLS',
    scheme: 'https',
    // The certificate is created at start-up, so it is not trusted.
    handler: () => new NodeHttpHandler({ httpsAgent: new HttpsAgent({ rejectUnauthorized: false }) }),
  },
];

describe.each(transports)('SDK v3 over $name', ({ name, scheme, handler }) => {
  const config = () => ({
    endpoint: `${scheme}://127.0.0.1:${emu.port}`,
    region: 'us-west-2',
    credentials: { accessKeyId: '000000000042', secretAccessKey: 'test' },
    requestHandler: handler(),
  });

  test('SQS: a thousand messages arrive exactly once', { timeout: 120_000 }, async () => {
    const sqs = new SQSClient(config());
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name.replace(/[^A-Za-z0-9]/g, '-') }));
    expect(QueueUrl).toMatch(new RegExp(`^${scheme}://127\\.0\\.0\\.1:${emu.port}/000000000042/`));
    const bodies = Array.from({ length: 1000 }, (_, index) => `message ${index}`);
    for (let start = 0; start < bodies.length; start += 50)
      await Promise.all(
        bodies
          .slice(start, start + 50)
          .map((MessageBody) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }))),
      );
    const received: string[] = [];
    while (received.length < bodies.length) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      if (!Messages.length) break;
      received.push(...Messages.map(({ Body }) => Body!));
      await Promise.all(
        Messages.map(({ ReceiptHandle }) => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))),
      );
    }
    expect(received.sort()).toEqual(bodies.sort());
    sqs.destroy();
  });

  test("STS: the caller's identity", async () => {
    const sts = new STSClient(config());
    expect((await sts.send(new GetCallerIdentityCommand({}))).Arn).toBe('arn:aws:iam::000000000042:root');
    sts.destroy();
  });
});

test('SIGTERM ends the process with 0', async () => {
  const other = await startEmu();
  expect(await other.stop()).toBe(0);
});
