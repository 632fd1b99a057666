import {
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { createTestEmulator } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest, streamsManifest } from '../src/manifest.ts';

const open = async () => {
  const emu = await createTestEmulator({ manifests: [manifest, streamsManifest] });
  return { emu, db: new DynamoDBClient(emu.clientConfig()), streams: new DynamoDBStreamsClient(emu.clientConfig()) };
};

const createTable = (db: DynamoDBClient, stream = true) =>
  db.send(
    new CreateTableCommand({
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const } }),
    }),
  );

describe('streams', () => {
  it('records every change with the images of its view type', async () => {
    const { db, streams } = await open();
    const { TableDescription: table } = await createTable(db);
    await db.send(
      new PutItemCommand({
        TableName: 'things',
        Item: { id: { S: 'my-item-id' }, attr1: { S: 'value1' }, attr2: { S: 'value2' } },
      }),
    );
    await db.send(
      new UpdateItemCommand({
        TableName: 'things',
        Key: { id: { S: 'my-item-id' } },
        UpdateExpression: 'SET attr1 = :a, attr2 = :b',
        ExpressionAttributeValues: { ':a': { S: 'value2' }, ':b': { S: 'value3' } },
      }),
    );
    await db.send(new DeleteItemCommand({ TableName: 'things', Key: { id: { S: 'my-item-id' } } }));
    const listed = await streams.send(new ListStreamsCommand({ TableName: 'things' }));
    expect(listed.Streams).toEqual([
      { StreamArn: table?.LatestStreamArn, StreamLabel: table?.LatestStreamLabel, TableName: 'things' },
    ]);
    const { StreamDescription: stream } = await streams.send(
      new DescribeStreamCommand({ StreamArn: table!.LatestStreamArn! }),
    );
    expect(stream).toMatchObject({
      StreamStatus: 'ENABLED',
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      TableName: 'things',
    });
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: table!.LatestStreamArn!,
        ShardId: stream!.Shards![0]!.ShardId!,
        ShardIteratorType: 'TRIM_HORIZON',
      }),
    );
    const first = await streams.send(new GetRecordsCommand({ ShardIterator }));
    expect(first.Records?.map(({ eventName, dynamodb }) => [eventName, dynamodb?.SizeBytes])).toEqual([
      ['INSERT', 46],
      ['MODIFY', 80],
      ['REMOVE', 46],
    ]);
    expect(first.Records?.[1]?.dynamodb).toMatchObject({
      Keys: { id: { S: 'my-item-id' } },
      OldImage: { attr1: { S: 'value1' } },
      NewImage: { attr1: { S: 'value2' } },
    });
    const second = await streams.send(new GetRecordsCommand({ ShardIterator: first.NextShardIterator }));
    expect(second.Records).toEqual([]);
  });

  it('removes expired items and marks the records', async () => {
    const { emu, db, streams } = await open();
    const { TableDescription: table } = await createTable(db);
    await db.send(
      new UpdateTimeToLiveCommand({
        TableName: 'things',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      }),
    );
    const now = Math.floor(emu.kernel.clock.now() / 1000);
    await db.send(new PutItemCommand({ TableName: 'things', Item: { id: { S: 'a' }, ttl: { N: String(now + 30) } } }));
    await emu.kernel.clock.advance(120_000);
    expect((await db.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } }))).Item).toBeUndefined();
    const { StreamDescription: stream } = await streams.send(
      new DescribeStreamCommand({ StreamArn: table!.LatestStreamArn! }),
    );
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: stream!.StreamArn!,
        ShardId: stream!.Shards![0]!.ShardId!,
        ShardIteratorType: 'TRIM_HORIZON',
      }),
    );
    const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    expect(Records?.at(-1)).toMatchObject({
      eventName: 'REMOVE',
      userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
    });
  });

  it('adds an index to a table with items', async () => {
    const { db } = await open();
    await createTable(db, false);
    await db.send(
      new PutItemCommand({ TableName: 'things', Item: { id: { S: 'a' }, color: { S: 'red' }, n: { N: '1' } } }),
    );
    await db.send(new PutItemCommand({ TableName: 'things', Item: { id: { S: 'b' }, n: { N: '1' } } }));
    await db.send(
      new UpdateTableCommand({
        TableName: 'things',
        AttributeDefinitions: [{ AttributeName: 'color', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: 'by-color',
              KeySchema: [{ AttributeName: 'color', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'KEYS_ONLY' },
            },
          },
        ],
      }),
    );
    const described = await db.send(new DescribeTableCommand({ TableName: 'things' }));
    expect(described.Table?.GlobalSecondaryIndexes?.[0]).toMatchObject({
      IndexName: 'by-color',
      IndexStatus: 'ACTIVE',
      ItemCount: 1,
    });
    const found = await db.send(
      new QueryCommand({
        TableName: 'things',
        IndexName: 'by-color',
        KeyConditionExpression: 'color = :c',
        ExpressionAttributeValues: { ':c': { S: 'red' } },
      }),
    );
    expect(found.Items).toEqual([{ id: { S: 'a' }, color: { S: 'red' } }]);
  });
});
