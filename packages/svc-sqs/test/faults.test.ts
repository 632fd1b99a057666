import { join } from 'node:path';
import { SQS } from '@aws-sdk/client-sqs';
import { describeFaults } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

describeFaults('SQS', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const sqs = new SQS(config);
    // Only the path of a queue URL matters, not its host.
    const QueueUrl = `${config.endpoint}/123456789012/work`;
    return {
      prepare: async () => {
        await sqs.createQueue({ QueueName: 'work' });
      },
      write: (piece) => sqs.sendMessage({ QueueUrl, MessageBody: String(piece) }),
      read: async () => {
        const found: number[] = [];
        for (;;) {
          const { Messages = [] } = await sqs.receiveMessage({
            QueueUrl,
            MaxNumberOfMessages: 10,
            VisibilityTimeout: 3600,
          });
          if (!Messages.length) return found;
          found.push(...Messages.map(({ Body }) => Number(Body)));
        }
      },
      destroy: () => sqs.destroy(),
    };
  },
});
