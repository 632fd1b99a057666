import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, startSqs } from './support.ts';

describe('SendMessage and ReceiveMessage', () => {
  test('return a message with its digests and system attributes', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const sentAt = t.emulator.kernel.clock.now();
    const sent = await t.sqs.sendMessage({ QueueUrl, MessageBody: 'message' });
    expect(sent).toMatchObject({ MD5OfMessageBody: '78e731027d8fd50ed642340b7c9a63b3' });
    expect(sent.SequenceNumber).toBeUndefined();
    expect(sent.MD5OfMessageAttributes).toBeUndefined();
    await t.advance(2);
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['All'] });
    expect(Messages).toEqual([
      {
        MessageId: sent.MessageId,
        ReceiptHandle: expect.any(String),
        Body: 'message',
        MD5OfBody: sent.MD5OfMessageBody,
        Attributes: {
          SenderId: expect.any(String),
          SentTimestamp: String(sentAt),
          ApproximateReceiveCount: '1',
          ApproximateFirstReceiveTimestamp: String(sentAt + 2000),
        },
      },
    ]);
  });

  test('return messages in order of sending', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (let i = 0; i < 12; i++) await t.sqs.sendMessage({ QueueUrl, MessageBody: `${i}` });
    expect((await receiveBodies(t.sqs, QueueUrl, { MaxNumberOfMessages: 1 })).join()).toBe('0');
    expect((await receiveBodies(t.sqs, QueueUrl)).join()).toBe('1,2,3,4,5,6,7,8,9,10');
    expect((await receiveBodies(t.sqs, QueueUrl)).join()).toBe('11');
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });

  test('keep bodies unchanged, whatever they contain', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (const MessageBody of ['"&quot;\r\n\t', '{"a":[1]}', 'ünïcödé \u{1F600} \ud7ff\ue000\ufffd', ' ']) {
      await t.sqs.sendMessage({ QueueUrl, MessageBody });
      expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([MessageBody]);
    }
  });

  test.each(['a\u0001', '\u0000', 'x\u000b', '\ufffe', '\uffff', '\ud800'])(
    'reject the body %j',
    async (MessageBody) => {
      await using t = await startSqs();
      const QueueUrl = await t.queue('q');
      expect(await failureOf(t.sqs.sendMessage({ QueueUrl, MessageBody }))).toMatchObject({
        // A lone surrogate never reaches the service: the SDK encodes it as U+FFFD, with a different digest.
        code: MessageBody === '\ud800' ? expect.any(String) : 'InvalidMessageContents',
      });
    },
  );

  test("accept up to 1 MiB of body and attributes, or the queue's limit", async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const MessageAttributes = { k: { DataType: 'String', StringValue: 'x' } };
    const size = 1_048_576 - 'kStringx'.length;
    const send = (length: number) =>
      t.sqs.sendMessage({ QueueUrl, MessageBody: 'a'.repeat(length), MessageAttributes });
    await send(size);
    expect(await failureOf(send(size + 1))).toEqual({
      code: 'InvalidParameterValue',
      message: 'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
      status: 400,
    });
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { MaximumMessageSize: '1024' } });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'é'.repeat(512) });
    expect((await failureOf(t.sqs.sendMessage({ QueueUrl, MessageBody: 'é'.repeat(513) }))).message).toBe(
      'One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.',
    );
  });

  test("reject parameters out of range, with AWS's messages", async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { sqs } = t;
    const messageOf = async (request: Promise<unknown>) => {
      const { code, message } = await failureOf(request);
      expect(code).toBe('InvalidParameterValue');
      return message;
    };
    expect(await messageOf(sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 11 }))).toBe(
      'Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.',
    );
    expect(await messageOf(sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 0 }))).toContain('Value 0 for');
    expect(await messageOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 21 }))).toBe(
      'Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.',
    );
    expect(await messageOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: -1 }))).toContain('Value -1 for');
    expect(await messageOf(sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 43201 }))).toBe(
      'Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided.',
    );
    expect(await messageOf(sqs.receiveMessage({ QueueUrl, ReceiveRequestAttemptId: 'a' }))).toContain('queue type');
    expect(await messageOf(sqs.sendMessage({ QueueUrl, MessageBody: 'x', DelaySeconds: 901 }))).toBe(
      'Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.',
    );
    expect(await messageOf(sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageDeduplicationId: 'd' }))).toBe(
      'Value d for parameter MessageDeduplicationId is invalid. Reason: The request include parameter that is not valid for this queue type.',
    );
    expect(await failureOf(sqs.sendMessage({ QueueUrl, MessageBody: '' }))).toEqual({
      code: 'MissingParameter',
      message: 'The request must contain the parameter MessageBody.',
      status: 400,
    });
    expect((await failureOf(sqs.sendMessage({ QueueUrl } as never))).message).toBe(
      'The request must contain the parameter MessageBody.',
    );
    expect((await failureOf(sqs.deleteMessage({ QueueUrl } as never))).message).toBe(
      'The request must contain the parameter ReceiptHandle.',
    );
  });
});

describe('delay', () => {
  test('of a message, or by default of the queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { DelaySeconds: '5' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'queue' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'own', DelaySeconds: 2 });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'none', DelaySeconds: 0 });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['none']);
    await t.advance(2);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['own']);
    await t.advance(2.999);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    await t.advance(0.001);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['queue']);
  });

  test('of a standard queue applies to new messages only', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { DelaySeconds: '5' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { DelaySeconds: '0' } });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });
});

describe('retention', () => {
  test('removes expired messages, including delayed and in-flight ones', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { MessageRetentionPeriod: '60' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'in flight' });
    await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 300 });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'delayed', DelaySeconds: 300 });
    await t.advance(1);
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'a second later' });
    await t.advance(59);
    const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
    await t.advance(1);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });

  test('follows a change of the attribute', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    await t.advance(100);
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { MessageRetentionPeriod: '60' } });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });
});
