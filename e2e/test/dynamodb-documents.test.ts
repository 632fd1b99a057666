import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  ExecuteStatementCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';

describe('DynamoDB through the document client of the SDK v3', () => {
  let emu: Emu;
  let client: DynamoDBClient;
  let documents: DynamoDBDocumentClient;
  beforeAll(async () => {
    emu = await startEmu();
    client = new DynamoDBClient({
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    await client.send(
      new CreateTableCommand({
        TableName: 'documents',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'owner', KeyType: 'HASH' },
          { AttributeName: 'number', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'owner', AttributeType: 'S' },
          { AttributeName: 'number', AttributeType: 'N' },
          { AttributeName: 'state', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-state',
            KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName: 'documents' });
  });
  afterAll(async () => {
    client?.destroy();
    await emu?.kill();
  });

  const TableName = 'documents';

  test('reads items that it wrote, and updates them', async () => {
    const Item = {
      owner: 'ann',
      number: 1,
      state: 'new',
      nested: { list: [1, 'two', null, { deep: true }], empty: {} },
      names: new Set(['x', 'y']),
      missing: undefined,
    };
    await documents.send(new PutCommand({ TableName, Item }));
    const Key = { owner: 'ann', number: 1 };
    const { missing: _missing, ...kept } = Item;
    expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toEqual(kept);
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET nested.#l[1] = :v, seen = if_not_exists(seen, :zero) + :one DELETE #names :gone',
        ExpressionAttributeNames: { '#l': 'list', '#names': 'names' },
        ExpressionAttributeValues: { ':v': 2, ':zero': 0, ':one': 1, ':gone': new Set(['x']) },
        ReturnValues: 'ALL_NEW',
      }),
    );
    expect(Attributes).toMatchObject({
      seen: 1,
      names: new Set(['y']),
      nested: { list: [1, 2, null, { deep: true }] },
    });
    await expect(
      documents.send(
        new PutCommand({
          TableName,
          Item: Key,
          ConditionExpression: 'attribute_not_exists(#o)',
          ExpressionAttributeNames: { '#o': 'owner' },
        }),
      ),
    ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException', message: 'The conditional request failed' });
  });

  test('pages through a partition and an index', async () => {
    const puts = Array.from({ length: 25 }, (_, number) => ({
      PutRequest: { Item: { owner: 'bob', number, state: number % 2 ? 'odd' : 'even' } },
    }));
    const { UnprocessedItems } = await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
    expect(UnprocessedItems).toEqual({});
    const seen: number[] = [];
    const query = {
      TableName,
      KeyConditionExpression: '#o = :owner AND #n >= :from',
      ExpressionAttributeNames: { '#o': 'owner', '#n': 'number' },
      ExpressionAttributeValues: { ':owner': 'bob', ':from': 3 },
    };
    for await (const page of paginateQuery({ client: documents, pageSize: 10 }, query))
      seen.push(...(page.Items ?? []).map((item) => item.number));
    expect(seen).toEqual(Array.from({ length: 22 }, (_, n) => n + 3));
    const { Count } = await documents.send(
      new QueryCommand({
        TableName,
        IndexName: 'by-state',
        KeyConditionExpression: '#s = :s',
        ExpressionAttributeNames: { '#s': 'state' },
        ExpressionAttributeValues: { ':s': 'odd' },
      }),
    );
    expect(Count).toBe(12);
  });

  test('writes a transaction completely or not at all, and runs statements', async () => {
    const put = (owner: string, condition?: string) => ({
      Put: { TableName, Item: { owner, number: 0 }, ...(condition && { ConditionExpression: condition }) },
    });
    await documents.send(new TransactWriteCommand({ TransactItems: [put('carl'), put('dora')] }));
    await expect(
      documents.send(
        new TransactWriteCommand({
          TransactItems: [put('erik'), put('carl', 'attribute_exists(nothing)')],
        }),
      ),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    const { Items } = await documents.send(
      new ExecuteStatementCommand({
        Statement: `SELECT "owner" FROM "${TableName}" WHERE "owner" IN [?, ?, ?]`,
        Parameters: ['carl', 'dora', 'erik'],
      }),
    );
    expect(Items!.map(({ owner }) => owner).sort()).toEqual(['carl', 'dora']);
    await client.send(new DeleteTableCommand({ TableName }));
    await expect(documents.send(new GetCommand({ TableName, Key: { owner: 'a', number: 0 } }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found',
    });
  });
});
