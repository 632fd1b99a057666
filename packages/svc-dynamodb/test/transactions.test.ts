import { describe, expect, it } from 'vitest';
import { type DynamoTest, makeIndexed, makeTable, startDynamo } from './support.ts';

const put = (id: string, more: object = {}) => ({ Put: { TableName: 'tab', Item: { a: { S: id } }, ...more } });

const reasonsOf = async (t: DynamoTest, TransactItems: object[]) => {
  const { status, json } = await t.send('TransactWriteItems', { TransactItems });
  expect(status).toBe(400);
  return { message: json.Message ?? json.message, reasons: json.CancellationReasons };
};

describe('TransactWriteItems', () => {
  it('commits all or nothing, with reasons', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    const answer = await reasonsOf(t, [
      put('new'),
      put('c', { ConditionExpression: 'attribute_not_exists(a)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      { Delete: { TableName: 'tab', Key: { a: { N: '1' } } } },
    ]);
    expect(answer).toEqual({
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ValidationError]',
      reasons: [
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { a: { S: 'c' }, n: { N: '1' } },
        },
        { Code: 'ValidationError', Message: 'The provided key element does not match the schema' },
      ],
    });
    expect((await t.db.getItem({ TableName: 'tab', Key: { a: { S: 'new' } } })).Item).toBeUndefined();
  });

  it('runs once per token for ten minutes', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    const add = (by: string) =>
      t.db.transactWriteItems({
        ClientRequestToken: 'token',
        TransactItems: [
          {
            Update: {
              TableName: 'tab',
              Key: { a: { S: 'c' } },
              UpdateExpression: 'ADD n :n',
              ExpressionAttributeValues: { ':n': { N: by } },
            },
          },
        ],
      });
    const value = async () => (await t.db.getItem({ TableName: 'tab', Key: { a: { S: 'c' } } })).Item?.n?.N;
    await add('1');
    await add('1');
    expect(await value()).toBe('2');
    await expect(add('2')).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    await t.advance(601);
    await add('2');
    expect(await value()).toBe('4');
  });

  it('rejects two operations on one item, and several in a part', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    expect(await t.refusal('TransactWriteItems', { TransactItems: [put('x'), put('x')] })).toBe(
      'Transaction request cannot include multiple operations on one item',
    );
    const both = { ...put('x'), Delete: { TableName: 'tab', Key: { a: { S: 'y' } } } };
    expect(await t.refusal('TransactWriteItems', { TransactItems: [both] })).toBe(
      'TransactItems can only contain one of Check, Put, Update or Delete',
    );
    expect(
      await t.refusal('TransactWriteItems', {
        TransactItems: [{ Put: { TableName: 'nope', Item: { a: { S: 'x' } } } }],
      }),
    ).toBe('ResourceNotFoundException: Requested resource not found');
  });

  it('costs twice', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    const { ConsumedCapacity } = await t.db.transactWriteItems({
      TransactItems: [put('x')] as never,
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect(ConsumedCapacity).toEqual([{ TableName: 'tab', CapacityUnits: 2, WriteCapacityUnits: 2 }]);
  });
});

describe('TransactGetItems', () => {
  it('returns responses in order, empty for missing items', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    const get = (id: string) => ({ Get: { TableName: 'tab', Key: { a: { S: id } }, ProjectionExpression: 'n' } });
    const { Responses } = await t.db.transactGetItems({ TransactItems: [get('nobody'), get('c')] });
    expect(Responses).toEqual([{}, { Item: { n: { N: '1' } } }]);
  });
});

describe('limits of items', () => {
  it('are 400 KB including attribute names, in puts and updates', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'big');
    const most = 400 * 1024 - 'id'.length - 'x'.length - 'v'.length;
    const item = (size: number) => ({ id: { S: 'x' }, v: { S: 'y'.repeat(size) } });
    await t.db.putItem({ TableName: 'big', Item: item(most) });
    expect(await t.refusal('PutItem', { TableName: 'big', Item: item(most + 1) })).toBe(
      'Item size has exceeded the maximum allowed size',
    );
    const update = {
      TableName: 'big',
      Key: { id: { S: 'x' } },
      UpdateExpression: 'SET w = :w',
      ExpressionAttributeValues: { ':w': { S: '' } },
    };
    expect(await t.refusal('UpdateItem', update)).toBe('Item size to update has exceeded the maximum allowed size');
  });

  it('allow 32 levels of nesting', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'deep');
    const nested = (levels: number): object => (levels ? { L: [nested(levels - 1)] } : { S: 'x' });
    const item = (levels: number) => ({ TableName: 'deep', Item: { id: { S: 'x' }, v: nested(levels) } });
    expect((await t.send('PutItem', item(31))).status).toBe(200);
    const tooDeep =
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit';
    expect(await t.refusal('PutItem', item(32))).toBe(tooDeep);
    const update = {
      TableName: 'deep',
      Key: { id: { S: 'x' } },
      UpdateExpression: 'SET v[0] = :v',
      ExpressionAttributeValues: { ':v': nested(30) },
    };
    expect((await t.send('UpdateItem', update)).status).toBe(200);
    const deeper = { ...update, ExpressionAttributeValues: { ':v': nested(31) } };
    expect(await t.refusal('UpdateItem', deeper)).toBe(tooDeep);
  });

  it('preserve numbers of 38 digits', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'numbers');
    const digits = '12345678901234567890123456789012345678';
    await t.db.putItem({ TableName: 'numbers', Item: { id: { S: 'x' }, n: { N: digits } } });
    const { Attributes } = await t.db.updateItem({
      TableName: 'numbers',
      Key: { id: { S: 'x' } },
      UpdateExpression: 'SET n = n - :n',
      ExpressionAttributeValues: { ':n': { N: '8' } },
      ReturnValues: 'UPDATED_NEW',
    });
    expect(Attributes).toEqual({ n: { N: '12345678901234567890123456789012345670' } });
  });
});

describe('a transaction', () => {
  it('is rejected for an invalid expression before any table is looked up', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'there');
    const check = { TableName: 'there', Key: { id: { S: 'x' } }, ConditionExpression: 'attribute_not_exists(' };
    expect(
      await t.refusal('TransactWriteItems', {
        TransactItems: [{ Put: { TableName: 'nowhere', Item: { id: { S: 'x' } } } }, { ConditionCheck: check }],
      }),
    ).toBe('Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("');
    expect(
      await t.refusal('TransactWriteItems', {
        TransactItems: [{ Put: { TableName: 'there', Item: { id: { S: 'x'.repeat(409_600) } } } }],
      }),
    ).toBe('Item size has exceeded the maximum allowed size');
  });

  it('reports read capacity when repeated', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'things');
    const request = {
      TransactItems: [{ Put: { TableName: 'things', Item: { id: { S: 'x' }, v: { S: 'v'.repeat(5000) } } } }],
      ClientRequestToken: 'once',
      ReturnConsumedCapacity: 'TOTAL' as const,
    };
    const first = await t.db.transactWriteItems(request);
    expect(first.ConsumedCapacity).toEqual([{ TableName: 'things', CapacityUnits: 10, WriteCapacityUnits: 10 }]);
    const again = await t.db.transactWriteItems(request);
    expect(again.ConsumedCapacity).toEqual([{ TableName: 'things', CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  });
});
