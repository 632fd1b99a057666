import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, type SqsTest, startSqs } from './support.ts';

/** A queue with a dead-letter queue that contains a number of messages. */
async function deadLetters(t: SqsTest, count: number, source = 'source') {
  const dlq = await t.queue('dlq');
  const QueueUrl = await t.queue(source, {
    VisibilityTimeout: '0',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: t.arnOf('dlq'), maxReceiveCount: 1 }),
  });
  for (let i = 0; i < count; i++) await t.sqs.sendMessage({ QueueUrl, MessageBody: `${source}-${i}` });
  while ((await receiveBodies(t.sqs, QueueUrl)).length);
  return { dlq, QueueUrl };
}

const visible = async (t: SqsTest, QueueUrl: string) =>
  Number(
    (await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] })).Attributes!
      .ApproximateNumberOfMessages,
  );

const tasksOf = async (t: SqsTest, MaxResults?: number) =>
  (await t.sqs.listMessageMoveTasks({ SourceArn: t.arnOf('dlq'), MaxResults })).Results ?? [];

describe('StartMessageMoveTask', () => {
  test('moves all messages to a given queue, as new messages', async () => {
    await using t = await startSqs();
    const { dlq } = await deadLetters(t, 2);
    const target = await t.queue('target');
    await t.advance(60);
    const startedAt = t.emulator.kernel.clock.now();
    const { TaskHandle } = await t.sqs.startMessageMoveTask({
      SourceArn: t.arnOf('dlq'),
      DestinationArn: t.arnOf('target'),
    });
    expect(JSON.parse(Buffer.from(TaskHandle!, 'base64').toString())).toEqual({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sourceArn: t.arnOf('dlq'),
    });
    await t.advance(1);
    expect(await tasksOf(t)).toEqual([
      {
        Status: 'COMPLETED',
        SourceArn: t.arnOf('dlq'),
        DestinationArn: t.arnOf('target'),
        ApproximateNumberOfMessagesMoved: 2,
        ApproximateNumberOfMessagesToMove: 2,
        StartedTimestamp: startedAt,
      },
    ]);
    const { Messages } = await t.sqs.receiveMessage({
      QueueUrl: target,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
    });
    expect(Messages!.map(({ Body }) => Body)).toEqual(['source-0', 'source-1']);
    expect(Messages![0]!.Attributes).toMatchObject({ ApproximateReceiveCount: '1', SentTimestamp: `${startedAt}` });
    expect(Messages![0]!.Attributes!.DeadLetterQueueSourceArn).toBeUndefined();
    expect(await visible(t, dlq)).toBe(0);
  });

  test('returns each message to its source by default', async () => {
    await using t = await startSqs();
    const one = await deadLetters(t, 2, 'one');
    const two = await deadLetters(t, 2, 'two');
    await t.sqs.startMessageMoveTask({ SourceArn: t.arnOf('dlq') });
    await t.advance(1);
    expect((await tasksOf(t))[0]).toMatchObject({ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 4 });
    expect((await tasksOf(t))[0]!.DestinationArn).toBeUndefined();
    expect(await receiveBodies(t.sqs, one.QueueUrl)).toEqual(['one-0', 'one-1']);
    expect(await receiveBodies(t.sqs, two.QueueUrl)).toEqual(['two-0', 'two-1']);
  });

  test('limits its rate, can be cancelled, and reports its progress', async () => {
    await using t = await startSqs();
    const { dlq } = await deadLetters(t, 10);
    const target = await t.queue('target');
    const start = () =>
      t.sqs.startMessageMoveTask({
        SourceArn: t.arnOf('dlq'),
        DestinationArn: t.arnOf('target'),
        MaxNumberOfMessagesPerSecond: 1,
      });
    const { TaskHandle } = await start();
    expect(await failureOf(start())).toEqual({
      code: 'InvalidParameterValue',
      message:
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      status: 400,
    });
    await t.advance(0);
    expect(await visible(t, target)).toBe(1);
    await t.advance(2.9);
    expect(await visible(t, target)).toBe(3);
    expect(await tasksOf(t)).toMatchObject([
      {
        TaskHandle,
        Status: 'RUNNING',
        MaxNumberOfMessagesPerSecond: 1,
        ApproximateNumberOfMessagesMoved: 3,
        ApproximateNumberOfMessagesToMove: 10,
      },
    ]);
    const cancelled = await t.sqs.cancelMessageMoveTask({ TaskHandle });
    expect(cancelled.ApproximateNumberOfMessagesMoved).toBe(3);
    await t.advance(10);
    expect([await visible(t, target), await visible(t, dlq)]).toEqual([3, 7]);
    expect((await tasksOf(t))[0]).toMatchObject({ Status: 'CANCELLED', ApproximateNumberOfMessagesMoved: 3 });
    expect((await tasksOf(t))[0]!.TaskHandle).toBeUndefined();
    expect((await failureOf(t.sqs.cancelMessageMoveTask({ TaskHandle }))).code).toBe('InvalidParameterValue');
  });

  test('fails for a message without destination', async () => {
    await using t = await startSqs();
    const { dlq } = await deadLetters(t, 3);
    const target = await t.queue('target');
    await t.sqs.startMessageMoveTask({
      SourceArn: t.arnOf('dlq'),
      DestinationArn: t.arnOf('target'),
      MaxNumberOfMessagesPerSecond: 1,
    });
    await t.advance(0);
    await t.sqs.deleteQueue({ QueueUrl: target });
    await t.advance(1);
    expect(await tasksOf(t)).toMatchObject([
      { Status: 'FAILED', FailureReason: 'AWS.SimpleQueueService.NonExistentQueue' },
    ]);
    expect(await visible(t, dlq)).toBe(2);
    await t.sqs.purgeQueue({ QueueUrl: dlq });
    await t.sqs.sendMessage({ QueueUrl: dlq, MessageBody: 'sent here directly' });
    await t.sqs.startMessageMoveTask({ SourceArn: t.arnOf('dlq') });
    await t.advance(1);
    expect(await tasksOf(t, 10)).toMatchObject([
      { Status: 'FAILED', FailureReason: 'CouldNotDetermineMessageSource' },
      { Status: 'FAILED', FailureReason: 'AWS.SimpleQueueService.NonExistentQueue' },
    ]);
    expect(await receiveBodies(t.sqs, dlq)).toEqual(['sent here directly']);
  });

  test('rejects invalid requests', async () => {
    await using t = await startSqs();
    await deadLetters(t, 1);
    const plain = t.arnOf('plain');
    await t.queue('plain');
    await t.fifoQueue('plain.fifo');
    const start = (SourceArn: string, DestinationArn?: string, MaxNumberOfMessagesPerSecond?: number) =>
      failureOf(t.sqs.startMessageMoveTask({ SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond }));
    expect(await start(plain)).toEqual({
      code: 'InvalidParameterValue',
      message: 'Source queue must be configured as a Dead Letter Queue.',
      status: 400,
    });
    const missing = (parameter: string) => ({
      code: 'ResourceNotFoundException',
      message: `The resource that you specified for the ${parameter} parameter doesn't exist.`,
      status: 404,
    });
    expect(await start(t.arnOf('none'))).toEqual(missing('SourceArn'));
    expect(await start('nonsense')).toEqual(missing('SourceArn'));
    expect(await start(t.arnOf('dlq'), t.arnOf('none'))).toEqual(missing('DestinationArn'));
    expect((await start(t.arnOf('dlq'), plain, 501)).message).toContain('Value 501 for parameter');
    expect((await start(t.arnOf('dlq'), t.arnOf('plain.fifo'))).code).toBe('InvalidParameterValue');
    expect((await start(t.arnOf('dlq'), t.arnOf('dlq'))).code).toBe('InvalidParameterValue');
  });
});

describe('CancelMessageMoveTask', () => {
  test('rejects invalid handles', async () => {
    await using t = await startSqs();
    await t.queue('q');
    const handle = (sourceArn: string) =>
      Buffer.from(JSON.stringify({ taskId: '10f57157-fc38-4da9-a113-4de7e12d05dd', sourceArn })).toString('base64');
    const cancel = (TaskHandle: string) => failureOf(t.sqs.cancelMessageMoveTask({ TaskHandle }));
    expect(await cancel('foobared')).toEqual({
      code: 'InvalidParameterValue',
      message: 'Value for parameter TaskHandle is invalid.',
      status: 400,
    });
    expect((await cancel(handle(t.arnOf('none')))).message).toBe(
      "The resource that you specified for the SourceArn parameter doesn't exist.",
    );
    expect(await cancel(handle(t.arnOf('q')))).toEqual({
      code: 'ResourceNotFoundException',
      message: 'Task does not exist.',
      status: 404,
    });
  });
});

describe('ListMessageMoveTasks', () => {
  test('lists the latest first, and stores ten', async () => {
    await using t = await startSqs();
    await deadLetters(t, 0);
    await t.queue('target');
    for (let rate = 1; rate <= 12; rate++) {
      await t.sqs.startMessageMoveTask({
        SourceArn: t.arnOf('dlq'),
        DestinationArn: t.arnOf('target'),
        MaxNumberOfMessagesPerSecond: rate,
      });
      await t.advance(1);
    }
    const rates = (await tasksOf(t, 10)).map((task) => task.MaxNumberOfMessagesPerSecond);
    expect(rates).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(await tasksOf(t)).toHaveLength(1);
    expect((await failureOf(tasksOf(t, 11))).code).toBe('InvalidParameterValue');
  });
});
