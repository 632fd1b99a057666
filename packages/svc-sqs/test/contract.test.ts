import { SQS } from '@aws-sdk/client-sqs';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const FIFO_MESSAGE = { MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'd' };

/** A client's view of one queue of its account, without creation times. */
async function describeQueue(sqs: SQS, QueueName: string) {
  const { QueueUrl } = await sqs.getQueueUrl({ QueueName });
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
  const { Tags } = await sqs.listQueueTags({ QueueUrl });
  const { Messages } = await sqs.receiveMessage({
    QueueUrl,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 0,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['SentTimestamp', 'MessageGroupId', 'SequenceNumber'],
  });
  const messages = Messages?.map(({ ReceiptHandle: _different, ...message }) => message);
  return { Attributes, Tags, messages };
}

async function observe(config: TestClientConfig, memo: { messageId: string }) {
  const sqs = new SQS(config);
  const names = ((await sqs.listQueues({})).QueueUrls ?? []).map((url) => url.split('/').at(-1)!);
  const queues = [];
  for (const name of names) queues.push([name, await describeQueue(sqs, name)]);
  const repeated = names.includes('q.fifo')
    ? await sqs
        .sendMessage({ QueueUrl: 'q.fifo', ...FIFO_MESSAGE })
        .then(({ MessageId }) => MessageId === memo.messageId)
    : undefined;
  const dlq = names.includes('dlq')
    ? (await sqs.getQueueAttributes({ QueueUrl: 'dlq', AttributeNames: ['QueueArn'] })).Attributes!
    : undefined;
  const tasks = dlq && (await sqs.listMessageMoveTasks({ SourceArn: dlq.QueueArn })).Results;
  return { queues, repeated, tasks: tasks?.map(({ Status, SourceArn }) => ({ Status, SourceArn })) };
}

async function act(config: TestClientConfig) {
  const sqs = new SQS(config);
  await sqs.createQueue({ QueueName: 'dlq' });
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl: 'dlq', AttributeNames: ['QueueArn'] });
  const SourceArn = Attributes!.QueueArn!;
  await sqs.createQueue({
    QueueName: 'q',
    tags: { team: 'orders' },
    Attributes: {
      VisibilityTimeout: '3600',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: SourceArn, maxReceiveCount: 1000 }),
    },
  });
  for (const MessageBody of ['in flight', 'ready']) await sqs.sendMessage({ QueueUrl: 'q', MessageBody });
  await sqs.receiveMessage({ QueueUrl: 'q' });
  await sqs.sendMessage({
    QueueUrl: 'q',
    MessageBody: 'with attributes',
    MessageAttributes: { binary: { DataType: 'Binary', BinaryValue: Buffer.of(0, 1, 255) } },
  });
  await sqs.sendMessage({ QueueUrl: 'q', MessageBody: 'delayed', DelaySeconds: 900 });
  await sqs.addPermission({ QueueUrl: 'q', Label: 'l', AWSAccountIds: ['123456789012'], Actions: ['SendMessage'] });
  await sqs.startMessageMoveTask({ SourceArn });
  await sqs.createQueue({ QueueName: 'q.fifo', Attributes: { FifoQueue: 'true' } });
  const { MessageId } = await sqs.sendMessage({ QueueUrl: 'q.fifo', ...FIFO_MESSAGE });
  // The task has no messages to move; it ends with the next timer run.
  for (let status: string | undefined = 'RUNNING'; status === 'RUNNING'; )
    status = (await sqs.listMessageMoveTasks({ SourceArn })).Results![0]!.Status;
  return { messageId: MessageId! };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
