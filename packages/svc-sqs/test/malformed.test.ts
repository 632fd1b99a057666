import { leavesNoTrace } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type SqsTest, startSqs } from './support.ts';

let t: SqsTest;
beforeAll(async () => {
  t = await startSqs();
  await t.queue('q');
  await t.sqs.sendMessage({ QueueUrl: 'q', MessageBody: 'there before' });
});
afterAll(() => t[Symbol.asyncDispose]());

/** Sends JSON that no SDK would write. */
async function post(operation: string, json: string): Promise<{ status: number; body: string }> {
  const bytes = Buffer.from(json);
  const { status, body } = await t.emulator.gateway.handle({
    method: 'POST',
    target: '/',
    headers: {
      host: 'localhost:4566',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: {
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
  return { status, body: Buffer.from(body as Uint8Array).toString() };
}

test.each([
  ['SendMessageBatch', '{"QueueUrl":"q","Entries":[null]}'],
  ['SendMessageBatch', '{"QueueUrl":"q","Entries":[{}]}'],
  ['SendMessageBatch', '{"QueueUrl":"q","Entries":null}'],
  ['SendMessageBatch', '{"QueueUrl":"q","Entries":"x"}'],
  ['SendMessage', '{"QueueUrl":"q","MessageBody":"x","MessageAttributes":{"a":null}}'],
  ['SendMessage', '{"QueueUrl":"q","MessageBody":"x","MessageAttributes":{"a":{}}}'],
  ['SendMessage', '{"QueueUrl":"q","MessageBody":{}}'],
  ['SendMessage', '{"QueueUrl":["q"],"MessageBody":"x"}'],
  ['SendMessage', '[]'],
  ['SendMessage', 'nonsense'],
  ['ReceiveMessage', '{"QueueUrl":"q","AttributeNames":[null]}'],
  ['ReceiveMessage', '{"QueueUrl":"q","WaitTimeSeconds":1e99}'],
  ['CreateQueue', '{"QueueName":"z","Attributes":{"DelaySeconds":{}}}'],
  ['CreateQueue', '{"QueueName":"__proto__.fifo","Attributes":{"__proto__":"x"}}'],
  ['SetQueueAttributes', '{"QueueUrl":"q","Attributes":{"constructor":"x"}}'],
  ['SetQueueAttributes', '{"QueueUrl":"q","Attributes":{"RedrivePolicy":"{\\"maxReceiveCount\\":{}}"}}'],
  ['SetQueueAttributes', '{"QueueUrl":"q","Attributes":{"Policy":"{\\"Statement\\":[null]}"}}'],
  ['TagQueue', '{"QueueUrl":"q","Tags":{"a":null}}'],
  ['UntagQueue', '{"QueueUrl":"q","TagKeys":[null]}'],
  ['AddPermission', '{"QueueUrl":"q","Label":"l","AWSAccountIds":[null],"Actions":[null]}'],
  ['CancelMessageMoveTask', '{"TaskHandle":"bnVsbA=="}'],
  ['StartMessageMoveTask', '{"SourceArn":"arn:aws:sqs:::"}'],
  ['GetQueueUrl', '{"QueueName":"__proto__"}'],
])('%s with %s is a client error', async (operation, json) => {
  const { status, body } = await leavesNoTrace(t.emulator, `${operation} ${json}`, () => post(operation, json));
  expect([Math.floor(status / 100), body]).toEqual([4, expect.stringContaining('__type')]);
});

test('accepts names with a meaning in JavaScript', async () => {
  const QueueUrl = await t.queue('__proto__');
  const attribute = '{"DataType":"String","StringValue":"x"}';
  await post(
    'SendMessage',
    `{"QueueUrl":"__proto__","MessageBody":"x","MessageAttributes":{"__proto__":${attribute}}}`,
  );
  await post('TagQueue', '{"QueueUrl":"__proto__","Tags":{"__proto__":"x","constructor":"y"}}');
  expect((await post('ReceiveMessage', '{"QueueUrl":"__proto__","MessageAttributeNames":["All"]}')).body).toContain(
    `"__proto__":{"StringValue":"x"`,
  );
  expect((await post('ListQueueTags', '{"QueueUrl":"__proto__"}')).body).toBe(
    '{"Tags":{"__proto__":"x","constructor":"y"}}',
  );
  await t.sqs.untagQueue({ QueueUrl, TagKeys: ['__proto__', 'constructor'] });
  expect((await t.sqs.listQueueTags({ QueueUrl })).Tags).toBeUndefined();
});
