import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, type SqsTest, startSqs } from './support.ts';

/** Sends one message and receives it. */
async function received(t: SqsTest, QueueUrl: string, VisibilityTimeout?: number) {
  await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
  const { Messages } = await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout });
  return Messages![0]!;
}

const gone = (handle: string | undefined) =>
  `Value ${handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`;

describe('visibility timeout', () => {
  test('hides a received message until it ends, then shows it at its old position', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { VisibilityTimeout: '3' });
    const first = await received(t, QueueUrl);
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'y' });
    await t.advance(2.999);
    await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 });
    await t.advance(0.001);
    const { Messages } = await t.sqs.receiveMessage({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    });
    expect(Messages!.map(({ Body, Attributes }) => [Body, Attributes!.ApproximateReceiveCount])).toEqual([
      ['x', '2'],
      ['y', '2'],
    ]);
    expect(Messages![0]!.MessageId).toBe(first.MessageId);
    expect(Messages![0]!.ReceiptHandle).not.toBe(first.ReceiptHandle);
  });

  test('of zero leaves the message in place', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    await received(t, QueueUrl, 0);
    expect(await receiveBodies(t.sqs, QueueUrl, { VisibilityTimeout: 1 })).toEqual(['x']);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });
});

describe('ChangeMessageVisibility', () => {
  test('is extended, shortened and ended for this receive only', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { VisibilityTimeout: '2' });
    const { ReceiptHandle } = await received(t, QueueUrl);
    for (let second = 0; second < 4; second++) {
      await t.advance(1);
      await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 2 });
      expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    }
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
    await t.advance(1);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    await t.advance(1);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
  });

  test('can be changed in a standard queue with the handle of an earlier receive', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { ReceiptHandle } = await received(t, QueueUrl, 0);
    await t.sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 30 });
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
  });

  test('has no effect on a visible message of a standard queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { ReceiptHandle } = await received(t, QueueUrl, 1);
    await t.advance(1);
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 30 });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
  });

  test('rejects a deleted message, and more than twelve hours in total', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { ReceiptHandle } = await received(t, QueueUrl);
    const change = (VisibilityTimeout: number) =>
      failureOf(t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
    await t.advance(1);
    expect((await change(43_200)).message).toBe(
      'Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]',
    );
    expect((await change(43_201)).message).toContain('Must be >= 0 and <= 43200');
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 43_199 });
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    expect(await change(1)).toEqual({ code: 'InvalidParameterValue', message: gone(ReceiptHandle), status: 400 });
  });
});

describe('DeleteMessage', () => {
  test('deletes permanently, and is idempotent', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { ReceiptHandle } = await received(t, QueueUrl, 1);
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    await t.advance(60);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });

  test('accepts the handle of a visible standard message', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const { ReceiptHandle } = await received(t, QueueUrl, 1);
    await t.advance(2);
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });

  test('rejects invalid handles, and handles of other queues', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const other = await t.queue('other');
    const { ReceiptHandle } = await received(t, other);
    const refusals = [
      ...['garbage', 'AQEBgarbage', `${ReceiptHandle}x`].map((handle) => ({
        handle,
        message: `The input receipt handle "${handle}" is not a valid receipt handle.`,
      })),
      { handle: ReceiptHandle!, message: `The receipt handle "${ReceiptHandle}" is not valid for this queue.` },
    ];
    for (const { handle, message } of refusals)
      for (const request of [
        t.sqs.deleteMessage({ QueueUrl, ReceiptHandle: handle }),
        t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle: handle, VisibilityTimeout: 1 }),
      ])
        expect(await failureOf(request)).toEqual({
          code: 'ReceiptHandleIsInvalid',
          message,
          status: 404,
        });
    await t.advance(30);
    expect(await receiveBodies(t.sqs, other)).toEqual(['x']);
  });
});

describe('a FIFO queue', () => {
  test('accepts only the latest receipt handle until it expires', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.fifoQueue('q.fifo', { VisibilityTimeout: '1' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId: 'g' });
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl });
    const { ReceiptHandle } = Messages![0]!;
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 5 });
    await t.advance(5);
    const expired = {
      code: 'InvalidParameterValue',
      message: `Value ${ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
      status: 400,
    };
    const use = () => [
      t.sqs.deleteMessage({ QueueUrl, ReceiptHandle }),
      t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 5 }),
    ];
    for (const request of use()) expect(await failureOf(request)).toEqual(expired);
    const again = await t.sqs.receiveMessage({ QueueUrl });
    for (const request of use()) expect(await failureOf(request)).toEqual(expired);
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle: again.Messages![0]!.ReceiptHandle });
    await t.advance(5);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
  });
});
