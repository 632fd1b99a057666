import { join } from 'node:path';
import { Kinesis, waitUntilStreamExists } from '@aws-sdk/client-kinesis';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { shard } from './support.ts';

// Each acknowledged record must exist once; records are so long that segments are written meanwhile.
describeKill('Kinesis', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const kinesis = new Kinesis(config);
    const StreamName = 'work';
    return {
      prepare: async () => {
        await kinesis.createStream({ StreamName });
        await waitUntilStreamExists({ client: kinesis, maxWaitTime: 10, minDelay: 1 }, { StreamName });
      },
      write: async (piece) => {
        await kinesis.putRecord({ StreamName, PartitionKey: 'k', Data: Buffer.from(String(piece).padEnd(50_000)) });
      },
      read: async () => {
        const found: number[] = [];
        const start = { StreamName, ShardId: shard(0), ShardIteratorType: 'TRIM_HORIZON' as const };
        let { ShardIterator } = await kinesis.getShardIterator(start);
        for (;;) {
          const { Records, NextShardIterator } = await kinesis.getRecords({ ShardIterator });
          found.push(...Records!.map(({ Data }) => Number(Buffer.from(Data!).toString())));
          if (Records!.length === 0) return found;
          ShardIterator = NextShardIterator;
        }
      },
      destroy: () => kinesis.destroy(),
    };
  },
});
