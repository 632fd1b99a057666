import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { failureOf, receiveBodies, startSqs } from './support.ts';

const ID_RULE =
  'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.';

describe('all batch operations', () => {
  test('reject batches that are empty, too long, or have invalid ids', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const operations = {
      SendMessageBatchRequestEntry: (ids: string[]) =>
        t.sqs.sendMessageBatch({ QueueUrl, Entries: ids.map((Id) => ({ Id, MessageBody: 'x' })) }),
      DeleteMessageBatchRequestEntry: (ids: string[]) =>
        t.sqs.deleteMessageBatch({ QueueUrl, Entries: ids.map((Id) => ({ Id, ReceiptHandle: 'x' })) }),
      ChangeMessageVisibilityBatchRequestEntry: (ids: string[]) =>
        t.sqs.changeMessageVisibilityBatch({
          QueueUrl,
          Entries: ids.map((Id) => ({ Id, ReceiptHandle: 'x', VisibilityTimeout: 1 })),
        }),
    };
    for (const [type, run] of Object.entries(operations)) {
      const failure = async (...ids: string[]) => {
        const { code, message } = await failureOf(run(ids));
        return [code, message];
      };
      const prefix = 'AWS.SimpleQueueService.';
      expect(await failure()).toEqual([
        `${prefix}EmptyBatchRequest`,
        `There should be at least one ${type} in the request.`,
      ]);
      expect(await failure(...Array.from({ length: 20 }, (_, id) => `${id}`))).toEqual([
        `${prefix}TooManyEntriesInBatchRequest`,
        'Maximum number of entries per request are 10. You have sent 20.',
      ]);
      for (const id of ['', 'invalid:id', 'é', ' ', 'x'.repeat(81)])
        expect(await failure('fine', id)).toEqual([`${prefix}InvalidBatchEntryId`, ID_RULE]);
      expect(await failure('a', 'b', 'a')).toEqual([`${prefix}BatchEntryIdsNotDistinct`, 'Id a repeated.']);
      expect(await failure('a', undefined as never)).toEqual([
        'MissingParameter',
        `The request must contain the parameter ${type}.2.Id.`,
      ]);
    }
  });
});

describe('SendMessageBatch', () => {
  test('sends valid entries and reports the others', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q', { MaximumMessageSize: '1024' });
    const { Successful, Failed } = await t.sqs.sendMessageBatch({
      QueueUrl,
      Entries: [
        { Id: 'good', MessageBody: 'x' },
        { Id: 'character', MessageBody: '\u0001' },
        { Id: 'long', MessageBody: 'x'.repeat(1025) },
        { Id: 'empty', MessageBody: '' },
        { Id: 'delay', MessageBody: 'x', DelaySeconds: 1800 },
        { Id: 'attribute', MessageBody: 'x', MessageAttributes: { a: { DataType: 'Number', StringValue: 'b' } } },
        { Id: 'deduplication', MessageBody: 'x', MessageDeduplicationId: 'd' },
      ],
    });
    expect(Successful).toEqual([
      { Id: 'good', MessageId: expect.any(String), MD5OfMessageBody: '9dd4e461268c8034f5c8564e155c67a6' },
    ]);
    expect(Failed!.map(({ Id, Code, SenderFault }) => [Id, Code, SenderFault])).toEqual([
      ['character', 'InvalidMessageContents', true],
      ['long', 'InvalidParameterValue', true],
      ['empty', 'MissingParameter', true],
      ['delay', 'InvalidParameterValue', true],
      ['attribute', 'InvalidParameterValue', true],
      ['deduplication', 'InvalidParameterValue', true],
    ]);
    const messageOf = (id: string) => Failed!.find(({ Id }) => Id === id)!.Message;
    expect(messageOf('long')).toBe(
      'One or more parameters cannot be validated. Reason: Message must be shorter than 1024 bytes.',
    );
    expect(messageOf('empty')).toBe(
      'The request must contain the parameter SendMessageBatchRequestEntry.4.MessageBody.',
    );
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['x']);
  });

  test('omits empty result lists', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const good = await t.sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'x' }] });
    expect(good.Failed).toBeUndefined();
    const bad = await t.sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: '1', MessageBody: '' }] });
    expect(bad.Successful).toBeUndefined();
  });

  test('accepts 1 MiB in total', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const MessageAttributes = { k: { DataType: 'String', StringValue: 'x' } };
    const send = (length: number) =>
      t.sqs.sendMessageBatch({
        QueueUrl,
        Entries: [
          { Id: '1', MessageBody: 'a'.repeat(length), MessageAttributes },
          { Id: '2', MessageBody: 'a' },
        ],
      });
    const most = 1_048_576 - 'kStringx'.length - 1;
    expect((await send(most)).Successful).toHaveLength(2);
    expect(await failureOf(send(most + 1))).toEqual({
      code: 'AWS.SimpleQueueService.BatchRequestTooLong',
      message: 'Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.',
      status: 400,
    });
  });

  test('fails as a whole if a FIFO queue rejects an entry', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q.fifo', { FifoQueue: 'true' });
    const good = { Id: 'good', MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'd' };
    const cases: [Partial<SendMessageBatchRequestEntry>, string][] = [
      [{ MessageGroupId: undefined }, 'The request must contain the parameter MessageGroupId.'],
      [
        { MessageDeduplicationId: undefined },
        'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
      ],
      [
        { DelaySeconds: 3 },
        'Value 3 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.',
      ],
    ];
    for (const [change, message] of cases)
      expect(
        await failureOf(t.sqs.sendMessageBatch({ QueueUrl, Entries: [good, { ...good, Id: 'bad', ...change }] })),
      ).toEqual({ code: 'InvalidParameterValue', message, status: 400 });
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual([]);
    const { Successful } = await t.sqs.sendMessageBatch({ QueueUrl, Entries: [good, { ...good, Id: 'again' }] });
    expect(new Set(Successful!.map(({ SequenceNumber }) => SequenceNumber)).size).toBe(1);
  });
});

describe('DeleteMessageBatch and ChangeMessageVisibilityBatch', () => {
  test('handle entries independently', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    for (const MessageBody of ['a', 'b']) await t.sqs.sendMessage({ QueueUrl, MessageBody });
    const { Messages } = await t.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    const [first, second] = Messages!.map(({ ReceiptHandle }) => ReceiptHandle);
    const invalid = {
      Id: 'bad',
      Code: 'ReceiptHandleIsInvalid',
      Message: 'The input receipt handle "garbage" is not a valid receipt handle.',
      SenderFault: true,
    };
    const changed = await t.sqs.changeMessageVisibilityBatch({
      QueueUrl,
      Entries: [
        { Id: 'good', ReceiptHandle: first, VisibilityTimeout: 0 },
        { Id: 'bad', ReceiptHandle: 'garbage', VisibilityTimeout: 0 },
        { Id: 'long', ReceiptHandle: second, VisibilityTimeout: 43_201 },
        { Id: 'without', ReceiptHandle: second, VisibilityTimeout: undefined },
      ],
    });
    expect(changed.Successful).toEqual([{ Id: 'good' }]);
    expect(changed.Failed!.map(({ Id, Code }) => [Id, Code])).toEqual([
      ['bad', 'ReceiptHandleIsInvalid'],
      ['long', 'InvalidParameterValue'],
      ['without', 'MissingParameter'],
    ]);
    expect(changed.Failed![0]).toEqual(invalid);
    expect(await receiveBodies(t.sqs, QueueUrl, { VisibilityTimeout: 0 })).toEqual(['a']);
    const deleted = await t.sqs.deleteMessageBatch({
      QueueUrl,
      Entries: [
        { Id: 'bad', ReceiptHandle: 'garbage' },
        { Id: 'good', ReceiptHandle: second },
      ],
    });
    expect(deleted.Successful).toEqual([{ Id: 'good' }]);
    expect(deleted.Failed).toEqual([invalid]);
    await t.advance(60);
    expect(await receiveBodies(t.sqs, QueueUrl)).toEqual(['a']);
  });
});
