import { describe, expect, test } from 'vitest';
import { failureOf, type SqsTest, startSqs } from './support.ts';

const all = async (t: SqsTest, QueueUrl: string) =>
  (await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })).Attributes!;

describe('GetQueueAttributes', () => {
  test('returns defaults of a standard queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const now = String(Math.floor(t.emulator.kernel.clock.now() / 1000));
    expect(await all(t, QueueUrl)).toEqual({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
      CreatedTimestamp: now,
      DelaySeconds: '0',
      LastModifiedTimestamp: now,
      MaximumMessageSize: '1048576',
      MessageRetentionPeriod: '345600',
      QueueArn: t.arnOf('q'),
      ReceiveMessageWaitTimeSeconds: '0',
      SqsManagedSseEnabled: 'true',
      VisibilityTimeout: '30',
    });
  });

  test('returns additional defaults of a FIFO queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q.fifo', { FifoQueue: 'true' });
    expect(await all(t, QueueUrl)).toMatchObject({
      FifoQueue: 'true',
      ContentBasedDeduplication: 'false',
      DeduplicationScope: 'queue',
      FifoThroughputLimit: 'perQueue',
    });
  });

  test('accepts booleans in any case, as Python writes them', async () => {
    await using t = await startSqs();
    const given = { FifoQueue: 'True', ContentBasedDeduplication: 'TRUE', SqsManagedSseEnabled: 'False' };
    const stored = { FifoQueue: 'true', ContentBasedDeduplication: 'true', SqsManagedSseEnabled: 'false' };
    const QueueUrl = await t.queue('q.fifo', given);
    expect(await all(t, QueueUrl)).toMatchObject(stored);
    expect(await t.queue('q.fifo', stored)).toBe(QueueUrl);
    expect(await failureOf(t.queue('q', { FifoQueue: 'False' }))).toMatchObject({
      code: 'InvalidAttributeName',
      message: 'Unknown Attribute FifoQueue.',
    });
  });

  test('returns only requested and existing attributes', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { sqs } = t;
    expect(
      (await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn', 'DelaySeconds'] })).Attributes,
    ).toEqual({ QueueArn: t.arnOf('q'), DelaySeconds: '0' });
    expect((await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Policy'] })).Attributes).toBeUndefined();
    expect((await sqs.getQueueAttributes({ QueueUrl })).Attributes).toBeUndefined();
    expect(await failureOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Foobar' as 'All'] }))).toEqual({
      code: 'InvalidAttributeName',
      message: 'Unknown Attribute Foobar.',
      status: 400,
    });
  });

  test('counts visible, delayed and in-flight messages', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (const delay of [0, 0, 0, 2, 2]) await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x', DelaySeconds: delay });
    await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 5 });
    const counts = {
      ApproximateNumberOfMessages: '2',
      ApproximateNumberOfMessagesDelayed: '2',
      ApproximateNumberOfMessagesNotVisible: '1',
    };
    expect(await all(t, QueueUrl)).toMatchObject(counts);
    await t.advance(2);
    expect(await all(t, QueueUrl)).toMatchObject({
      ...counts,
      ApproximateNumberOfMessages: '4',
      ApproximateNumberOfMessagesDelayed: '0',
    });
    await t.advance(3);
    expect(await all(t, QueueUrl)).toMatchObject({
      ApproximateNumberOfMessages: '5',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });
});

describe('SetQueueAttributes', () => {
  test('requires an attribute', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (const Attributes of [{}, undefined])
      expect(await failureOf(t.sqs.setQueueAttributes({ QueueUrl, Attributes }))).toEqual({
        code: 'MissingParameter',
        message: 'The request must contain the parameter Attribute.Name.',
        status: 400,
      });
  });

  test('changes given attributes and the modification time', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { VisibilityTimeout: '20', MessageRetentionPeriod: '604800' });
    const before = await all(t, QueueUrl);
    await t.advance(5);
    await t.sqs.setQueueAttributes({
      QueueUrl,
      Attributes: { MaximumMessageSize: '2048', VisibilityTimeout: '69', DelaySeconds: '420' },
    });
    expect(await all(t, QueueUrl)).toEqual({
      ...before,
      MaximumMessageSize: '2048',
      VisibilityTimeout: '69',
      DelaySeconds: '420',
      LastModifiedTimestamp: String(Number(before.LastModifiedTimestamp) + 5),
    });
  });

  test.each([
    ['DelaySeconds', '901'],
    ['DelaySeconds', '-1'],
    ['DelaySeconds', ' 6'],
    ['DelaySeconds', '1.5'],
    ['DelaySeconds', ''],
    ['MaximumMessageSize', '1023'],
    ['MaximumMessageSize', '1048577'],
    ['MessageRetentionPeriod', '59'],
    ['MessageRetentionPeriod', '1209601'],
    ['ReceiveMessageWaitTimeSeconds', '21'],
    ['VisibilityTimeout', '43201'],
    ['KmsDataKeyReusePeriodSeconds', '59'],
    ['SqsManagedSseEnabled', 'yes'],
    ['Policy', 'no json'],
    ['Policy', '{"Version":"2012-10-17","Statement":[]}'],
  ])('rejects %s = %j', async (name, value) => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const before = await all(t, QueueUrl);
    expect(await failureOf(t.sqs.setQueueAttributes({ QueueUrl, Attributes: { [name]: value } }))).toEqual({
      code: 'InvalidAttributeValue',
      message: `Invalid value for the parameter ${name}.`,
      status: 400,
    });
    expect(await all(t, QueueUrl)).toEqual(before);
  });

  test.each([
    ['FifoQueue', 'true', 'Unknown Attribute FifoQueue.'],
    ['ContentBasedDeduplication', 'true', 'Unknown Attribute ContentBasedDeduplication.'],
    ['DeduplicationScope', 'queue', 'You can specify the DeduplicationScope only when FifoQueue is set to true.'],
    ['FifoThroughputLimit', 'perQueue', 'You can specify the FifoThroughputLimit only when FifoQueue is set to true.'],
    ['QueueArn', 'x', 'Unknown Attribute QueueArn.'],
    ['Nonsense', 'x', 'Unknown Attribute Nonsense.'],
  ])('rejects %s on a standard queue', async (name, value, message) => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const expected = { code: 'InvalidAttributeName', message, status: 400 };
    expect(await failureOf(t.sqs.setQueueAttributes({ QueueUrl, Attributes: { [name]: value } }))).toEqual(expected);
  });

  test('cannot change the type of a FIFO queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { FifoQueue: 'true' } });
    expect(await failureOf(t.sqs.setQueueAttributes({ QueueUrl, Attributes: { FifoQueue: 'false' } }))).toEqual({
      code: 'InvalidAttributeValue',
      message: 'Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.',
      status: 400,
    });
  });

  test('allows one encryption type at a time', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const set = (Attributes: Record<string, string>) => t.sqs.setQueueAttributes({ QueueUrl, Attributes });
    expect(await failureOf(set({ KmsMasterKeyId: 'key', SqsManagedSseEnabled: 'true' }))).toEqual({
      code: 'InvalidAttributeName',
      message:
        'You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.',
      status: 400,
    });
    await set({ KmsMasterKeyId: 'key', KmsDataKeyReusePeriodSeconds: '6000' });
    expect(await all(t, QueueUrl)).toMatchObject({
      KmsMasterKeyId: 'key',
      KmsDataKeyReusePeriodSeconds: '6000',
      SqsManagedSseEnabled: 'false',
    });
    await set({ KmsMasterKeyId: '', KmsDataKeyReusePeriodSeconds: '' });
    expect((await all(t, QueueUrl)).KmsMasterKeyId).toBeUndefined();
    expect((await all(t, QueueUrl)).KmsDataKeyReusePeriodSeconds).toBeUndefined();
    expect((await all(t, QueueUrl)).SqsManagedSseEnabled).toBe('false');
    await set({ SqsManagedSseEnabled: 'true' });
    expect((await all(t, QueueUrl)).SqsManagedSseEnabled).toBe('true');
  });

  test('stores a policy unchanged, and removes it with an empty value', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const Policy = JSON.stringify(
      { Version: '2012-10-17', Statement: { Effect: 'Allow', Principal: '*', Action: 'sqs:*', Resource: '*' } },
      null,
      2,
    );
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
    expect((await all(t, QueueUrl)).Policy).toBe(Policy);
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy: '' } });
    expect((await all(t, QueueUrl)).Policy).toBeUndefined();
  });

  test('requires a compatible deduplication scope for a FIFO throughput limit', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    const set = (Attributes: Record<string, string>) => t.sqs.setQueueAttributes({ QueueUrl, Attributes });
    expect((await failureOf(set({ FifoThroughputLimit: 'perMessageGroupId' }))).code).toBe('InvalidAttributeValue');
    await set({ FifoThroughputLimit: 'perMessageGroupId', DeduplicationScope: 'messageGroup' });
    expect((await all(t, QueueUrl)).FifoThroughputLimit).toBe('perMessageGroupId');
  });
});
