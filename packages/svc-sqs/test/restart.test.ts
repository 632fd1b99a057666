import { type Change, createBodyStores, createLogger, defaultSettings, Kernel, type Persistence } from '@emu/core';
import type { OperationInput, OperationName } from '@emu/core/service';
import { expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';

/** An in-memory journal that a second kernel can read: the contents of a data directory. */
class MemoryJournal implements Persistence {
  readonly dirty = false;
  readonly lines: string[] = [];

  services(): string[] {
    return this.lines.length ? ['sqs'] : [];
  }

  async open(service: string, load: (change: Change) => void) {
    if (service === 'sqs') for (const line of this.lines) load(JSON.parse(line) as Change);
    return {
      append: (change: Change) => {
        if (service === 'sqs') this.lines.push(JSON.stringify(change));
        return true;
      },
      batch: () => {
        throw new Error('nothing is replaced');
      },
      rewrite: async () => {},
      dirty: false,
      congested: false,
      committed: async () => {},
      afterCommit: (action: () => void) => action(),
    };
  }

  afterCommit(_service: string, action: () => void): void {
    action();
  }

  async committed(): Promise<void> {}
  async close(): Promise<void> {}
}

/** SQS on a journal; `restart` ends it without closing and starts another on the same journal after some time. */
async function startDurable() {
  const journal = new MemoryJournal();
  let now = Date.now();
  const log = createLogger({ level: 'error', format: 'text' });
  const bodies = createBodyStores({ log });
  const boot = async () => {
    const kernel = new Kernel({
      manifests: [manifest],
      settings: defaultSettings({}),
      log,
      persistence: journal,
      bodies: (service) => bodies.open(service),
    });
    kernel.clock.freeze();
    await kernel.clock.set(now);
    await kernel.start();
    await kernel.resume();
    return kernel;
  };
  let kernel = await boot();
  const call = <Operation extends OperationName<'sqs'>>(
    operation: Operation,
    input: OperationInput<'sqs', Operation>,
  ) => kernel.call('sqs', operation, input);
  return {
    journal,
    call,
    queue: async (QueueName: string, Attributes: Record<string, string> = {}) => {
      await call('CreateQueue', { QueueName, Attributes });
      return QueueName;
    },
    bodies: async (QueueUrl: string, options: object = {}) =>
      ((await call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, ...options })).Messages ?? []).map(
        ({ Body }) => Body,
      ),
    advance: (seconds: number) => kernel.clock.advance(seconds * 1000),
    restart: async (secondsLater = 0) => {
      now = kernel.clock.now() + secondsLater * 1000;
      kernel = await boot();
    },
    arnOf: (name: string) => `arn:aws:sqs:us-east-1:${kernel.settings.accountId}:${name}`,
  };
}

test('restores ready, delayed and in-flight messages in order', async () => {
  const t = await startDurable();
  const QueueUrl = await t.queue('q', { VisibilityTimeout: '30' });
  for (const MessageBody of ['a', 'b', 'c', 'd']) await t.call('SendMessage', { QueueUrl, MessageBody });
  await t.call('SendMessage', { QueueUrl, MessageBody: 'delayed', DelaySeconds: 60 });
  const { Messages } = await t.call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 2 });
  await t.call('ReceiveMessage', { QueueUrl, VisibilityTimeout: 0 });
  await t.restart(10);
  const { Attributes } = await t.call('GetQueueAttributes', {
    QueueUrl,
    AttributeNames: ['All'],
  });
  expect(Attributes).toMatchObject({
    VisibilityTimeout: '30',
    ApproximateNumberOfMessages: '2',
    ApproximateNumberOfMessagesNotVisible: '2',
    ApproximateNumberOfMessagesDelayed: '1',
  });
  await t.call('DeleteMessage', { QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle! });
  expect(await t.bodies(QueueUrl, { VisibilityTimeout: 0 })).toEqual(['c', 'd']);
  await t.advance(20);
  expect(await t.bodies(QueueUrl, { VisibilityTimeout: 0 })).toEqual(['b', 'c', 'd']);
  await t.restart(30);
  const again = await t.call('ReceiveMessage', {
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['ApproximateReceiveCount'],
  });
  expect(again.Messages!.map(({ Body, Attributes: system }) => [Body, system!.ApproximateReceiveCount])).toEqual([
    ['b', '3'],
    ['c', '4'],
    ['d', '3'],
    ['delayed', '1'],
  ]);
});

test('timers continue: visibility, delay and retention end during and after the restart', async () => {
  const t = await startDurable();
  const QueueUrl = await t.queue('q', { MessageRetentionPeriod: '60', VisibilityTimeout: '10' });
  await t.call('SendMessage', { QueueUrl, MessageBody: 'x' });
  await t.call('ReceiveMessage', { QueueUrl });
  await t.restart(10);
  expect(await t.bodies(QueueUrl)).toEqual(['x']);
  await t.restart();
  await t.advance(10);
  expect(await t.bodies(QueueUrl)).toEqual(['x']);
  await t.restart();
  await t.advance(40);
  expect(await t.bodies(QueueUrl)).toEqual([]);
  expect(t.journal.lines.at(-1)).toContain('"delete"');
});

test('FIFO groups stay locked, ids stay used, sequence numbers continue', async () => {
  const t = await startDurable();
  const QueueUrl = await t.queue('q.fifo', { FifoQueue: 'true', VisibilityTimeout: '30' });
  const send = (body: string) =>
    t.call('SendMessage', {
      QueueUrl,
      MessageBody: body,
      MessageGroupId: body.split('-')[0],
      MessageDeduplicationId: body,
    });
  const first = await send('g-1');
  await send('g-2');
  const other = await send('h-1');
  expect(await t.bodies(QueueUrl, { MaxNumberOfMessages: 1 })).toEqual(['g-1']);
  await t.restart(10);
  expect(await t.bodies(QueueUrl, { VisibilityTimeout: 0 })).toEqual(['h-1']);
  expect((await send('g-1')).MessageId).toBe(first.MessageId);
  const later = await send('h-2');
  expect(BigInt(later.SequenceNumber!)).toBeGreaterThan(BigInt(other.SequenceNumber!));
  await t.advance(20);
  expect(await t.bodies(QueueUrl)).toEqual(['h-1', 'h-2', 'g-1', 'g-2']);
  await t.restart(300);
  expect((await send('g-1')).MessageId).not.toBe(first.MessageId);
});

test('dead-lettered messages stay in their queue, with their source', async () => {
  const t = await startDurable();
  const dlq = await t.queue('dlq');
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: t.arnOf('dlq'), maxReceiveCount: 1 });
  const QueueUrl = await t.queue('q', { RedrivePolicy, VisibilityTimeout: '0' });
  await t.call('SendMessage', { QueueUrl, MessageBody: 'x' });
  expect(await t.bodies(QueueUrl)).toEqual(['x']);
  await t.restart();
  expect(await t.bodies(QueueUrl)).toEqual([]);
  await t.restart();
  const { Messages } = await t.call('ReceiveMessage', { QueueUrl: dlq, MessageSystemAttributeNames: ['All'] });
  expect(Messages![0]!.Attributes).toMatchObject({
    ApproximateReceiveCount: '2',
    DeadLetterQueueSourceArn: t.arnOf('q'),
  });
});

test('a running move task continues', async () => {
  const t = await startDurable();
  const SourceArn = t.arnOf('dlq');
  const dlq = await t.queue('dlq');
  await t.queue('q', { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: SourceArn, maxReceiveCount: 1 }) });
  const target = await t.queue('target');
  for (let i = 0; i < 4; i++) await t.call('SendMessage', { QueueUrl: dlq, MessageBody: `${i}` });
  const DestinationArn = t.arnOf('target');
  await t.call('StartMessageMoveTask', { SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond: 1 });
  await t.advance(1);
  expect(await t.bodies(target)).toEqual(['0', '1']);
  await t.restart();
  await t.advance(2);
  expect(await t.bodies(target)).toEqual(['2', '3']);
  const { Results } = await t.call('ListMessageMoveTasks', { SourceArn });
  expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 4 }]);
});

test('the waits after a purge and a deletion continue', async () => {
  const t = await startDurable();
  const QueueUrl = await t.queue('q');
  await t.queue('gone');
  await t.call('PurgeQueue', { QueueUrl });
  await t.call('DeleteQueue', { QueueUrl: 'gone' });
  await t.restart(59);
  await expect(t.call('PurgeQueue', { QueueUrl })).rejects.toMatchObject({ code: 'PurgeQueueInProgress' });
  await expect(t.queue('gone')).rejects.toMatchObject({ code: 'QueueDeletedRecently' });
  await t.restart(1);
  await t.call('PurgeQueue', { QueueUrl });
  await t.queue('gone');
});

test('a receive writes a small record instead of the message', async () => {
  const t = await startDurable();
  const QueueUrl = await t.queue('q');
  await t.call('SendMessage', { QueueUrl, MessageBody: 'x'.repeat(100_000) });
  const before = t.journal.lines.length;
  await t.call('ReceiveMessage', { QueueUrl });
  const written = t.journal.lines.slice(before);
  expect(written).toHaveLength(1);
  expect(written[0]!.length).toBeLessThan(400);
});
