import * as sdk from '@aws-sdk/client-dynamodb';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-dynamodb/model/dynamodb.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const TableName = 'things';
const Key = { id: { S: 'a' } };
const put = (send: Send): Promise<unknown> =>
  send('PutItem', { TableName, Item: { id: { S: 'b' }, color: { S: 'red' } } });

async function setUp(send: Send): Promise<Facts> {
  const { TableDescription } = await send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await send('PutItem', { TableName, Item: { ...Key, color: { S: 'blue' }, count: { N: '1' } } });
  const arn = (TableDescription as { TableArn: string }).TableArn;
  await send('TagResource', { ResourceArn: arn, Tags: [{ Key: 'team', Value: 'a' }] });
  return { arn };
}

/** Tables with their descriptions, items and tags. */
async function observe(send: Send): Promise<unknown> {
  const { TableNames } = await send('ListTables', {});
  return Promise.all(
    (TableNames as string[]).map(async (name) => {
      const { Table } = await send('DescribeTable', { TableName: name });
      return [
        Table,
        (await send('Scan', { TableName: name })).Items,
        (await send('DescribeTimeToLive', { TableName: name })).TimeToLiveDescription,
        (await send('ListTagsOfResource', { ResourceArn: (Table as { TableArn: string }).TableArn })).Tags,
      ];
    }),
  );
}

const named = (): Record<string, unknown> => ({ TableName });
const byArn = (facts: Facts): Record<string, unknown> => ({ ResourceArn: facts.arn });

/** Amazon DynamoDB. */
export const dynamodb: Scenario = {
  service: 'dynamodb',
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.DynamoDBClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  deviations: [
    { path: /numberOfDecreasesToday$/, reason: 'it is 0 until the first decrease' },
    { path: /^unprocessed(Keys|Items)$/, reason: 'an empty map is given where everything was processed' },
    { path: /^responses$/, reason: 'a transaction of writes answers an empty list' },
  ],
  inputs: {
    BatchExecuteStatement: () => ({ Statements: [{ Statement: `INSERT INTO things VALUE {'id': 'c'}` }] }),
    BatchGetItem: () => ({ RequestItems: { [TableName]: { Keys: [Key] } } }),
    BatchWriteItem: () => ({ RequestItems: { [TableName]: [{ PutRequest: { Item: { id: { S: 'c' } } } }] } }),
    CreateTable: () => ({
      TableName: 'fresh',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
    DeleteItem: () => ({ TableName, Key }),
    DeleteTable: named,
    DescribeTable: named,
    DescribeTimeToLive: named,
    ExecuteStatement: () => ({ Statement: `UPDATE things SET color = 'green' WHERE id = 'a'` }),
    ExecuteTransaction: () => ({ TransactStatements: [{ Statement: `INSERT INTO things VALUE {'id': 'c'}` }] }),
    GetItem: () => ({ TableName, Key }),
    ListTagsOfResource: byArn,
    PutItem: () => ({ TableName, Item: { id: { S: 'c' } } }),
    Query: () => ({
      TableName,
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': { S: 'b' } },
    }),
    Scan: named,
    TagResource: (facts) => ({ ...byArn(facts), Tags: [{ Key: 'color', Value: 'red' }] }),
    TransactGetItems: () => ({ TransactItems: [{ Get: { TableName, Key: { id: { S: 'b' } } } }] }),
    TransactWriteItems: () => ({ TransactItems: [{ Put: { TableName, Item: { id: { S: 'c' } } } }] }),
    UntagResource: (facts) => ({ ...byArn(facts), TagKeys: ['team'] }),
    UpdateItem: () => ({
      TableName,
      Key,
      UpdateExpression: 'SET color = :c',
      ExpressionAttributeValues: { ':c': { S: 'green' } },
    }),
    UpdateTable: () => ({ TableName, DeletionProtectionEnabled: true }),
    UpdateTimeToLive: () => ({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }),
  },
  reads: {
    BatchGetItem: (send) => send('DeleteItem', { TableName, Key }),
    DescribeEndpoints: undefined,
    DescribeLimits: undefined,
    DescribeTable: put,
    DescribeTimeToLive: (send) =>
      send('UpdateTimeToLive', { TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }),
    GetItem: (send) => send('DeleteItem', { TableName, Key }),
    ListTables: (send) => send('DeleteTable', { TableName }),
    ListTagsOfResource: (send, facts) => send('UntagResource', { ...byArn(facts), TagKeys: ['team'] }),
    Query: put,
    Scan: put,
    TransactGetItems: put,
  },
};
