import { describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, startSqs } from './support.ts';

describe('CreateQueue', () => {
  test("returns a URL under the request's address, which works", async () => {
    await using t = await startSqs();
    const url = await t.queue('orders');
    expect(url).toBe(`http://localhost:4566/${ACCOUNT}/orders`);
    expect((await t.sqs.getQueueUrl({ QueueName: 'orders' })).QueueUrl).toBe(url);
    expect((await t.sqs.listQueues({})).QueueUrls).toEqual([url]);
  });

  test('is idempotent for equal attributes and names a different one', async () => {
    await using t = await startSqs();
    const url = await t.queue('q', { ReceiveMessageWaitTimeSeconds: '1', DelaySeconds: '1' });
    expect(await t.queue('q')).toBe(url);
    expect(await t.queue('q', { DelaySeconds: '1' })).toBe(url);
    expect(await failureOf(t.queue('q', { ReceiveMessageWaitTimeSeconds: '1', DelaySeconds: '2' }))).toEqual({
      code: 'QueueAlreadyExists',
      message: 'A queue already exists with the same name and a different value for attribute DelaySeconds',
      status: 400,
    });
    await t.sqs.setQueueAttributes({ QueueUrl: url, Attributes: { DelaySeconds: '2' } });
    expect(await t.queue('q', { DelaySeconds: '2' })).toBe(url);
  });

  test.each([
    ['', {}, 'Queue name cannot be empty'],
    ['a/b', {}, 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length'],
    ['x'.repeat(81), {}, 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length'],
    ['x.fifo', {}, 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length'],
    [
      'x',
      { FifoQueue: 'true' },
      'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length.',
    ],
  ])('rejects the name %j with %j', async (name, attributes, message) => {
    await using t = await startSqs();
    expect(await failureOf(t.queue(name, attributes))).toEqual({ code: 'InvalidParameterValue', message, status: 400 });
  });

  test('finds a queue with the same or no tags', async () => {
    await using t = await startSqs();
    const create = (tags?: Record<string, string>) => t.sqs.createQueue({ QueueName: 'q', tags });
    await create({ a: '1', b: '2' });
    await create({ b: '2', a: '1' });
    await create();
    const others: Record<string, string>[] = [
      { a: '1' },
      { a: '1', b: '3' },
      { a: '1', b: '2', c: '3' },
      { a: '1', c: '2' },
    ];
    for (const tags of others)
      expect(await failureOf(create(tags))).toMatchObject({ code: 'QueueAlreadyExists', status: 400 });
  });

  test('requires a minute between deletion and a new queue of the same name', async () => {
    await using t = await startSqs();
    const url = await t.queue('q');
    await t.sqs.deleteQueue({ QueueUrl: url });
    expect(await failureOf(t.queue('q'))).toEqual({
      code: 'AWS.SimpleQueueService.QueueDeletedRecently',
      message: 'You must wait 60 seconds after deleting a queue before you can create another with the same name.',
      status: 400,
    });
    await t.advance(60);
    expect(await t.queue('q')).toBe(url);
  });
});

describe('a missing queue', () => {
  const missing = {
    code: 'AWS.SimpleQueueService.NonExistentQueue',
    message: 'The specified queue does not exist.',
    status: 400,
  };

  test('is reported by all operations on it', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    await t.sqs.deleteQueue({ QueueUrl });
    const { sqs } = t;
    expect(await failureOf(sqs.getQueueUrl({ QueueName: 'q' }))).toEqual(missing);
    expect(await failureOf(sqs.deleteQueue({ QueueUrl }))).toEqual(missing);
    expect(await failureOf(sqs.sendMessage({ QueueUrl, MessageBody: 'x' }))).toEqual(missing);
    expect(await failureOf(sqs.receiveMessage({ QueueUrl }))).toEqual(missing);
    expect(await failureOf(sqs.purgeQueue({ QueueUrl }))).toEqual(missing);
    expect(await failureOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] }))).toEqual(missing);
    expect(await failureOf(sqs.listQueueTags({ QueueUrl }))).toEqual(missing);
    expect(await failureOf(sqs.listDeadLetterSourceQueues({ QueueUrl }))).toEqual(missing);
    expect((await sqs.listQueues({})).QueueUrls).toBeUndefined();
  });

  test('is deleted with its messages', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'old' });
    await t.sqs.deleteQueue({ QueueUrl });
    await t.advance(60);
    await t.queue('q');
    expect((await t.sqs.receiveMessage({ QueueUrl })).Messages).toBeUndefined();
  });
});

describe('queue URLs', () => {
  test.each([
    `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/q`,
    `https://queue.amazonaws.com/${ACCOUNT}/q`,
    `https://eu-west-1.queue.amazonaws.com/${ACCOUNT}/q`,
    `http://sqs.us-east-1.localhost.localstack.cloud:4566/${ACCOUNT}/q`,
    `http://localhost:4566/queue/us-east-1/${ACCOUNT}/q`,
    `http://somewhere.else:1/${ACCOUNT}/q/`,
    `/${ACCOUNT}/q`,
    'q',
  ])("%s refers to the queue in the request's region", async (QueueUrl) => {
    await using t = await startSqs();
    await t.queue('q');
    const sqs = t.client();
    // The SDK would send the request to the queue URL's host.
    sqs.config.useQueueUrlAsEndpoint = false;
    const { MessageId } = await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    expect((await sqs.receiveMessage({ QueueUrl })).Messages?.[0]?.MessageId).toBe(MessageId);
  });

  test('separate equal names of regions and accounts, and refer to other accounts', async () => {
    await using t = await startSqs();
    const other = t.client({ accessKeyId: '000000000001' });
    const elsewhere = t.client({ region: 'eu-west-1' });
    const own = await t.queue('q');
    const { QueueUrl: foreign } = await other.createQueue({ QueueName: 'q' });
    await elsewhere.createQueue({ QueueName: 'q' });
    expect(foreign).toBe('http://localhost:4566/000000000001/q');
    await t.sqs.sendMessage({ QueueUrl: foreign, MessageBody: 'to the other account' });
    expect((await t.sqs.receiveMessage({ QueueUrl: own })).Messages).toBeUndefined();
    expect((await elsewhere.receiveMessage({ QueueUrl: own })).Messages).toBeUndefined();
    expect((await other.receiveMessage({ QueueUrl: foreign })).Messages?.[0]?.Body).toBe('to the other account');
    expect((await t.sqs.getQueueUrl({ QueueName: 'q', QueueOwnerAWSAccountId: '000000000001' })).QueueUrl).toBe(
      foreign,
    );
    const { code } = await failureOf(t.sqs.getQueueUrl({ QueueName: 'q', QueueOwnerAWSAccountId: '000000000002' }));
    expect(code).toBe('AWS.SimpleQueueService.NonExistentQueue');
  });
});

describe('ListQueues', () => {
  test('filters by prefix and returns pages', async () => {
    await using t = await startSqs();
    for (const name of ['b-1', 'a-2', 'a-1', 'a-3']) await t.queue(name);
    const names = (urls: string[] | undefined) => urls?.map((url) => url.split('/').at(-1));
    expect(names((await t.sqs.listQueues({ QueueNamePrefix: 'a-' })).QueueUrls)).toEqual(['a-1', 'a-2', 'a-3']);
    const first = await t.sqs.listQueues({ MaxResults: 3 });
    expect(names(first.QueueUrls)).toEqual(['a-1', 'a-2', 'a-3']);
    const second = await t.sqs.listQueues({ MaxResults: 3, NextToken: first.NextToken });
    expect(names(second.QueueUrls)).toEqual(['b-1']);
    expect(second.NextToken).toBeUndefined();
    expect((await t.sqs.listQueues({ QueueNamePrefix: 'none' })).QueueUrls).toBeUndefined();
  });

  test('rejects invalid limits and tokens', async () => {
    await using t = await startSqs();
    expect((await failureOf(t.sqs.listQueues({ MaxResults: 1001 }))).message).toBe(
      'Value 1001 for parameter MaxResults is invalid. Reason: Must be between 1 and 1000, if provided.',
    );
    expect((await failureOf(t.sqs.listQueues({ MaxResults: 1, NextToken: 'garbage' }))).message).toBe(
      'Invalid or expired next token.',
    );
  });
});

describe('PurgeQueue', () => {
  test('removes ready, delayed and in-flight messages', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (const MessageBody of ['1', '2', '3']) await t.sqs.sendMessage({ QueueUrl, MessageBody });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'later', DelaySeconds: 5 });
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 5 });
    await t.sqs.purgeQueue({ QueueUrl });
    await t.advance(10);
    expect((await t.sqs.receiveMessage({ QueueUrl })).Messages).toBeUndefined();
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'new' });
    expect((await t.sqs.receiveMessage({ QueueUrl })).Messages?.[0]?.Body).toBe('new');
  });

  test('is allowed once a minute', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    await t.sqs.purgeQueue({ QueueUrl });
    await t.advance(59);
    expect(await failureOf(t.sqs.purgeQueue({ QueueUrl }))).toEqual({
      code: 'AWS.SimpleQueueService.PurgeQueueInProgress',
      message: 'Only one PurgeQueue operation on q is allowed every 60 seconds.',
      status: 403,
    });
    await t.advance(1);
    await expect(t.sqs.purgeQueue({ QueueUrl })).resolves.toBeDefined();
  });
});

test('--sqs-no-waits allows immediate purges and re-creation', async () => {
  await using t = await startSqs([], { EMULATOR_SQS_NO_WAITS: true });
  const QueueUrl = await t.queue('q');
  for (let round = 0; round < 2; round++) await t.sqs.purgeQueue({ QueueUrl });
  await t.sqs.deleteQueue({ QueueUrl });
  expect(await t.queue('q')).toBe(QueueUrl);
});
