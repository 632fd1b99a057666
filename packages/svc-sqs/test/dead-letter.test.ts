import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, type SqsTest, startSqs } from './support.ts';

const redriveTo = (t: SqsTest, name: string, maxReceiveCount: number) => ({
  RedrivePolicy: JSON.stringify({ deadLetterTargetArn: t.arnOf(name), maxReceiveCount }),
});

describe('a redrive policy', () => {
  test('moves a message with the maximum receive count unchanged', async () => {
    await using t = await startSqs();
    const dlq = await t.queue('dlq');
    const QueueUrl = await t.queue('q', { ...redriveTo(t, 'dlq', 1), VisibilityTimeout: '0' });
    const sentAt = String(t.emulator.kernel.clock.now());
    const sent = await t.sqs.sendMessage({
      QueueUrl,
      MessageBody: 'x',
      MessageAttributes: { MyAttribute: { DataType: 'String', StringValue: 'foobar' } },
    });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
    await t.advance(5);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    const receivedAt = String(t.emulator.kernel.clock.now());
    const { Messages } = await t.sqs.receiveMessage({
      QueueUrl: dlq,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    expect(Messages).toEqual([
      {
        MessageId: sent.MessageId,
        ReceiptHandle: expect.any(String),
        Body: 'x',
        MD5OfBody: sent.MD5OfMessageBody,
        MD5OfMessageAttributes: 'adb59cd4678ea5a855436b949cd07ab6',
        MessageAttributes: { MyAttribute: { DataType: 'String', StringValue: 'foobar' } },
        Attributes: {
          SenderId: expect.any(String),
          SentTimestamp: sentAt,
          ApproximateReceiveCount: '2',
          ApproximateFirstReceiveTimestamp: receivedAt,
          DeadLetterQueueSourceArn: t.arnOf('q'),
        },
      },
    ]);
  });

  test('counts receives per queue along a chain of dead-letter queues', async () => {
    await using t = await startSqs();
    const third = await t.queue('third');
    const second = await t.queue('second', { ...redriveTo(t, 'third', 1), VisibilityTimeout: '0' });
    const first = await t.queue('first', { ...redriveTo(t, 'second', 2), VisibilityTimeout: '0' });
    await t.sqs.sendMessage({ QueueUrl: first, MessageBody: 'x' });
    for (const [url, expected] of [
      [first, ['x']],
      [first, ['x']],
      [first, []],
      [second, ['x']],
      [second, []],
      [third, ['x']],
    ] as const)
      expect(await receiveBodies(t.sqs, url)).toEqual(expected);
  });

  test('continues the retention of standard messages, and restarts that of FIFO messages', async () => {
    await using t = await startSqs();
    for (const [suffix, attributes, left] of [
      ['', {}, 0],
      ['.fifo', { FifoQueue: 'true', ContentBasedDeduplication: 'true' }, 1],
    ] as const) {
      const dlq = await t.queue(`dlq${suffix}`, { ...attributes, MessageRetentionPeriod: '120' });
      const QueueUrl = await t.queue(`q${suffix}`, { ...attributes, ...redriveTo(t, `dlq${suffix}`, 1) });
      await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x', ...(suffix && { MessageGroupId: 'g' }) });
      await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 });
      await t.advance(100);
      await t.sqs.receiveMessage({ QueueUrl });
      await t.advance(20);
      expect(await receiveBodies(t.sqs, dlq)).toHaveLength(left);
    }
  });

  test('unlocks the message group in a FIFO queue', async () => {
    await using t = await startSqs();
    const dlq = await t.fifoQueue('dlq.fifo');
    const QueueUrl = await t.fifoQueue('q.fifo', { ...redriveTo(t, 'dlq.fifo', 1), VisibilityTimeout: '0' });
    for (const MessageBody of ['1', '2']) await t.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: 'g' });
    expect(await receiveBodies(t.sqs, QueueUrl, { MaxNumberOfMessages: 1 })).toEqual(['1']);
    expect(await receiveBodies(t.sqs, QueueUrl, { MaxNumberOfMessages: 1 })).toEqual(['2']);
    expect(await receiveBodies(t.sqs, dlq)).toEqual(['1']);
  });

  test('keeps messages if the dead-letter queue is missing', async () => {
    await using t = await startSqs();
    const dlq = await t.queue('dlq');
    const QueueUrl = await t.queue('q', { ...redriveTo(t, 'dlq', 1), VisibilityTimeout: '0' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    await t.sqs.deleteQueue({ QueueUrl: dlq });
    for (let i = 0; i < 3; i++) expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
  });

  test('returns the count as a number, and is removed by an empty value', async () => {
    await using t = await startSqs();
    await t.queue('dlq');
    const QueueUrl = await t.queue('q', {
      RedrivePolicy: JSON.stringify({ maxReceiveCount: '7', deadLetterTargetArn: t.arnOf('dlq') }),
    });
    const policy = async () =>
      (await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['RedrivePolicy'] })).Attributes?.RedrivePolicy;
    expect(await policy()).toBe(JSON.stringify({ deadLetterTargetArn: t.arnOf('dlq'), maxReceiveCount: 7 }));
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy: '' } });
    expect(await policy()).toBeUndefined();
  });

  test('must be complete, and name a queue of the same account and type', async () => {
    await using t = await startSqs();
    await t.queue('dlq');
    await t.fifoQueue('dlq.fifo');
    const arn = t.arnOf('dlq');
    const cases: [unknown, string][] = [
      ['[]', 'Redrive policy is not a valid JSON map.'],
      ['nonsense', 'Redrive policy is not a valid JSON map.'],
      [{ deadLetterTargetArn: arn }, 'Redrive policy does not contain mandatory attribute: maxReceiveCount.'],
      [{ maxReceiveCount: 1 }, 'Redrive policy does not contain mandatory attribute: deadLetterTargetArn.'],
      [
        { deadLetterTargetArn: arn, maxReceiveCount: 0 },
        'Invalid value for maxReceiveCount: 0, valid values are from 1 to 1000 both inclusive.',
      ],
      [
        { deadLetterTargetArn: arn, maxReceiveCount: 'invalid' },
        'Invalid value for maxReceiveCount: invalid, valid values are from 1 to 1000 both inclusive.',
      ],
      [{ deadLetterTargetArn: 'dummy', maxReceiveCount: 42 }, 'Dead-letter target ARN should be fully qualified ARN.'],
      [{ deadLetterTargetArn: t.arnOf('none.fifo'), maxReceiveCount: 1 }, 'Dead letter target does not exist.'],
      [
        { deadLetterTargetArn: arn.replace('us-east-1', 'eu-west-1'), maxReceiveCount: 1 },
        'Dead letter target does not exist.',
      ],
      [
        { deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000001:dlq', maxReceiveCount: 1 },
        'Dead-letter target owner should be same as the source.',
      ],
      [
        { deadLetterTargetArn: t.arnOf('dlq.fifo'), maxReceiveCount: 1 },
        'Dead-letter queue must be same type of queue as the source.',
      ],
    ];
    for (const [policy, reason] of cases) {
      const RedrivePolicy = typeof policy === 'string' ? policy : JSON.stringify(policy);
      expect(await failureOf(t.queue('q', { RedrivePolicy }))).toEqual({
        code: 'InvalidParameterValue',
        message: `Value ${RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
        status: 400,
      });
    }
    expect((await t.sqs.listQueues({ QueueNamePrefix: 'q' })).QueueUrls).toBeUndefined();
  });
});

describe('a missing dead-letter queue', () => {
  test('is rejected with policies enforced', async () => {
    await using t = await startSqs([], { EMULATOR_ENFORCE_IAM: true });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: t.arnOf('dlq'), maxReceiveCount: 1 });
    expect(await failureOf(t.queue('q', { RedrivePolicy }))).toEqual({
      code: 'InvalidParameterValue',
      message: `Value ${RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.`,
      status: 400,
    });
  });

  test('is accepted otherwise and may be created later', async () => {
    await using t = await startSqs();
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: t.arnOf('dlq'), maxReceiveCount: 1 });
    const QueueUrl = await t.queue('q', { RedrivePolicy, VisibilityTimeout: '1' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'm' });
    for (let receive = 0; receive < 2; receive++) {
      expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['m']);
      await t.advance(1);
    }
    const dlq = await t.queue('dlq');
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    expect(await receiveBodies(t.sqs, dlq)).toEqual(['m']);
  });
});

describe('a redrive allow policy', () => {
  test('restricts the queues that may use the dead-letter queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('dlq');
    const allow = (policy: object) =>
      t.sqs.setQueueAttributes({ QueueUrl, Attributes: { RedriveAllowPolicy: JSON.stringify(policy) } });
    await allow({ redrivePermission: 'denyAll' });
    expect((await failureOf(t.queue('q', redriveTo(t, 'dlq', 1)))).code).toBe('InvalidParameterValue');
    await allow({ redrivePermission: 'byQueue', sourceQueueArns: [t.arnOf('q')] });
    await t.queue('q', redriveTo(t, 'dlq', 1));
    expect((await failureOf(t.queue('other', redriveTo(t, 'dlq', 1)))).code).toBe('InvalidParameterValue');
    await allow({ redrivePermission: 'allowAll' });
    await t.queue('other', redriveTo(t, 'dlq', 1));
  });

  test('must be valid', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('dlq');
    const set = (RedriveAllowPolicy: string) =>
      failureOf(t.sqs.setQueueAttributes({ QueueUrl, Attributes: { RedriveAllowPolicy } }));
    for (const policy of ['[]', '{"redrivePermission":"some"}', '{"redrivePermission":"allowAll","x":1}'])
      expect((await set(policy)).code).toBe('InvalidAttributeValue');
    const arns = Array.from({ length: 11 }, () => t.arnOf('q'));
    for (const [policy, reason] of [
      [{ redrivePermission: 'byQueue' }, 'you must also specify one or more sourceQueueArns values.'],
      [{ redrivePermission: 'denyAll', sourceQueueArns: arns }, 'you must set redrivePermission to byQueue.'],
      [{ redrivePermission: 'byQueue', sourceQueueArns: arns }, 'The maximum number of source queue ARNs'],
    ] as const) {
      const { code, message } = await set(JSON.stringify(policy));
      expect(code).toBe('InvalidParameterValue');
      expect(message).toContain(reason);
    }
  });
});

test('ListDeadLetterSourceQueues lists the source queues, in pages', async () => {
  await using t = await startSqs();
  const QueueUrl = await t.queue('dlq');
  const urls: string[] = [];
  for (const name of ['a', 'b', 'c']) urls.push(await t.queue(name, redriveTo(t, 'dlq', 50)));
  await t.queue('unrelated');
  expect((await t.sqs.listDeadLetterSourceQueues({ QueueUrl })).queueUrls).toEqual(urls);
  const first = await t.sqs.listDeadLetterSourceQueues({ QueueUrl, MaxResults: 2 });
  expect(first.queueUrls).toEqual(urls.slice(0, 2));
  const { queueUrls, NextToken } = await t.sqs.listDeadLetterSourceQueues({
    QueueUrl,
    MaxResults: 2,
    NextToken: first.NextToken,
  });
  expect([queueUrls, NextToken]).toEqual([urls.slice(2), undefined]);
  expect((await t.sqs.listDeadLetterSourceQueues({ QueueUrl: urls[0] })).queueUrls).toEqual([]);
});
