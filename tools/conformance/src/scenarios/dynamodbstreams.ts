import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/client-dynamodb-streams';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-dynamodb/model/dynamodbstreams.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const TABLES = ['things', 'others'];
const Key = { id: { S: 'a' } };

const createTable = (send: Send, TableName: string) =>
  send('Tables.CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });

/**
 * Creates two tables with streams. In the first, an item was created, changed and deleted. `Tables.*` are operations of
 * DynamoDB.
 */
async function setUp(send: Send): Promise<Facts> {
  const arns: string[] = [];
  for (const TableName of TABLES) {
    const { TableDescription } = await createTable(send, TableName);
    arns.push((TableDescription as { LatestStreamArn: string }).LatestStreamArn);
  }
  for (const color of ['red', 'blue']) await put(send, color);
  await send('Tables.DeleteItem', { TableName: 'things', Key });
  const { StreamDescription } = await send('DescribeStream', { StreamArn: arns[0] });
  const [shard] = (StreamDescription as { Shards: { ShardId: string }[] }).Shards;
  const facts = { stream: arns[0]!, other: arns[1]!, shard: shard!.ShardId };
  const { ShardIterator } = await send('GetShardIterator', fromStart(facts));
  const { Records } = await send('GetRecords', { ShardIterator });
  const [, second] = Records as { dynamodb: { SequenceNumber: string } }[];
  return { ...facts, iterator: ShardIterator as string, second: second!.dynamodb.SequenceNumber };
}

const put = (send: Send, color: string) =>
  send('Tables.PutItem', { TableName: 'things', Item: { ...Key, color: { S: color } } });

const fromStart = (facts: Facts) => ({
  StreamArn: facts.stream,
  ShardId: facts.shard,
  ShardIteratorType: 'TRIM_HORIZON',
});

/** Returns the contents of every stream, read from its start. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const { ShardIterator } = await send('GetShardIterator', fromStart(facts));
  return [(await send('ListStreams', {})).Streams, (await send('GetRecords', { ShardIterator })).Records];
}

/** Amazon DynamoDB Streams. */
export const dynamodbstreams: Scenario = {
  service: 'dynamodbstreams',
  others: ['dynamodb'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const tables = sender(new dynamodb.DynamoDBClient(config) as never, dynamodb);
    const streams = sender(new sdk.DynamoDBStreamsClient(config) as never, sdk);
    return (operation, input) =>
      operation.startsWith('Tables.') ? tables(operation.slice('Tables.'.length), input) : streams(operation, input);
  },
  setUp,
  observe,
  also: {
    DescribeStream: [
      ({ stream, shard }) => ({ StreamArn: stream, ShardFilter: { Type: 'CHILD_SHARDS', ShardId: shard } }),
    ],
    ListStreams: [({ stream }) => ({ ExclusiveStartStreamArn: stream })],
  },
  inputs: {
    DescribeStream: ({ stream }) => ({ StreamArn: stream }),
    GetRecords: ({ iterator }) => ({ ShardIterator: iterator }),
    GetShardIterator: (facts) => ({
      ...fromStart(facts),
      ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      SequenceNumber: facts.second,
    }),
  },
  reads: {
    DescribeStream: (send) =>
      send('Tables.UpdateTable', { TableName: 'things', StreamSpecification: { StreamEnabled: false } }),
    GetRecords: (send) => put(send, 'green'),
    // It refers to a fixed position in the stream.
    GetShardIterator: undefined,
    ListStreams: (send) => createTable(send, 'another'),
  },
};
