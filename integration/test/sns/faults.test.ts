import { join } from 'node:path';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';

// An acknowledged message must be in the queue.
describeKill('SNS', {
  manifests: [manifest, sqs],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const sns = new SNS(config);
    const queues = new SQS(config);
    const QueueUrl = `${config.endpoint}/123456789012/work`;
    let TopicArn: string | undefined;
    return {
      prepare: async () => {
        await queues.createQueue({ QueueName: 'work' });
        const { QueueArn } = (await queues.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] })).Attributes!;
        ({ TopicArn } = await sns.createTopic({ Name: 'work' }));
        await sns.subscribe({
          TopicArn,
          Protocol: 'sqs',
          Endpoint: QueueArn,
          Attributes: { RawMessageDelivery: 'true' },
        });
      },
      write: async (piece) => {
        TopicArn ??= (await sns.listTopics({})).Topics![0]!.TopicArn;
        await sns.publish({ TopicArn, Message: String(piece) });
      },
      read: async () => {
        const found: number[] = [];
        for (;;) {
          const { Messages = [] } = await queues.receiveMessage({
            QueueUrl,
            MaxNumberOfMessages: 10,
            VisibilityTimeout: 3600,
          });
          if (!Messages.length) return found;
          found.push(...Messages.map(({ Body }) => Number(Body)));
        }
      },
      destroy: () => {
        sns.destroy();
        queues.destroy();
      },
    };
  },
});
