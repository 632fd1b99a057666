import { join } from 'node:path';
import { DynamoDB, paginateScan } from '@aws-sdk/client-dynamodb';
import { describeFaults } from '@emu/gateway/testing';
import { manifest, streamsManifest } from '../src/manifest.ts';
import { keys } from './support.ts';

const TableName = 'work';

describeFaults('DynamoDB', {
  manifests: [manifest, streamsManifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const db = new DynamoDB(config);
    return {
      prepare: async () => {
        const { TableNames = [] } = await db.listTables({});
        if (!TableNames.includes(TableName))
          await db.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...keys('id:N') });
      },
      write: (piece) =>
        db.putItem({ TableName, Item: { id: { N: String(piece) }, text: { S: 'x'.repeat(piece % 500) } } }),
      read: async () => {
        const found: number[] = [];
        for await (const { Items = [] } of paginateScan({ client: db }, { TableName, ConsistentRead: true }))
          found.push(...Items.map(({ id }) => Number(id!.N)));
        return found;
      },
      destroy: () => db.destroy(),
    };
  },
});
