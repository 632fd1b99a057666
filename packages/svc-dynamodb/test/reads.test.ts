import { describe, expect, it } from 'vitest';
import { type DynamoTest, keys, makeIndexed, makeTable, startDynamo } from './support.ts';

/** Reads all pages with the given `Limit` and other members. */
async function readAll(t: DynamoTest, operation: 'Query' | 'Scan', input: Record<string, unknown>) {
  // biome-ignore lint/suspicious/noExplicitAny: items of every shape
  const pages: any[][] = [];
  let ExclusiveStartKey: unknown;
  do {
    const { status, json } = await t.send(operation, { ...input, ExclusiveStartKey });
    expect(status).toBe(200);
    pages.push(json.Items);
    ExclusiveStartKey = json.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return pages;
}

const equals = { KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': { S: 'p' } } };

async function filled(t: DynamoTest, type: 'S' | 'N' | 'B', values: string[]) {
  await makeTable(t, 'sorted', 'id:S', `v:${type}`);
  for (const value of values)
    await t.send('PutItem', { TableName: 'sorted', Item: { id: { S: 'p' }, v: { [type]: value } } });
}

describe('order of sort keys', () => {
  it.each([
    [
      'N',
      ['10', '-1e100', '9', '1E-100', '0', '-5', '12345678901234567890123456789012345678'],
      [`-1${'0'.repeat(100)}`, '-5', '0', `0.${'0'.repeat(99)}1`, '9', '10', '12345678901234567890123456789012345678'],
    ],
    ['S', ['b', 'a', 'B', '\uffff', '\u{1f600}', 'ab', 'é'], ['B', 'a', 'ab', 'b', 'é', '\uffff', '\u{1f600}']],
    ['B', ['/w==', 'AA==', 'AAE=', 'fw=='], ['AA==', 'AAE=', 'fw==', '/w==']],
  ] as const)('is correct for %s values, in both directions and in pages', async (type, given, sorted) => {
    await using t = await startDynamo();
    await filled(t, type, [...given]);
    for (const ScanIndexForward of [true, false])
      for (const Limit of [1, 3, 100]) {
        const pages = await readAll(t, 'Query', { TableName: 'sorted', ...equals, ScanIndexForward, Limit });
        const seen = pages.flat().map((item) => item.v[type]);
        expect(seen).toEqual(ScanIndexForward ? [...sorted] : [...sorted].reverse());
      }
  });

  it('supports begins_with for all values with the prefix', async () => {
    await using t = await startDynamo();
    await filled(t, 'S', ['a', 'ab', 'ab\u{10ffff}', 'ab\uffffz', 'ac', 'b']);
    for (const ScanIndexForward of [true, false]) {
      const pages = await readAll(t, 'Query', {
        TableName: 'sorted',
        KeyConditionExpression: 'id = :id AND begins_with(v, :v)',
        ExpressionAttributeValues: { ':id': { S: 'p' }, ':v': { S: 'ab' } },
        ScanIndexForward,
        Limit: 1,
      });
      const seen = pages.flat().map((item) => item.v.S);
      const expected = ['ab', 'ab\uffffz', 'ab\u{10ffff}'];
      expect(seen).toEqual(ScanIndexForward ? expected : expected.reverse());
    }
  });
});

describe('pages', () => {
  it('end after 1 MB regardless of the filter', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'pages', 'id:S', 'n:N');
    for (let n = 0; n < 12; n++)
      await t.db.putItem({
        TableName: 'pages',
        Item: { id: { S: 'p' }, n: { N: String(n) }, v: { S: 'x'.repeat(200 * 1024) } },
      });
    const { json } = await t.send('Query', {
      TableName: 'pages',
      ...equals,
      FilterExpression: 'n2 = :id',
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect(json).toMatchObject({ Count: 0, ScannedCount: 6, LastEvaluatedKey: { n: { N: '5' } } });
    expect(json.ConsumedCapacity.CapacityUnits).toBe(150.5);
    const pages = await readAll(t, 'Scan', { TableName: 'pages' });
    expect(pages.map((page) => page.length)).toEqual([6, 6, 0]);
  });

  it('of parallel segments return each item once', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'segments');
    for (let n = 0; n < 100; n++) await t.db.putItem({ TableName: 'segments', Item: { id: { S: String(n) } } });
    const seen: string[] = [];
    for (let Segment = 0; Segment < 7; Segment++) {
      const pages = await readAll(t, 'Scan', { TableName: 'segments', Segment, TotalSegments: 7, Limit: 5 });
      expect(pages.flat().length).toBeGreaterThan(0);
      seen.push(...pages.flat().map((item) => item.id.S));
    }
    expect(seen).toHaveLength(100);
    expect(new Set(seen).size).toBe(100);
  });
});

describe('indexes', () => {
  it('contain items with their keys, limited to the projection', async () => {
    await using t = await startDynamo();
    await t.db.createTable({
      TableName: 'indexed',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys('id:S', 'n:N').KeySchema,
      AttributeDefinitions: [...keys('id:S', 'n:N').AttributeDefinitions, ...keys('g:S', 'l:S').AttributeDefinitions],
      LocalSecondaryIndexes: [
        { IndexName: 'local', KeySchema: keys('id:S', 'l:S').KeySchema, Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'global',
          KeySchema: keys('g:S').KeySchema,
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['v'] },
        },
      ],
    });
    const put = (n: number, more: object) =>
      t.send('PutItem', {
        TableName: 'indexed',
        Item: { id: { S: 'p' }, n: { N: String(n) }, w: { S: 'w' }, ...more },
      });
    await put(1, { l: { S: 'b' }, g: { S: 'x' }, v: { S: 'v1' } });
    await put(2, { l: { S: 'a' } });
    await put(3, { g: { S: 'x' } });
    const local = { TableName: 'indexed', IndexName: 'local', ...equals };
    const byLocal = (await t.send('Query', local)).json.Items;
    expect(byLocal).toEqual([
      { id: { S: 'p' }, n: { N: '2' }, l: { S: 'a' } },
      { id: { S: 'p' }, n: { N: '1' }, l: { S: 'b' } },
    ]);
    // A local index fetches attributes outside its projection from the table; a global one does not.
    const fetched = (await t.send('Query', { ...local, ProjectionExpression: 'w' })).json.Items;
    expect(fetched).toEqual([{ w: { S: 'w' } }, { w: { S: 'w' } }]);
    const all = (await t.send('Scan', { TableName: 'indexed', IndexName: 'global' })).json.Items;
    expect(all).toEqual([
      { id: { S: 'p' }, n: { N: '1' }, g: { S: 'x' }, v: { S: 'v1' } },
      { id: { S: 'p' }, n: { N: '3' }, g: { S: 'x' } },
    ]);
    // An item without the index key is removed from the index.
    await put(3, {});
    expect((await t.send('Scan', { TableName: 'indexed', IndexName: 'global' })).json.Count).toBe(1);
    const { Table } = await t.db.describeTable({ TableName: 'indexed' });
    expect(Table).toMatchObject({
      ItemCount: 3,
      LocalSecondaryIndexes: [{ ItemCount: 2 }],
      GlobalSecondaryIndexes: [{ ItemCount: 1 }],
    });
  });
});

describe('reading through a local index', () => {
  it('counts each item fetched from the table', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    for (const n of ['1', '2'])
      await t.db.putItem({
        TableName: 'idx',
        Item: { a: { S: 'p' }, b: { N: n }, d: { N: n }, f: { S: 'x'.repeat(5000) } },
      });
    const query = {
      TableName: 'idx',
      IndexName: 'lsi',
      KeyConditionExpression: 'a = :a',
      ExpressionAttributeValues: { ':a': { S: 'p' } },
      ReturnConsumedCapacity: 'INDEXES',
    } as const;
    expect((await t.db.query(query)).ConsumedCapacity).toMatchObject({
      CapacityUnits: 0.5,
      Table: { CapacityUnits: 0 },
    });
    const fetched = await t.db.query({ ...query, Select: 'ALL_ATTRIBUTES', ConsistentRead: true });
    expect(fetched.Items?.[0]?.f?.S).toHaveLength(5000);
    expect(fetched.ConsumedCapacity).toEqual({
      TableName: 'idx',
      CapacityUnits: 5,
      Table: { CapacityUnits: 4 },
      LocalSecondaryIndexes: { lsi: { CapacityUnits: 1 } },
    });
  });
});

describe('an index with several sort key attributes', () => {
  it('is queried by equalities on leading attributes and one comparison', async () => {
    await using t = await startDynamo();
    await t.db.createTable({
      TableName: 'many',
      BillingMode: 'PAY_PER_REQUEST',
      ...keys('pk:S'),
      AttributeDefinitions: ['pk', 'h', 'a', 'b', 'c'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'gsi',
          KeySchema: [
            { AttributeName: 'h', KeyType: 'HASH' },
            ...['a', 'b', 'c'].map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    const items = { p1: 'T live b', p2: 'T live a', p3: 'T draft c', p4: 'F live a', p5: 'T live' };
    for (const [pk, attributes] of Object.entries(items)) {
      const [a, b, c] = attributes.split(' ');
      const Item = { pk, h: 'o', a: a!, b: b!, ...(c !== undefined && { c }) };
      await t.send('PutItem', {
        TableName: 'many',
        Item: Object.fromEntries(Object.entries(Item).map(([name, S]) => [name, { S }])),
      });
    }
    const query = (KeyConditionExpression: string) => {
      const values = { ':h': 'o', ':a': 'T', ':b': 'live', ':c': 'a' };
      const used = Object.entries(values).filter(([name]) => KeyConditionExpression.includes(name));
      const ExpressionAttributeValues = Object.fromEntries(used.map(([name, S]) => [name, { S }]));
      return { TableName: 'many', IndexName: 'gsi', KeyConditionExpression, ExpressionAttributeValues };
    };
    const found = async (condition: string) =>
      (await t.send('Query', query(condition))).json.Items.map((item: { pk: { S: string } }) => item.pk.S);
    expect(await found('h = :h')).toEqual(['p4', 'p3', 'p2', 'p1']);
    expect(await found('b = :b AND h = :h AND a = :a')).toEqual(['p2', 'p1']);
    expect(await found('h = :h AND a = :a AND b = :b AND c > :c')).toEqual(['p1']);
    expect(await found('h = :h AND a = :a AND b < :b')).toEqual(['p3']);
    for (const [condition, open, behind] of [
      ['h = :h AND a = :a AND c = :c', 'b', 'c'],
      ['h = :h AND a = :a AND b > :b AND c = :c', 'b', 'c'],
      ['h = :h AND b = :b', 'a', 'b'],
    ] as const)
      expect(await t.refusal('Query', query(condition))).toBe(
        `RANGE key attributes ${open} must have equality conditions specified in the query because a condition is present on key attribute ${behind}`,
      );
  });
});
