import { expect, test } from 'vitest';
import { ACCOUNT, receiveBodies, startSqs } from './support.ts';

test('GET /_emulator/sqs/messages lists the messages of all queues, accounts and regions', async () => {
  await using t = await startSqs();
  const QueueUrl = await t.queue('q');
  const { MessageId } = await t.sqs.sendMessage({
    QueueUrl,
    MessageBody: 'in flight',
    MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } },
  });
  await t.sqs.receiveMessage({ QueueUrl });
  await t.sqs.sendMessage({ QueueUrl, MessageBody: 'delayed', DelaySeconds: 5 });
  const other = t.client({ accessKeyId: '000000000001', region: 'eu-west-1' });
  const { QueueUrl: foreign } = await other.createQueue({ QueueName: 'q' });
  await other.sendMessage({ QueueUrl: foreign, MessageBody: 'elsewhere' });
  const now = t.emulator.kernel.clock.now();
  const timestamp = (time: number) => new Date(time).toISOString();
  const { status, json } = await t.emulator.control('GET', '/_emulator/sqs/messages');
  expect(status).toBe(200);
  expect((json as { messages: unknown[] }).messages).toEqual([
    {
      queueUrl: QueueUrl,
      queueName: 'q',
      queueArn: t.arnOf('q'),
      accountId: ACCOUNT,
      region: 'us-east-1',
      messageId: MessageId,
      body: 'in flight',
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      messageAttributes: { a: { dataType: 'String', stringValue: 'b' } },
      senderId: expect.any(String),
      state: 'in-flight',
      receiveCount: 1,
      sentTimestamp: timestamp(now),
      firstReceiveTimestamp: timestamp(now),
      visibleTimestamp: timestamp(now + 30_000),
    },
    expect.objectContaining({
      body: 'delayed',
      state: 'delayed',
      receiveCount: 0,
      visibleTimestamp: timestamp(now + 5000),
    }),
    expect.objectContaining({
      body: 'elsewhere',
      state: 'visible',
      accountId: '000000000001',
      region: 'eu-west-1',
      queueArn: 'arn:aws:sqs:eu-west-1:000000000001:q',
    }),
  ]);
});

test('POST /_emulator/sqs/expiration-processor/tick expires due messages', async () => {
  await using t = await startSqs();
  const QueueUrl = await t.queue('q', { MessageRetentionPeriod: '60' });
  for (const MessageBody of ['a', 'b']) await t.sqs.sendMessage({ QueueUrl, MessageBody });
  const tick = async () => (await t.emulator.control('POST', '/_emulator/sqs/expiration-processor/tick')).json;
  expect(await tick()).toEqual({ expiredMessages: 0 });
  // The clock is advanced without running its timers.
  const { clock } = t.emulator.kernel;
  const now = clock.now();
  clock.now = () => now + 60_000;
  expect(await tick()).toEqual({ expiredMessages: 2 });
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
});

test('POST /_emulator/sqs/{queue_name}/force-dlq moves the in-flight messages of one queue', async () => {
  await using t = await startSqs();
  const dlq = await t.queue('dlq');
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: t.arnOf('dlq'), maxReceiveCount: 1000 });
  const QueueUrl = await t.queue('q', { RedrivePolicy });
  for (const MessageBody of ['a', 'b', 'c']) await t.sqs.sendMessage({ QueueUrl, MessageBody });
  await t.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 2 });
  const force = (path: string) => t.emulator.control('POST', `/_emulator/sqs/${path}`);
  expect(await force('q/force-dlq')).toEqual({ status: 200, json: { movedMessages: 2 } });
  expect(await receiveBodies(t.sqs, dlq)).toEqual(['a', 'b']);
  expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['c']);
  expect((await force(`q/force-dlq?accountId=${ACCOUNT}&region=us-east-1`)).json).toEqual({ movedMessages: 1 });
  for (const path of ['none/force-dlq', 'q/force-dlq?region=eu-west-1', 'q/force-dlq?accountId=000000000001'])
    expect(await force(path)).toMatchObject({ status: 404, json: { error: { code: 'QueueNotFound' } } });
  expect(await force('dlq/force-dlq')).toMatchObject({ status: 400, json: { error: { code: 'NoRedrivePolicy' } } });
});
