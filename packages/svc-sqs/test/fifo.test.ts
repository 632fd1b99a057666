import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, type SqsTest, startSqs } from './support.ts';

/** Sends messages like `g1-m1`, with the part before the hyphen as group. */
async function sendAll(t: SqsTest, QueueUrl: string, ...bodies: string[]): Promise<void> {
  for (const MessageBody of bodies)
    await t.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: MessageBody.split('-')[0] });
}

async function receive(t: SqsTest, QueueUrl: string, MaxNumberOfMessages: number, VisibilityTimeout?: number) {
  const { Messages = [] } = await t.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages, VisibilityTimeout });
  return {
    bodies: Messages.map(({ Body }) => Body).join(),
    handles: Messages.map((message) => message.ReceiptHandle!),
  };
}

describe('message groups', () => {
  test('are received in order, as many of a group as possible', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    await sendAll(t, QueueUrl, 'g1-m1', 'g2-m1', 'g1-m2', 'g1-m3');
    expect((await receive(t, QueueUrl, 10)).bodies).toBe('g1-m1,g1-m2,g1-m3,g2-m1');
  });

  test('are locked while one of their messages is in flight', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { VisibilityTimeout: '1' });
    await sendAll(t, QueueUrl, 'g1-m1', 'g1-m2', 'g1-m3', 'g1-m4', 'g2-m1', 'g3-m1');
    expect((await receive(t, QueueUrl, 2)).bodies).toBe('g1-m1,g1-m2');
    expect((await receive(t, QueueUrl, 1)).bodies).toBe('g2-m1');
    await t.advance(1);
    expect((await receive(t, QueueUrl, 10, 0)).bodies).toBe('g3-m1,g1-m1,g1-m2,g1-m3,g1-m4,g2-m1');
  });

  test('take turns when messages become visible at once', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    await sendAll(t, QueueUrl, 'g1-m1', 'g2-m1', 'g2-m2', 'g3-m1', 'g1-m2');
    expect((await receive(t, QueueUrl, 3, 0)).bodies).toBe('g1-m1,g1-m2,g2-m1');
    expect((await receive(t, QueueUrl, 10, 0)).bodies).toBe('g3-m1,g1-m1,g1-m2,g2-m1,g2-m2');
  });

  test('continue only when all in-flight messages are deleted', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    await sendAll(t, QueueUrl, 'g1-m1', 'g2-m1', 'g1-m2', 'g2-m2', 'g1-m3', 'g1-m4', 'g3-m1');
    const { bodies, handles } = await receive(t, QueueUrl, 2);
    expect(bodies).toBe('g1-m1,g1-m2');
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle: handles[0] });
    expect((await receive(t, QueueUrl, 10)).bodies).toBe('g2-m1,g2-m2,g3-m1');
    expect((await receive(t, QueueUrl, 10)).bodies).toBe('');
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle: handles[1] });
    expect((await receive(t, QueueUrl, 10)).bodies).toBe('g1-m3,g1-m4');
  });

  test.each([
    [[], ''],
    [[0], 'g1-m1'],
    [[0, 1], 'g1-m1,g1-m2'],
    [[1], ''],
    [[1, 0], 'g1-m1,g1-m2'],
  ])('make messages visible (%j) up to the first in flight', async (shown, expected) => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    await sendAll(t, QueueUrl, 'g1-m1', 'g1-m2', 'g1-m3', 'g1-m4');
    const { handles } = await receive(t, QueueUrl, 3);
    for (const index of shown)
      await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle: handles[index], VisibilityTimeout: 0 });
    expect((await receive(t, QueueUrl, 10)).bodies).toBe(expected);
  });
});

describe('deduplication', () => {
  const send = (t: SqsTest, QueueUrl: string, MessageBody: string, group: string, id?: string) =>
    t.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: group, MessageDeduplicationId: id });

  test('by id returns the first message for five minutes, even after its deletion', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q.fifo', { FifoQueue: 'true' });
    const first = await send(t, QueueUrl, 'one', 'g', 'id');
    const second = await send(t, QueueUrl, 'two', 'g', 'id');
    expect([second.MessageId, second.SequenceNumber]).toEqual([first.MessageId, first.SequenceNumber]);
    expect(second.MD5OfMessageBody).not.toBe(first.MD5OfMessageBody);
    const { bodies, handles } = await receive(t, QueueUrl, 10);
    expect(bodies).toBe('one');
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle: handles[0] });
    await t.advance(299);
    expect((await send(t, QueueUrl, 'three', 'other', 'id')).MessageId).toBe(first.MessageId);
    await t.advance(1);
    const later = await send(t, QueueUrl, 'four', 'g', 'id');
    expect(later.MessageId).not.toBe(first.MessageId);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['four']);
  });

  test('by content uses the SHA-256 of the body, unless an id is given', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { VisibilityTimeout: '0' });
    await send(t, QueueUrl, 'same', 'g');
    await send(t, QueueUrl, 'same', 'other');
    await send(t, QueueUrl, 'same', 'g', 'explicit');
    const { Messages } = await t.sqs.receiveMessage({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['MessageDeduplicationId'],
    });
    expect(Messages!.map(({ Attributes }) => Attributes!.MessageDeduplicationId)).toEqual([
      '0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5',
      'explicit',
    ]);
  });

  test('in the message group scope separates groups; the scope at creation applies', async () => {
    await using t = await startSqs();
    const scope = { FifoQueue: 'true', DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' };
    const grouped = await t.queue('grouped.fifo', scope);
    const whole = await t.queue('whole.fifo', { FifoQueue: 'true' });
    for (const QueueUrl of [grouped, whole]) {
      await send(t, QueueUrl, 'a', 'g1', 'id');
      await send(t, QueueUrl, 'b', 'g2', 'id');
    }
    expect(await receiveBodies(t.sqs, grouped)).toEqual(['a', 'b']);
    expect(await receiveBodies(t.sqs, whole)).toEqual(['a']);
    const { FifoQueue: _type, ...changed } = scope;
    await t.sqs.setQueueAttributes({ QueueUrl: whole, Attributes: changed });
    await send(t, whole, 'c', 'g3', 'id');
    expect(await receiveBodies(t.sqs, whole)).toEqual([]);
  });

  test('is reset by a purge', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo');
    await send(t, QueueUrl, 'a', 'g', 'id');
    await t.sqs.purgeQueue({ QueueUrl });
    await send(t, QueueUrl, 'b', 'g', 'id');
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['b']);
  });
});

describe('FIFO messages', () => {
  test('have increasing 20-digit sequence numbers, and their ids as attributes', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { VisibilityTimeout: '0' });
    const numbers: string[] = [];
    for (const MessageBody of ['1', '2', '3']) {
      const sent = await t.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: 'g' });
      numbers.push(sent.SequenceNumber!);
    }
    for (const number of numbers) expect(number).toMatch(/^\d{20}$/);
    expect([...numbers].sort()).toEqual(numbers);
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['All'] });
    expect(Messages![0]!.Attributes).toMatchObject({ MessageGroupId: 'g', SequenceNumber: numbers[0] });
  });

  test('require a group and a deduplication id, and no delay', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q.fifo', { FifoQueue: 'true' });
    const send = (parameters: object) => failureOf(t.sqs.sendMessage({ QueueUrl, MessageBody: 'x', ...parameters }));
    expect(await send({ MessageDeduplicationId: 'd' })).toEqual({
      code: 'MissingParameter',
      message: 'The request must contain the parameter MessageGroupId.',
      status: 400,
    });
    expect((await send({ MessageGroupId: 'g' })).message).toBe(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
    expect((await send({ MessageGroupId: 'g', MessageDeduplicationId: 'd', DelaySeconds: 2 })).message).toBe(
      'Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.',
    );
    for (const value of ['', 'a'.repeat(129), 'group 1', 'ü']) {
      const reason = (name: string) =>
        `Value ${value} for parameter ${name} is invalid. Reason: ${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`;
      expect((await send({ MessageGroupId: value, MessageDeduplicationId: 'd' })).message).toBe(
        reason('MessageGroupId'),
      );
      expect((await send({ MessageGroupId: 'g', MessageDeduplicationId: value })).message).toBe(
        reason('MessageDeduplicationId'),
      );
    }
  });

  test('are delayed by the queue, even with a zero delay of their own, and follow its changes', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { DelaySeconds: '2' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'a', MessageGroupId: 'g', DelaySeconds: 0 });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    await t.advance(2);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['a']);
    await sendAll(t, QueueUrl, 'h-1', 'h-2');
    await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { DelaySeconds: '0' } });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['h-1', 'h-2']);
  });

  test('in standard queues may have a group too, without order or lock', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (const MessageBody of ['a', 'b']) await t.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: 'tenant' });
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl, MessageSystemAttributeNames: ['All'] });
    expect(Messages![0]!.Attributes!.MessageGroupId).toBe('tenant');
    expect(Messages![0]!.Attributes!.SequenceNumber).toBeUndefined();
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['b']);
    const bad = t.sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId: 'a b' });
    expect((await failureOf(bad)).code).toBe('InvalidParameterValue');
  });
});

describe('ReceiveRequestAttemptId', () => {
  test('returns the same messages and handles again, and hides them again', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { VisibilityTimeout: '10' });
    await sendAll(t, QueueUrl, 'g-1', 'g-2', 'h-1');
    const attempt = () =>
      t.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 2, ReceiveRequestAttemptId: 'attempt' });
    const first = await attempt();
    await t.advance(6);
    expect((await attempt()).Messages).toEqual(first.Messages);
    await t.advance(6);
    expect(await receiveBodies(t.sqs, QueueUrl, { VisibilityTimeout: 0 })).toEqual(['h-1']);
    for (const { ReceiptHandle } of first.Messages!) await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
  });

  test('starts a new receive after a change of a message, or after five minutes', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { VisibilityTimeout: '400' });
    await sendAll(t, QueueUrl, 'g-1', 'h-1');
    const attempt = async (ReceiveRequestAttemptId: string) =>
      (await t.sqs.receiveMessage({ QueueUrl, ReceiveRequestAttemptId })).Messages?.[0];
    const first = await attempt('a');
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle: first!.ReceiptHandle, VisibilityTimeout: 300 });
    expect((await attempt('a'))?.Body).toBe('h-1');
    await t.advance(300);
    expect((await attempt('a'))?.Body).toBe('g-1');
  });
});
