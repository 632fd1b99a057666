import { join } from 'node:path';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const logGroupName = 'work';
const logStreamName = 'stream';

// An event that was put and acknowledged must be there.
describeKill('CloudWatch Logs', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const logs = new CloudWatchLogs(config);
    return {
      prepare: async () => {
        await logs.createLogGroup({ logGroupName });
        await logs.createLogStream({ logGroupName, logStreamName });
      },
      write: async (piece) => {
        const logEvents = [{ timestamp: Date.now(), message: String(piece) }];
        await logs.putLogEvents({ logGroupName, logStreamName, logEvents });
      },
      read: async () => {
        const found: number[] = [];
        let nextToken: string | undefined;
        do {
          const page = await logs.filterLogEvents({ logGroupName, nextToken });
          for (const { message } of page.events!) found.push(Number(message));
          ({ nextToken } = page);
        } while (nextToken !== undefined);
        return found;
      },
      destroy: () => logs.destroy(),
    };
  },
});
