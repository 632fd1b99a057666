import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { makeTable, startDynamo } from './support.ts';

it('reads back what the document client wrote', async () => {
  await using t = await startDynamo();
  await makeTable(t, 'documents', 'id:S', 'n:N');
  const documents = DynamoDBDocumentClient.from(t.db);
  const Item = {
    id: 'a',
    n: 1,
    nested: { list: [1, 'two', null, { three: true }], empty: {} },
    set: new Set(['x', 'y']),
    bytes: Buffer.of(0, 255),
    constructor: 'a name that means something on objects',
  };
  await documents.send(new PutCommand({ TableName: 'documents', Item }));
  const read = await documents.send(new GetCommand({ TableName: 'documents', Key: { id: 'a', n: 1 } }));
  expect({ ...read.Item, bytes: Buffer.from(read.Item!.bytes) }).toEqual(Item);
  const updated = await documents.send(
    new UpdateCommand({
      TableName: 'documents',
      Key: { id: 'a', n: 1 },
      UpdateExpression: 'SET nested.#l[1] = :v, counted = if_not_exists(counted, :zero) + :one REMOVE nested.#l[0]',
      ExpressionAttributeNames: { '#l': 'list' },
      ExpressionAttributeValues: { ':v': 2, ':zero': 0, ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  expect(updated.Attributes).toMatchObject({ counted: 1 });
  const after = await documents.send(new GetCommand({ TableName: 'documents', Key: { id: 'a', n: 1 } }));
  expect(after.Item?.nested.list).toEqual([2, null, { three: true }]);
  const puts = Array.from({ length: 25 }, (_, n) => ({ PutRequest: { Item: { id: 'b', n } } }));
  const { UnprocessedItems } = await documents.send(new BatchWriteCommand({ RequestItems: { documents: puts } }));
  expect(UnprocessedItems).toEqual({});
  const seen: number[] = [];
  const query = {
    TableName: 'documents',
    KeyConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': 'b' },
  };
  for await (const page of paginateQuery({ client: documents, pageSize: 10 }, query))
    seen.push(...(page.Items ?? []).map((item) => item.n));
  expect(seen).toEqual(puts.map((_, n) => n));
});
