import * as sdk from '@aws-sdk/client-sqs';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-sqs/model/sqs.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const sendMessage = (send: Send, facts: Facts): Promise<unknown> =>
  send('SendMessage', { QueueUrl: facts.queue, MessageBody: 'another' });

const receive = async (send: Send, url: string): Promise<string> => {
  const { Messages } = await send('ReceiveMessage', { QueueUrl: url });
  return (Messages as { ReceiptHandle: string }[])[0]!.ReceiptHandle;
};

/**
 * Creates a queue with a message in flight and two waiting, a dead-letter queue with one, and the facts of a move task.
 */
async function setUp(send: Send): Promise<Facts> {
  const create = async (QueueName: string, Attributes?: Record<string, string>): Promise<string> =>
    (await send('CreateQueue', { QueueName, ...(Attributes && { Attributes }) })).QueueUrl as string;
  const dead = await create('dead');
  const arn = 'arn:aws:sqs:us-east-1:123456789012:dead';
  const queue = await create('jobs', {
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 5 }),
  });
  for (const MessageBody of ['one', 'two', 'three']) await send('SendMessage', { QueueUrl: queue, MessageBody });
  await send('SendMessage', { QueueUrl: dead, MessageBody: 'lost' });
  await send('TagQueue', { QueueUrl: queue, Tags: { team: 'a' } });
  await send('AddPermission', { QueueUrl: queue, Label: 'known', AWSAccountIds: ['000000000001'], Actions: ['*'] });
  return { queue, dead, arn, receipt: await receive(send, queue) };
}

/** Returns queues with their attributes, tags and numbers of messages, because receiving them would change them. */
async function observe(send: Send): Promise<unknown> {
  const { QueueUrls = [] } = await send('ListQueues', {});
  return Promise.all(
    (QueueUrls as string[]).map(async (QueueUrl) => [
      QueueUrl,
      (await send('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] })).Attributes,
      (await send('ListQueueTags', { QueueUrl })).Tags,
      (await send('ListMessageMoveTasks', { SourceArn: 'arn:aws:sqs:us-east-1:123456789012:dead' })).Results,
    ]),
  );
}

const byUrl = (facts: Facts) => ({ QueueUrl: facts.queue });

/** Amazon SQS. */
export const sqs: Scenario = {
  service: 'sqs',
  model: model as unknown as ServiceModel,
  client: (emulator) =>
    sender(new sdk.SQSClient({ ...emulator.clientConfig(), maxAttempts: 1, md5: false }) as never, sdk),
  setUp,
  observe,
  deviations: [{ path: /^(successful|failed)$/, reason: 'the list of a batch that would be empty is left out' }],
  refuses: ({ Failed }) => Array.isArray(Failed) && Failed.length > 0,
  before: {
    ReceiveMessage: async (send) => {
      const { QueueUrl } = await send('CreateQueue', { QueueName: 'attributed' });
      const MessageAttributes = { a: { DataType: 'String', StringValue: 'b' } };
      await send('SendMessage', { QueueUrl, MessageBody: 'one', MessageAttributes });
      return { attributed: QueueUrl as string };
    },
    SendMessageBatch: async (send) => {
      const { QueueUrl } = await send('CreateQueue', { QueueName: 'ordered.fifo', Attributes: { FifoQueue: 'true' } });
      return { ordered: QueueUrl as string };
    },
    CancelMessageMoveTask: async (send, facts) => {
      for (let n = 0; n < 20; n++) await send('SendMessage', { QueueUrl: facts.dead, MessageBody: `lost ${n}` });
      const { TaskHandle } = await send('StartMessageMoveTask', {
        SourceArn: facts.arn,
        // Messages sent directly to the dead-letter queue have no source queue.
        DestinationArn: 'arn:aws:sqs:us-east-1:123456789012:jobs',
        MaxNumberOfMessagesPerSecond: 1,
      });
      return { task: TaskHandle as string };
    },
  },
  also: {
    ReceiveMessage: [({ attributed: QueueUrl }) => ({ QueueUrl, MessageAttributeNames: ['All'] })],
    SendMessageBatch: [
      ({ ordered: QueueUrl }) => ({
        QueueUrl,
        Entries: [{ Id: 'a', MessageBody: 'hello', MessageGroupId: 'group', MessageDeduplicationId: 'once' }],
      }),
    ],
  },
  inputs: {
    AddPermission: (facts) => ({
      ...byUrl(facts),
      Label: 'new',
      AWSAccountIds: ['000000000002'],
      Actions: ['SendMessage'],
    }),
    CancelMessageMoveTask: (facts) => ({ TaskHandle: facts.task }),
    ChangeMessageVisibility: (facts) => ({ ...byUrl(facts), ReceiptHandle: facts.receipt, VisibilityTimeout: 0 }),
    ChangeMessageVisibilityBatch: (facts) => ({
      ...byUrl(facts),
      Entries: [{ Id: 'a', ReceiptHandle: facts.receipt, VisibilityTimeout: 0 }],
    }),
    CreateQueue: () => ({ QueueName: 'fresh' }),
    DeleteMessage: (facts) => ({ ...byUrl(facts), ReceiptHandle: facts.receipt }),
    DeleteMessageBatch: (facts) => ({ ...byUrl(facts), Entries: [{ Id: 'a', ReceiptHandle: facts.receipt }] }),
    DeleteQueue: byUrl,
    GetQueueAttributes: (facts) => ({ ...byUrl(facts), AttributeNames: ['All'] }),
    GetQueueUrl: () => ({ QueueName: 'jobs' }),
    ListDeadLetterSourceQueues: (facts) => ({ QueueUrl: facts.dead }),
    ListMessageMoveTasks: (facts) => ({ SourceArn: facts.arn }),
    ListQueueTags: byUrl,
    PurgeQueue: byUrl,
    ReceiveMessage: byUrl,
    RemovePermission: (facts) => ({ ...byUrl(facts), Label: 'known' }),
    SendMessage: (facts) => ({ ...byUrl(facts), MessageBody: 'hello' }),
    SendMessageBatch: (facts) => ({ ...byUrl(facts), Entries: [{ Id: 'a', MessageBody: 'hello' }] }),
    SetQueueAttributes: (facts) => ({ ...byUrl(facts), Attributes: { VisibilityTimeout: '77' } }),
    StartMessageMoveTask: (facts) => ({ SourceArn: facts.arn }),
    TagQueue: (facts) => ({ ...byUrl(facts), Tags: { color: 'red' } }),
    UntagQueue: (facts) => ({ ...byUrl(facts), TagKeys: ['team'] }),
  },
  reads: {
    GetQueueAttributes: sendMessage,
    GetQueueUrl: undefined,
    ListDeadLetterSourceQueues: (send) =>
      send('CreateQueue', {
        QueueName: 'other',
        Attributes: {
          RedrivePolicy: JSON.stringify({
            deadLetterTargetArn: 'arn:aws:sqs:us-east-1:123456789012:dead',
            maxReceiveCount: 1,
          }),
        },
      }),
    ListMessageMoveTasks: (send, facts) => send('StartMessageMoveTask', { SourceArn: facts.arn }),
    ListQueueTags: (send, facts) => send('TagQueue', { ...byUrl(facts), Tags: { color: 'red' } }),
    ListQueues: (send) => send('CreateQueue', { QueueName: 'other' }),
  },
};
