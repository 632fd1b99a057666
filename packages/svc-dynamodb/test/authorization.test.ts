// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  type TestEmulator,
  TestIdentities,
} from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manifest, streamsManifest } from '../src/manifest.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const JANE = `arn:aws:iam::${ACCOUNT}:user/jane`;
const TABLE = `arn:aws:dynamodb:us-east-1:${ACCOUNT}:table/items`;

let identities: TestIdentities;
let emulator: TestEmulator;
let root: DynamoDB;

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, streamsManifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = new DynamoDB(emulator.clientConfig());
  await root.createTable({
    TableName: 'items',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['owner', 'id'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'owner', KeyType: 'HASH' },
      { AttributeName: 'id', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-id',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    Tags: [{ Key: 'team', Value: 'blue' }],
  });
});
afterEach(() => emulator.close());

const allow = (Action: string | string[], rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource: TABLE,
  ...rest,
});
const as = (may: PolicyStatement[] = [], accountId = ACCOUNT): DynamoDB =>
  new DynamoDB(emulator.clientConfig(identities.user(emulator, 'jane', { may, accountId })));
const Key = { owner: { S: 'jane' }, id: { S: '1' } };
const get = (client: DynamoDB, owner = 'jane') =>
  client.getItem({ TableName: 'items', Key: { ...Key, owner: { S: owner } } });
const refused = (action: string, resource: string) => ({
  name: 'AccessDeniedException',
  message: `User: ${JANE} is not authorized to perform: dynamodb:${action} on resource: ${resource} because no identity-based policy allows the dynamodb:${action} action`,
  $metadata: expect.objectContaining({ httpStatusCode: 400 }),
});

test('requires permissions on the table for item operations', async () => {
  await expect(get(as())).rejects.toMatchObject(refused('GetItem', TABLE));
  await get(as([allow('dynamodb:GetItem')]));
  await get(as([allow('dynamodb:Get*', { Condition: { StringEquals: { 'aws:ResourceTag/team': 'blue' } } })]));
  await expect(get(as([allow('dynamodb:*', { Resource: `${TABLE}2` })]))).rejects.toMatchObject(
    refused('GetItem', TABLE),
  );
});

test('requires permissions for each table of a batch and each part of a transaction', async () => {
  await root.createTable({
    TableName: 'more',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  const more = TABLE.replace('items', 'more');
  const batch = { RequestItems: { items: { Keys: [Key] }, more: { Keys: [{ id: { S: '1' } }] } } };
  await expect(as([allow('dynamodb:BatchGetItem')]).batchGetItem(batch)).rejects.toMatchObject(
    refused('BatchGetItem', more),
  );
  await as([allow('dynamodb:BatchGetItem', { Resource: [TABLE, more] })]).batchGetItem(batch);
  const write = {
    TransactItems: [
      { Put: { TableName: 'items', Item: Key } },
      {
        ConditionCheck: { TableName: 'more', Key: { id: { S: '1' } }, ConditionExpression: 'attribute_not_exists(id)' },
      },
    ],
  };
  await expect(as([allow('dynamodb:PutItem')]).transactWriteItems(write)).rejects.toMatchObject(
    refused('ConditionCheckItem', more),
  );
  await as([allow('dynamodb:PutItem'), allow('dynamodb:ConditionCheckItem', { Resource: more })]).transactWriteItems(
    write,
  );
});

test('requires separate resources and actions for indexes and statements', async () => {
  const query = {
    TableName: 'items',
    IndexName: 'by-id',
    KeyConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': { S: '1' } },
  };
  await expect(as([allow('dynamodb:Query')]).query(query)).rejects.toMatchObject(
    refused('Query', `${TABLE}/index/by-id`),
  );
  await as([allow('dynamodb:Query', { Resource: `${TABLE}/index/*` })]).query(query);
  const Statement = `SELECT * FROM "items"`;
  await expect(as([allow('dynamodb:Scan')]).executeStatement({ Statement })).rejects.toMatchObject(
    refused('PartiQLSelect', TABLE),
  );
  await as([allow('dynamodb:PartiQLSelect')]).executeStatement({ Statement });
});

test('requires permissions for operations on the account, on ARNs and on new tables', async () => {
  await expect(as().listTables({})).rejects.toMatchObject(refused('ListTables', TABLE.replace('items', '*')));
  await expect(as().describeLimits({})).rejects.toMatchObject(refused('DescribeLimits', '*'));
  await expect(as().listTagsOfResource({ ResourceArn: TABLE })).rejects.toMatchObject(
    refused('ListTagsOfResource', TABLE),
  );
  await expect(as().describeTable({ TableName: 'none' })).rejects.toMatchObject(
    refused('DescribeTable', TABLE.replace('items', 'none')),
  );
  await expect(as([allow('dynamodb:*')]).describeTable({ TableName: TABLE })).resolves.toMatchObject({
    Table: { TableArn: TABLE },
  });
});

describe('dynamodb:LeadingKeys', () => {
  const own = [
    allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:BatchGetItem', 'dynamodb:Scan'], {
      Condition: {
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:username}'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
  ];

  test('restricts users to their own items', async () => {
    const jane = as(own);
    await jane.putItem({ TableName: 'items', Item: Key });
    await get(jane);
    await expect(get(jane, 'bob')).rejects.toMatchObject(refused('GetItem', TABLE));
    const query = (owner: string) =>
      jane.query({
        TableName: 'items',
        KeyConditionExpression: '#o = :o AND id > :i',
        ExpressionAttributeNames: { '#o': 'owner' },
        ExpressionAttributeValues: { ':o': { S: owner }, ':i': { S: '0' } },
      });
    expect((await query('jane')).Count).toBe(1);
    await expect(query('bob')).rejects.toMatchObject(refused('Query', TABLE));
    const keys = [Key, { ...Key, owner: { S: 'bob' } }];
    await expect(jane.batchGetItem({ RequestItems: { items: { Keys: keys } } })).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(jane.scan({ TableName: 'items' })).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

test('sets dynamodb:Attributes and dynamodb:Select', async () => {
  const jane = as([
    allow('dynamodb:Query', {
      Condition: {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['owner', 'id'] },
        StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    }),
  ]);
  const query = (rest: object) =>
    jane.query({
      TableName: 'items',
      KeyConditions: { owner: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'jane' }] } },
      ...rest,
    });
  await query({ AttributesToGet: ['id'] });
  await expect(query({ AttributesToGet: ['id', 'secret'] })).rejects.toMatchObject({ name: 'AccessDeniedException' });
  await expect(query({ Select: 'ALL_ATTRIBUTES' })).rejects.toMatchObject({ name: 'AccessDeniedException' });
});

test("applies a table's policy", async () => {
  const put = (...statements: PolicyStatement[]) =>
    root.putResourcePolicy({ ResourceArn: TABLE, Policy: policyText(statements) });
  await put(allow('dynamodb:GetItem', { Principal: { AWS: JANE } }));
  await get(as());
  const eve = as([allow('dynamodb:*')], OTHER);
  const fromAfar = { TableName: TABLE, Key };
  await expect(eve.getItem(fromAfar)).rejects.toMatchObject({
    message: expect.stringContaining('because no resource-based policy allows the dynamodb:GetItem action'),
  });
  await put(allow('dynamodb:GetItem', { Principal: { AWS: OTHER } }));
  await eve.getItem(fromAfar);
  await put(allow('dynamodb:GetItem', { Effect: 'Deny', Principal: '*' }));
  await expect(get(as([allow('dynamodb:*')]))).rejects.toMatchObject({
    message: expect.stringContaining('with an explicit deny in a resource-based policy'),
  });
});

test("applies a stream's own policy instead of the table's", async () => {
  const { TableDescription } = await root.updateTable({
    TableName: 'items',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
  const StreamArn = TableDescription!.LatestStreamArn!;
  const reading = ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'];
  const eve = new DynamoDBStreams(
    emulator.clientConfig(
      identities.user(emulator, 'jane', { may: [allow(reading, { Resource: '*' })], accountId: OTHER }),
    ),
  );
  const denied = (action: string) => ({
    name: 'AccessDeniedException',
    message: expect.stringContaining(`because no resource-based policy allows the dynamodb:${action} action`),
  });
  await root.putResourcePolicy({
    ResourceArn: TABLE,
    Policy: policyText([allow(reading, { Principal: { AWS: OTHER }, Resource: '*' })]),
  });
  await expect(eve.describeStream({ StreamArn })).rejects.toMatchObject(denied('DescribeStream'));
  const put = (actions: string[]) =>
    root.putResourcePolicy({
      ResourceArn: StreamArn,
      Policy: policyText([allow(actions, { Principal: { AWS: OTHER }, Resource: StreamArn })]),
    });
  await put(reading);
  const { StreamDescription } = await eve.describeStream({ StreamArn });
  const { ShardIterator } = await eve.getShardIterator({
    StreamArn,
    ShardId: StreamDescription!.Shards![0]!.ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  await root.putItem({ TableName: 'items', Item: Key });
  expect((await eve.getRecords({ ShardIterator })).Records).toHaveLength(1);
  await put(reading.slice(0, 2));
  await expect(eve.getRecords({ ShardIterator })).rejects.toMatchObject(denied('GetRecords'));
});
