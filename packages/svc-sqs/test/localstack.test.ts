import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type SqsTest, startSqs } from './support.ts';

const PATH = '/_aws/sqs/messages';
const HOST = 'http://localhost:4566';
let t: SqsTest;
let QueueUrl: string;

beforeAll(async () => {
  t = await startSqs();
  QueueUrl = await t.queue('orders');
  await t.sqs.sendMessage({
    QueueUrl,
    MessageBody: 'received <&>',
    MessageAttributes: { kind: { DataType: 'String', StringValue: 'new' } },
  });
  await t.sqs.receiveMessage({ QueueUrl });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: 'visible' });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: 'delayed', DelaySeconds: 60 });
});
afterAll(() => t[Symbol.asyncDispose]());

const ask = (path: string, headers: Record<string, string> = {}) =>
  t.emulator.gateway.fetch(new Request(`${HOST}${path}`, { headers }));
const json = async (path: string) => {
  const response = await ask(path, { accept: 'application/json' });
  return { status: response.status, json: (await response.json()) as Record<string, Record<string, unknown>> };
};
const look = (query = '') => json(`${PATH}?QueueUrl=${encodeURIComponent(QueueUrl)}${query}`);
const bodiesOf = (value: unknown) => (value as { Body: string }[]).map(({ Body }) => Body);

test('returns messages like ReceiveMessage, without receiving them', async () => {
  const response = await ask(`${PATH}?QueueUrl=${encodeURIComponent(QueueUrl)}&ShowInvisible=true`);
  expect(response.headers.get('content-type')).toMatch(/^text\/xml\b/);
  const text = await response.text();
  expect(text).toContain('<ReceiveMessageResponse');
  expect(text).toContain('<Body>received &lt;&amp;&gt;</Body>');
  expect(text).toContain('<Name>kind</Name>');
  const { json: visible } = await look();
  expect(visible).toEqual({
    ReceiveMessageResponse: {
      ReceiveMessageResult: {
        Message: expect.objectContaining({
          Body: 'visible',
          ReceiptHandle: 'SQS/BACKDOOR/ACCESS',
          Attribute: expect.arrayContaining([{ Name: 'ApproximateReceiveCount', Value: '0' }]),
        }),
      },
      ResponseMetadata: { RequestId: expect.any(String) },
    },
  });
  const { json: all } = await look('&ShowInvisible=true&ShowDelayed=true');
  const { Message } = all.ReceiveMessageResponse!.ReceiveMessageResult as { Message: unknown };
  expect(bodiesOf(Message)).toEqual(['received <&>', 'visible', 'delayed']);
  const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
  expect(Attributes).toMatchObject({
    ApproximateNumberOfMessages: '1',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '1',
  });
});

test('returns an empty result for an empty queue, by its region in the path or its unique name', async () => {
  const elsewhere = t.client({ region: 'eu-west-1' });
  const { QueueUrl: url } = await elsewhere.createQueue({ QueueName: 'far' });
  for (const path of [`${PATH}/eu-west-1/${ACCOUNT}/far`, `${PATH}?QueueUrl=${url}`])
    expect(await json(path)).toEqual({
      status: 200,
      json: {
        ReceiveMessageResponse: { ReceiveMessageResult: null, ResponseMetadata: { RequestId: expect.any(String) } },
      },
    });
  const named = `http://sqs.us-east-1.localhost.localstack.cloud:4566/${ACCOUNT}/far`;
  expect((await json(`${PATH}?QueueUrl=${named}`)).status).toBe(400);
});

test('an SDK with the path in its endpoint views messages by ReceiveMessage', async () => {
  const peek = new SQS({ ...t.emulator.clientConfig(), endpoint: `${HOST}${PATH}` });
  const { Messages } = await peek.receiveMessage({ QueueUrl });
  expect(Messages).toMatchObject([{ Body: 'visible', Attributes: { SenderId: expect.any(String) } }]);
  await expect(peek.receiveMessage({ QueueUrl: 'nothing' })).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  await expect(peek.purgeQueue({ QueueUrl })).rejects.toMatchObject({ name: 'InvalidRequest' });
  const form = await t.emulator.gateway.fetch(
    new Request(`${HOST}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ Action: 'ReceiveMessage', Version: '2012-11-05', QueueUrl }),
    }),
  );
  expect(await form.text()).toContain('<Body>visible</Body>');
});

test('rejects requests without a queue', async () => {
  expect(await json(PATH)).toMatchObject({
    status: 400,
    json: { ErrorResponse: { Error: { Code: 'MissingParameter' } } },
  });
  expect(await json(`${PATH}?QueueUrl=nothing`)).toMatchObject({
    status: 400,
    json: { ErrorResponse: { Error: { Code: 'AWS.SimpleQueueService.NonExistentQueue' } } },
  });
  const large = await t.emulator.gateway.fetch(
    new Request(`${HOST}${PATH}`, { method: 'POST', body: 'x'.repeat(70_000) }),
  );
  expect(large.status).toBe(413);
});
