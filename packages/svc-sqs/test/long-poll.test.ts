import { enforceQuota, rejection } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, startSqs } from './support.ts';

/** Lets started requests reach their wait. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('long polling', () => {
  test('is ended by a sent message immediately', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const waiting = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 });
    await settle();
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    expect(await waiting).toEqual(['x']);
  });

  test('does not wait if messages are available, even fewer than requested', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { ReceiveMessageWaitTimeSeconds: '20' });
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
  });

  test('ends without messages after the wait time of the request or queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { ReceiveMessageWaitTimeSeconds: '10' });
    const done: string[] = [];
    const poll = async (name: string, WaitTimeSeconds?: number) => {
      await receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds });
      done.push(name);
    };
    const polls = [poll('queue'), poll('request', 2)];
    await settle();
    await t.advance(2);
    await settle();
    expect(done).toEqual(['request']);
    await t.advance(8);
    await Promise.all(polls);
    expect(done).toEqual(['request', 'queue']);
    expect(await receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 0 })).toEqual([]);
  });

  test('ends empty when the emulator closes, and does not wait afterwards', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const polls = [1, 2].map(() => receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 }));
    await settle();
    t.emulator.kernel.endWaits();
    expect(await Promise.all(polls)).toEqual([[], []]);
    expect(await receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 })).toEqual([]);
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    expect(await receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 })).toEqual(['x']);
  });

  test('serves the longest waiting request first', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const polls: Promise<string[]>[] = [];
    for (let i = 0; i < 5; i++) {
      polls.push(receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20, MaxNumberOfMessages: 1 }));
      await settle();
    }
    const entries = ['a', 'b', 'c', 'd', 'e'].map((body) => ({ Id: body, MessageBody: body }));
    await t.sqs.sendMessageBatch({ QueueUrl, Entries: entries });
    expect(await Promise.all(polls)).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
  });

  test('returns a complete batch sent together', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const waiting = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 });
    await settle();
    await t.sqs.sendMessageBatch({
      QueueUrl,
      Entries: [
        { Id: '1', MessageBody: 'a' },
        { Id: '2', MessageBody: 'b' },
      ],
    });
    expect(await waiting).toEqual(['a', 'b']);
  });

  test('ends when a delay, visibility timeout or lock ends', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'delayed', DelaySeconds: 5 });
    const first = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20, VisibilityTimeout: 3 });
    await settle();
    await t.advance(5);
    expect(await first).toEqual(['delayed']);
    const second = t.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    await settle();
    await t.advance(3);
    const ReceiptHandle = (await second).Messages![0]!.ReceiptHandle;
    const third = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 });
    await settle();
    await t.sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    expect(await third).toEqual(['delayed']);

    const fifo = await t.fifoQueue('q.fifo');
    for (const MessageBody of ['1', '2']) await t.sqs.sendMessage({ QueueUrl: fifo, MessageBody, MessageGroupId: 'g' });
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl: fifo });
    const next = receiveBodies(t.sqs, fifo, { WaitTimeSeconds: 20 });
    await settle();
    await t.sqs.deleteMessage({ QueueUrl: fifo, ReceiptHandle: Messages![0]!.ReceiptHandle });
    expect(await next).toEqual(['2']);
  });

  test('takes no message for a disconnected client', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const abort = new AbortController();
    const gone = t.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }, { abortSignal: abort.signal });
    const waiting = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 });
    await settle();
    abort.abort();
    await expect(gone).rejects.toThrow();
    await t.sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    expect(await waiting).toEqual(['x']);
  });

  test('ends with the queue', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const waiting = failureOf(t.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }), rejection);
    await settle();
    await t.sqs.deleteQueue({ QueueUrl });
    expect((await waiting).code).toBe('AWS.SimpleQueueService.NonExistentQueue');
  });

  test('ends without messages at a reset', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const waiting = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 });
    await settle();
    await t.emulator.kernel.reset('sqs');
    expect(await waiting).toEqual([]);
    expect((await failureOf(t.sqs.receiveMessage({ QueueUrl }))).code).toContain('NonExistentQueue');
  });
});

test('limits a queue to 120,000 in-flight messages with the quota enforced', async () => {
  await using t = await startSqs();
  await enforceQuota(t.emulator, 'sqs/L-C491D5A4');
  const { kernel } = t.emulator;
  for (const QueueUrl of [await t.queue('q'), await t.fifoQueue('q.fifo')]) {
    const fifo = QueueUrl.endsWith('.fifo');
    const send = (batch: number) => {
      const group = fifo && { MessageGroupId: `${batch}` };
      const Entries = Array.from({ length: 10 }, (_, id) => ({
        Id: `${id}`,
        MessageBody: 'x',
        ...group,
        ...(fifo && { MessageDeduplicationId: `${batch}-${id}` }),
      }));
      return kernel.call('sqs', 'SendMessageBatch', { QueueUrl, Entries });
    };
    let ReceiptHandle: string | undefined;
    for (let batch = 0; batch < 12_000; batch++) {
      await send(batch);
      const request = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 43_200 };
      const { Messages } = await kernel.call('sqs', 'ReceiveMessage', request);
      ReceiptHandle ??= Messages![0]!.ReceiptHandle;
    }
    await send(12_000);
    if (fifo) expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    else expect((await failureOf(t.sqs.receiveMessage({ QueueUrl }))).code).toBe('OverLimit');
    const waiting = receiveBodies(t.sqs, QueueUrl, { WaitTimeSeconds: 20 });
    await settle();
    await t.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    expect(await waiting).toEqual(['x']);
  }
});
