import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { createTestEmulator } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';

const open = async () => {
  const emu = await createTestEmulator({ manifests: [manifest] });
  return { emu, db: new DynamoDBClient(emu.clientConfig()) };
};

describe('items', () => {
  it('puts, gets and queries', async () => {
    const { db } = await open();
    const created = await db.send(
      new CreateTableCommand({
        TableName: 'orders',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'N' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
    expect(created.TableDescription?.TableStatus).toBe('CREATING');
    for (let n = 0; n < 20; n++)
      await db.send(
        new PutItemCommand({ TableName: 'orders', Item: { pk: { S: 'a' }, sk: { N: String(n) }, v: { S: `v${n}` } } }),
      );
    const { Item } = await db.send(
      new GetItemCommand({ TableName: 'orders', Key: { pk: { S: 'a' }, sk: { N: '3.0' } } }),
    );
    expect(Item).toEqual({ pk: { S: 'a' }, sk: { N: '3' }, v: { S: 'v3' } });
    const page = await db.send(
      new QueryCommand({
        TableName: 'orders',
        KeyConditionExpression: 'pk = :p and sk between :a and :b',
        ExpressionAttributeValues: { ':p': { S: 'a' }, ':a': { N: '5' }, ':b': { N: '9' } },
        ScanIndexForward: false,
        Limit: 3,
      }),
    );
    expect(page.Items?.map((item) => item.sk?.N)).toEqual(['9', '8', '7']);
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { N: '7' } });
    const updated = await db.send(
      new UpdateItemCommand({
        TableName: 'orders',
        Key: { pk: { S: 'a' }, sk: { N: '1' } },
        UpdateExpression: 'SET #c = if_not_exists(#c, :zero) + :one REMOVE v',
        ExpressionAttributeNames: { '#c': 'count' },
        ExpressionAttributeValues: { ':zero': { N: '0' }, ':one': { N: '1' } },
        ReturnValues: 'ALL_NEW',
      }),
    );
    expect(updated.Attributes).toEqual({ pk: { S: 'a' }, sk: { N: '1' }, count: { N: '1' } });
    await expect(
      db.send(
        new PutItemCommand({
          TableName: 'orders',
          Item: { pk: { S: 'a' }, sk: { N: '1' } },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    ).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    const scanned = await db.send(
      new ScanCommand({
        TableName: 'orders',
        FilterExpression: 'begins_with(v, :v)',
        ExpressionAttributeValues: { ':v': { S: 'v1' } },
      }),
    );
    expect(scanned.Count).toBe(10);
    const described = await db.send(new DescribeTableCommand({ TableName: 'orders' }));
    expect(described.Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 20 });
  });
});
