import type { SQS } from '@aws-sdk/client-sqs';
import { rejection } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { recordedTests } from '../../../tools/testing/shared.ts';
import { failureOf, type SqsTest, startSqs } from './support.ts';

interface RecordedFailure {
  Error: { Code: string; Message: string };
  ResponseMetadata: { HTTPStatusCode: number };
}

const recordings = recordedTests(['sqs/sqs.snapshot.json', 'sqs/sqs_move_task.snapshot.json']);
const available = recordings.size > 0;

type Scenario = (t: SqsTest, sqs: SQS) => Promise<unknown>;

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const fifo = (t: SqsTest) => t.queue('q.fifo', { FifoQueue: 'true' });
const groupId = (MessageGroupId: string): Scenario => {
  return async (t, sqs) => sqs.sendMessage({ QueueUrl: await t.queue('q'), MessageBody: 'x', MessageGroupId });
};
const deduplicationId = (MessageDeduplicationId: string): Scenario => {
  return async (t, sqs) =>
    sqs.sendMessage({ QueueUrl: await fifo(t), MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId });
};
const set = async (t: SqsTest, QueueUrl: string, Attributes: Record<string, string>) =>
  t.sqs.setQueueAttributes({ QueueUrl, Attributes });
const oversized = async (t: SqsTest, size: number, attributes: Record<string, string>) =>
  t.sqs.sendMessage({
    QueueUrl: await t.queue('q', attributes),
    MessageBody: 'a'.repeat(size - 'kStringx'.length + 1),
    MessageAttributes: { k: { DataType: 'String', StringValue: 'x' } },
  });
const deleteBatch = (...ids: string[]): Scenario => {
  return async (t, sqs) =>
    sqs.deleteMessageBatch({
      QueueUrl: await t.queue('q'),
      Entries: ids.map((Id) => ({ Id, ReceiptHandle: 'x' })),
    });
};

/** Recorded test, recorded response, and its context. */
const FAILURES: [string, string, Scenario][] = [
  [
    'test_send_receive_max_number_of_messages[sqs]',
    'send_max_number_of_messages',
    async (t, sqs) => sqs.receiveMessage({ QueueUrl: await t.queue('q'), MaxNumberOfMessages: 11 }),
  ],
  ['test_send_oversized_message[sqs]', 'send_oversized_message', (t) => oversized(t, 1_048_576, {})],
  [
    'test_send_message_with_updated_maximum_message_size[sqs]',
    'send_oversized_message',
    (t) => oversized(t, 1024, { MaximumMessageSize: '1024' }),
  ],
  [
    'test_send_message_batch_with_oversized_contents[sqs]',
    'send_oversized_message_batch',
    async (t, sqs) =>
      sqs.sendMessageBatch({
        QueueUrl: await t.queue('q'),
        Entries: [
          { Id: '1', MessageBody: 'a'.repeat(1_048_576) },
          { Id: '2', MessageBody: 'a' },
        ],
      }),
  ],
  [
    'test_create_fifo_queue_with_different_attributes_raises_error[sqs]',
    'queue-already-exists',
    async (t) => {
      await t.fifoQueue('q.fifo');
      return t.fifoQueue('q.fifo', { ContentBasedDeduplication: 'false' });
    },
  ],
  [
    'test_fifo_queue_send_message_with_delay_seconds_fails[sqs]',
    'send_message',
    async (t, sqs) =>
      sqs.sendMessage({
        QueueUrl: await t.fifoQueue('q.fifo'),
        MessageBody: 'x',
        MessageGroupId: '1',
        DelaySeconds: 2,
      }),
  ],
  [
    'test_too_many_entries_in_batch_request[sqs]',
    'test_too_many_entries_in_batch_request',
    async (t, sqs) =>
      sqs.sendMessageBatch({
        QueueUrl: await t.queue('q'),
        Entries: times(20, (i) => ({ Id: `${i}`, MessageBody: 'x' })),
      }),
  ],
  [
    'test_invalid_batch_id[sqs]',
    'test_invalid_batch_id',
    async (t, sqs) =>
      sqs.sendMessageBatch({ QueueUrl: await t.queue('q'), Entries: [{ Id: 'a:b', MessageBody: 'x' }] }),
  ],
  [
    'test_send_batch_missing_deduplication_id_for_fifo_queue[sqs]',
    'test_missing_deduplication_id_for_fifo_queue',
    async (t, sqs) =>
      sqs.sendMessageBatch({ QueueUrl: await fifo(t), Entries: [{ Id: '1', MessageBody: 'x', MessageGroupId: 'g' }] }),
  ],
  [
    'test_send_batch_missing_message_group_id_for_fifo_queue[sqs]',
    'test_missing_message_group_id_for_fifo_queue',
    async (t, sqs) =>
      sqs.sendMessageBatch({
        QueueUrl: await fifo(t),
        Entries: [{ Id: '1', MessageBody: 'x', MessageDeduplicationId: 'd' }],
      }),
  ],
  ['test_delete_message_batch_invalid_msg_id[sqs-]', 'error_response', deleteBatch('')],
  ['test_delete_message_batch_invalid_msg_id[sqs-invalid:id]', 'error_response', deleteBatch('invalid:id')],
  ['test_delete_message_batch_with_too_large_batch[sqs]', 'error_response', deleteBatch(...times(20, (i) => `${i}`))],
  [
    'test_change_message_visibility_batch_with_too_large_batch[sqs]',
    'error_response',
    async (t, sqs) =>
      sqs.changeMessageVisibilityBatch({
        QueueUrl: await t.queue('q'),
        Entries: times(20, (i) => ({ Id: `${i}`, ReceiptHandle: 'x', VisibilityTimeout: 123 })),
      }),
  ],
  [
    'test_send_message_with_empty_string_attribute[sqs]',
    'empty-string-attr',
    async (t, sqs) =>
      sqs.sendMessage({
        QueueUrl: await t.queue('q'),
        MessageBody: 'x',
        MessageAttributes: { ErrorDetails: { DataType: 'String', StringValue: '' } },
      }),
  ],
  [
    'test_set_unsupported_attribute_fifo[sqs]',
    'invalid-attr-name-1',
    async (t) => set(t, await t.queue('q'), { FifoQueue: 'true' }),
  ],
  [
    'test_set_unsupported_attribute_fifo[sqs]',
    'invalid-attr-name-2',
    async (t) => set(t, await fifo(t), { FifoQueue: 'false' }),
  ],
  [
    'test_set_unsupported_attribute_standard[sqs]',
    'invalid-attr-name-2',
    async (t) => set(t, await t.queue('q'), { FifoQueue: 'false' }),
  ],
  [
    'test_create_standard_queue_with_fifo_attribute_raises_error[sqs]',
    'invalid-attribute-fifo-queue',
    (t) => t.queue('q', { FifoQueue: 'false' }),
  ],
  [
    'test_create_standard_queue_with_fifo_attribute_raises_error[sqs]',
    'invalid-attribute-content-based-deduplication',
    (t) => t.queue('q', { ContentBasedDeduplication: 'false' }),
  ],
  [
    'test_create_standard_queue_with_fifo_attribute_raises_error[sqs]',
    'invalid-attribute-deduplication-scope',
    (t) => t.queue('q', { DeduplicationScope: 'queue' }),
  ],
  [
    'test_create_standard_queue_with_fifo_attribute_raises_error[sqs]',
    'invalid-attribute-throughput-limit',
    (t) => t.queue('q', { FifoThroughputLimit: 'perQueue' }),
  ],
  [
    'test_posting_to_fifo_requires_deduplicationid_group_id[sqs]',
    'invalid-parameter-value',
    async (t, sqs) => sqs.sendMessage({ QueueUrl: await fifo(t), MessageBody: 'x', MessageGroupId: 'g' }),
  ],
  [
    'test_posting_to_fifo_requires_deduplicationid_group_id[sqs]',
    'missing-parameter',
    async (t, sqs) => sqs.sendMessage({ QueueUrl: await fifo(t), MessageBody: 'x', MessageDeduplicationId: 'd' }),
  ],
  ['test_non_existent_queue', 'queue-does-not-exist', (_, sqs) => sqs.getQueueUrl({ QueueName: 'no-such-queue' })],
  [
    'test_non_existent_queue',
    'queue-does-not-exist-url',
    (_, sqs) => sqs.getQueueAttributes({ QueueUrl: 'http://localhost:4566/000000000000/no-such-queue' }),
  ],
  [
    'test_send_receive_wait_time_seconds[sqs]',
    'recieve_message_error_too_large',
    async (t, sqs) => sqs.receiveMessage({ QueueUrl: await t.queue('q'), WaitTimeSeconds: 21 }),
  ],
  [
    'test_send_receive_wait_time_seconds[sqs]',
    'recieve_message_error_too_small',
    async (t, sqs) => sqs.receiveMessage({ QueueUrl: await t.queue('q'), WaitTimeSeconds: -1 }),
  ],
  [
    'test_send_empty_message[sqs]',
    'send_empty_message',
    async (t, sqs) => sqs.sendMessage({ QueueUrl: await t.queue('q'), MessageBody: '' }),
  ],
  ['test_send_message_to_standard_queue_with_invalid_message_group_id[empty]', 'error-response', groupId('')],
  [
    'test_send_message_to_standard_queue_with_invalid_message_group_id[too_long]',
    'error-response',
    groupId('a'.repeat(129)),
  ],
  ['test_send_message_to_standard_queue_with_invalid_message_group_id[spaces]', 'error-response', groupId('group 123')],
  ['test_message_deduplication_id_invalid[empty]', 'error-response', deduplicationId('')],
  ['test_message_deduplication_id_invalid[too_long]', 'error-response', deduplicationId('a'.repeat(129))],
  ['test_message_deduplication_id_invalid[spaces]', 'error-response', deduplicationId('group 123')],
  ['test_cancel_with_invalid_task_handle', 'error', (_, sqs) => sqs.cancelMessageMoveTask({ TaskHandle: 'foobared' })],
  [
    'test_source_needs_redrive_policy',
    'error',
    async (t, sqs) => {
      await t.queue('q');
      return sqs.startMessageMoveTask({ SourceArn: t.arnOf('q') });
    },
  ],
];

describe.skipIf(!available)('recorded failures', () => {
  test.each(FAILURES)('%s %s', async (name, answer, scenario) => {
    const recorded = recordings.get(name)?.[answer] as RecordedFailure | undefined;
    expect(recorded, `${name} ${answer} is not among the recordings`).toBeDefined();
    await using t = await startSqs();
    const { Code, Message } = recorded!.Error;
    expect(await failureOf(scenario(t, t.sqs), rejection)).toEqual({
      code: Code,
      message: Message,
      status: recorded!.ResponseMetadata.HTTPStatusCode,
    });
  });
});

/** Attributes with placeholders in recorded values. */
const REPLACED = { CreatedTimestamp: 'timestamp', LastModifiedTimestamp: 'timestamp', QueueArn: 'arn' };

describe.skipIf(!available)('recorded attributes', () => {
  test.each([
    [
      'test_create_and_update_queue_attributes[sqs]',
      'get_queue_attributes',
      (t: SqsTest) =>
        t.queue('q', {
          MessageRetentionPeriod: '604800',
          ReceiveMessageWaitTimeSeconds: '10',
          VisibilityTimeout: '20',
        }),
    ],
    ['test_fifo_set_content_based_deduplication_strategy[sqs]', 'before-update', (t: SqsTest) => t.fifoQueue('q.fifo')],
    [
      'test_fifo_change_to_high_throughput_after_creation[sqs]',
      'set-to-high-throughput',
      async (t: SqsTest) => {
        const QueueUrl = await fifo(t);
        await set(t, QueueUrl, { DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' });
        return QueueUrl;
      },
    ],
    [
      'test_set_queue_attributes_default_values[sqs]',
      'get-queue-attributes-after-update',
      (t: SqsTest) => t.queue('q', { KmsMasterKeyId: 'testKeyId', KmsDataKeyReusePeriodSeconds: '6000' }),
    ],
    [
      'test_set_queue_attributes_default_values[sqs]',
      'get-queue-attributes-after-set-to-defaults',
      async (t: SqsTest) => {
        const QueueUrl = await t.queue('q', { KmsMasterKeyId: 'testKeyId' });
        await set(t, QueueUrl, { KmsMasterKeyId: '' });
        return QueueUrl;
      },
    ],
  ] as const)('%s %s', async (name, answer, make) => {
    const recorded = recordings.get(name)?.[answer] as { Attributes: Record<string, string> };
    await using t = await startSqs();
    const QueueUrl = await make(t);
    const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    expect({ ...Attributes, ...REPLACED }).toEqual({ ...recorded.Attributes, ...REPLACED });
  });
});
