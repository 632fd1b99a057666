import { createHash } from 'node:crypto';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DynamoTest, keys, makeIndexed, makeTable, startDynamo } from './support.ts';

/** Tests of AWS behaviours that are easy to get wrong; behaviours.json has their sources. */
let t: DynamoTest;
beforeAll(async () => {
  t = await startDynamo();
  await makeIndexed(t);
  await makeTable(t, 'texts', 'a:S', 'b:S');
  await t.db.createTable(warmIndex());
});
afterAll(() => t[Symbol.asyncDispose]());

test.each([
  ['REMOVE', { UpdateExpression: 'REMOVE x' }],
  ['REMOVE of a part', { UpdateExpression: 'REMOVE x.y' }],
  ['DELETE', { UpdateExpression: 'DELETE x :s', ExpressionAttributeValues: { ':s': { SS: ['a'] } } }],
  ['a DELETE of the old kind', { AttributeUpdates: { x: { Action: 'DELETE' as const } } }],
])('%s on a missing item creates no item', async (_name, update) => {
  const Key = { a: { S: 'missing' } };
  const { Attributes } = await t.db.updateItem({ TableName: 'tab', Key, ReturnValues: 'ALL_NEW', ...update });
  expect(Attributes).toBeUndefined();
  expect((await t.db.getItem({ TableName: 'tab', Key })).Item).toBeUndefined();
});

test('an update without an expression creates an item from its key', async () => {
  const Key = { a: { S: 'bare' } };
  await t.db.updateItem({ TableName: 'tab', Key });
  expect((await t.db.getItem({ TableName: 'tab', Key })).Item).toEqual(Key);
  await t.db.deleteItem({ TableName: 'tab', Key });
});

test('rejects tables, streams and iterators of another region', async () => {
  const far = t.client({ region: 'eu-west-1' });
  const { TableDescription } = await far.createTable({
    TableName: 'far',
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    ...keys('id:S'),
  });
  const { TableArn: table, LatestStreamArn: stream } = TableDescription!;
  const wrong = (arn?: string) => ({
    name: 'ValidationException',
    message: `1 validation error detected: Invalid AWS region in '${arn}'`,
  });
  await expect(t.db.describeTable({ TableName: table })).rejects.toMatchObject(wrong(table));
  await expect(t.db.getItem({ TableName: table, Key: { id: { S: 'a' } } })).rejects.toMatchObject(wrong(table));
  await expect(t.streams.describeStream({ StreamArn: stream })).rejects.toMatchObject(wrong(stream));
  const there = new DynamoDBStreams(t.emulator.clientConfig({ region: 'eu-west-1' }));
  const { StreamDescription } = await there.describeStream({ StreamArn: stream });
  const { ShardIterator } = await there.getShardIterator({
    StreamArn: stream,
    ShardId: StreamDescription!.Shards![0]!.ShardId,
    ShardIteratorType: 'LATEST',
  });
  await expect(t.streams.getRecords({ ShardIterator })).rejects.toMatchObject(wrong(stream));
});

/** Secondary index keys that DynamoDB rejects. @see https://github.com/nubo-db/dynamodb-conformance */
describe('keys of an index', () => {
  const TableName = 'idx';
  const Key = { a: { S: 'keyed' }, b: { N: '1' } };
  const long = 'x'.repeat(2049);
  const EMPTY = 'The AttributeValue for a key attribute cannot contain an empty string value.';
  const NOT_VALID = 'One or more parameter values are not valid.';
  const emptyPut = `${NOT_VALID} A value specified for a secondary index key is not supported. ${EMPTY} IndexName: gsi, IndexKey: c`;
  const emptyUpdate = `${NOT_VALID} The update expression attempted to update a secondary index key to a value that is not supported. ${EMPTY}`;
  const longPut =
    'One or more parameter values were invalid: Size limit exceeded for Index Key c Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: gsi';
  const longUpdate = 'The update expression attempted to update the secondary index key beyond allowed size limits';
  const put = (c: string) => ({ TableName, Item: { ...Key, c: { S: c } } });
  const update = (c: string) => ({
    TableName,
    Key,
    UpdateExpression: 'SET c = :c',
    ExpressionAttributeValues: { ':c': { S: c } },
  });
  const insert = (c: string) => ({
    Statement: `INSERT INTO idx VALUE {'a': 'keyed', 'b': 1, 'c': ?}`,
    Parameters: [{ S: c }],
  });
  const statement = (c: string) => ({
    Statement: `UPDATE idx SET c = ? WHERE a = 'keyed' AND b = 1`,
    Parameters: [{ S: c }],
  });

  test.each<[string, (c: string) => object, string, string]>([
    ['PutItem', put, emptyPut, longPut],
    ['UpdateItem', update, emptyUpdate, longUpdate],
    ['UpdateItem', (c) => ({ TableName, Key, AttributeUpdates: { c: { Value: { S: c } } } }), emptyUpdate, longUpdate],
    ['BatchWriteItem', (c) => ({ RequestItems: { idx: [{ PutRequest: { Item: put(c).Item } }] } }), emptyPut, longPut],
    ['ExecuteStatement', insert, emptyPut, longPut],
  ])('are rejected by %s if empty or too long', async (operation, input, empty, tooLong) => {
    expect(await t.refusal(operation, input(''))).toBe(empty);
    expect(await t.refusal(operation, input(long))).toBe(tooLong);
  });

  test('are rejected by an UPDATE statement', async () => {
    await t.db.putItem({ TableName, Item: Key });
    expect(await t.refusal('ExecuteStatement', statement(''))).toBe(emptyUpdate);
    expect(await t.refusal('ExecuteStatement', statement(long))).toBe(longUpdate);
  });

  test.each<[string, (c: string) => object, string, string]>([
    ['TransactWriteItems', (c) => ({ TransactItems: [{ Put: put(c) }] }), emptyPut, longPut],
    ['TransactWriteItems', (c) => ({ TransactItems: [{ Update: update(c) }] }), emptyUpdate, longUpdate],
    ['ExecuteTransaction', (c) => ({ TransactStatements: [insert(c)] }), emptyPut, longPut],
  ])('reject %s if empty, and cancel it if too long', async (operation, input, empty, tooLong) => {
    expect(await t.refusal(operation, input(''))).toBe(empty);
    const { json } = await t.send(operation, input(long));
    expect(json).toMatchObject({ CancellationReasons: [{ Code: 'ValidationError', Message: tooLong }] });
  });
});

test('rejects index keys over 2,048 and 1,024 bytes, and omits existing ones from a new index', async () => {
  const TableName = 'long';
  const long = 'x'.repeat(2049);
  const Item = (id: string, g: string) => ({ id: { S: id }, g: { S: g } });
  await makeTable(t, TableName);
  await t.db.putItem({ TableName, Item: Item('before', long) });
  await t.db.putItem({ TableName, Item: Item('fits', long.slice(1)) });
  await t.db.updateTable({
    TableName,
    AttributeDefinitions: keys('id:S', 'g:S').AttributeDefinitions,
    GlobalSecondaryIndexUpdates: [
      { Create: { IndexName: 'gsi', KeySchema: keys('g:S', 'id:S').KeySchema, Projection: { ProjectionType: 'ALL' } } },
    ],
  });
  const { Items } = await t.db.scan({ TableName, IndexName: 'gsi' });
  expect(Items?.map(({ id }) => id?.S)).toEqual(['fits']);
  expect(await t.refusal('PutItem', { TableName, Item: Item('after', long) })).toBe(
    'One or more parameter values were invalid: Size limit exceeded for Index Key g Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: gsi',
  );
  expect(await t.refusal('PutItem', { TableName, Item: Item('x'.repeat(1025), 'g') })).toBe(
    'One or more parameter values were invalid: Size limit exceeded for Index Key id Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: gsi',
  );
  // Items from before the index can still be replaced and deleted.
  await t.db.putItem({ TableName, Item: Item('before', 'short') });
  await t.db.deleteItem({ TableName, Key: { id: { S: 'before' } } });
});

test.each([
  [
    'without the definitions of its keys',
    [],
    'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: []',
  ],
  [
    'against the definitions of the table',
    keys('b:S').AttributeDefinitions,
    'One or more parameter values were invalid: Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{a:S:HASH}, SchemaElement: key{b:N:RANGE}] New schema: Schema:[SchemaElement: key{b:S:HASH}]',
  ],
])('rejects a new index %s', async (_what, AttributeDefinitions, message) => {
  const index = {
    IndexName: 'added',
    KeySchema: keys('b:S').KeySchema,
    Projection: { ProjectionType: 'ALL' },
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  };
  expect(
    await t.refusal('UpdateTable', {
      TableName: 'rng',
      AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create: index }],
    }),
  ).toBe(message);
});

test('scans and segments follow the MD5 of the partition key', async () => {
  const TableName = 'scanned';
  await makeTable(t, TableName);
  for (const id of ['3435', '1668', '228', '3635']) await t.db.putItem({ TableName, Item: { id: { S: id } } });
  const scan = async (Segment?: number) => {
    const { Items } = await t.db.scan({ TableName, ...(Segment !== undefined && { Segment, TotalSegments: 4096 }) });
    return Items?.map(({ id }) => id!.S);
  };
  expect(await scan(0)).toEqual(expect.arrayContaining(['228', '3635']));
  expect(await scan(1)).toEqual(['1668']);
  expect(await scan(4)).toEqual(['3435']);
  expect((await scan())?.slice(2)).toEqual(['1668', '3435']);
  const order = ['-1', '-0.000000000001', '0', '1', '-99999999999999999999999999999999999999', '12345.678'];
  await makeTable(t, 'numbered', 'id:N');
  for (const N of order) await t.db.putItem({ TableName: 'numbered', Item: { id: { N } } });
  const bytes = {
    '-1': '3e6466',
    '-0.000000000001': '446466',
    '0': '80',
    '1': 'c102',
    '-99999999999999999999999999999999999999': '2c02020202020202020202020202020202020202' + '66',
    '12345.678': 'c302182e4451',
  };
  const place = (N: string) =>
    createHash('md5')
      .update('Outliers')
      .update(bytes[N as keyof typeof bytes], 'hex')
      .digest('hex');
  expect((await t.db.scan({ TableName: 'numbered' })).Items?.map(({ id }) => id!.N)).toEqual(
    order.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)),
  );
});

const run = (Statement: string) => t.db.executeStatement({ Statement });

test('a SELECT names nested values by their last name', async () => {
  expect((await run(`SELECT m.x, m.y, n, l[1] FROM tab WHERE a = 'u'`)).Items).toEqual([
    { x: { N: '1' }, y: { M: {} }, n: { N: '5' }, _4: { N: '2' } },
  ]);
});

test('FROM … WHERE … SET and REMOVE update an item', async () => {
  await run(`INSERT INTO tab VALUE {'a': 'from', 'x': 1, 'y': 2}`);
  await run(`FROM tab WHERE a = 'from' SET x = 3 REMOVE y`);
  expect((await run(`SELECT * FROM tab WHERE a = 'from'`)).Items).toEqual([{ a: { S: 'from' }, x: { N: '3' } }]);
});

test.each([`SELECT _x FROM tab`, `SELECT * FROM _tab`, `SELECT * FROM tab WHERE _x = 1`])(
  'requires quotes for names with a leading underscore: %s',
  async (Statement) => {
    expect(await t.refusal('ExecuteStatement', { Statement })).toBe(
      `Statement wasn't well formed, can't be processed: Syntax error; token: "_"`,
    );
    expect((await run(`SELECT "_x" FROM tab WHERE a = 'c'`)).Items).toEqual([{}]);
  },
);

test('accepts numbers with a leading plus', async () => {
  await t.db.putItem({ TableName: 'tab', Item: { a: { S: 'plus' }, n: { N: '+5' }, ns: { NS: ['+1', '2e+1'] } } });
  await run(`UPDATE tab SET m = +7.50 WHERE a = 'plus'`);
  expect((await t.db.getItem({ TableName: 'tab', Key: { a: { S: 'plus' } } })).Item).toEqual({
    a: { S: 'plus' },
    n: { N: '5' },
    ns: { NS: ['1', '20'] },
    m: { N: '7.5' },
  });
});

test('appends elements beyond the end of a list by index', async () => {
  const { Attributes } = await t.db.updateItem({
    TableName: 'tab',
    Key: { a: { S: 'list' } },
    UpdateExpression: 'SET l = :l',
    ExpressionAttributeValues: { ':l': { L: [{ S: 'first' }] } },
    ReturnValues: 'ALL_NEW',
  });
  expect(Attributes?.l).toEqual({ L: [{ S: 'first' }] });
  const updated = await t.db.updateItem({
    TableName: 'tab',
    Key: { a: { S: 'list' } },
    UpdateExpression: 'SET l[9] = :nine, x = :nine, l[5] = :five, l[7] = :seven',
    ExpressionAttributeValues: { ':nine': { S: '9' }, ':five': { S: '5' }, ':seven': { S: '7' } },
    ReturnValues: 'ALL_NEW',
  });
  expect(updated.Attributes?.l).toEqual({ L: [{ S: 'first' }, { S: '5' }, { S: '7' }, { S: '9' }] });
});

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html */
const INITIAL =
  'initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial';
const warmIndex = (WarmThroughput?: object) => ({
  TableName: 'warmed',
  BillingMode: 'PAY_PER_REQUEST' as const,
  ...keys('a:S'),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'gsi',
      KeySchema: keys('a:S').KeySchema,
      Projection: { ProjectionType: 'ALL' as const },
      WarmThroughput,
    },
  ],
});
const indexUpdate = (WarmThroughput: object) => ({
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', WarmThroughput } }],
});
const WARM =
  'One or more parameter values were invalid: Requested ReadUnitsPerSecond for WarmThroughput for table is lower than';
const EMPTY_KEY =
  'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: b';

test.each([
  [
    'warm throughput under that of on-demand capacity',
    'CreateTable',
    {
      TableName: 'warm',
      BillingMode: 'PAY_PER_REQUEST',
      WarmThroughput: { ReadUnitsPerSecond: 11_999 },
      ...keys('a:S'),
    },
    `${WARM} ${INITIAL}`,
  ],
  [
    'warm throughput of an index under that of on-demand capacity',
    'CreateTable',
    { ...warmIndex({ WriteUnitsPerSecond: 3999 }), TableName: 'warmer' },
    `${WARM.replace('Read', 'Write').replace('table', 'index gsi')} ${INITIAL}`,
  ],
  [
    'less warm throughput of an index than it has',
    'UpdateTable',
    { TableName: 'warmed', ...indexUpdate({ ReadUnitsPerSecond: 11_999 }) },
    `${WARM.replace('table', 'index gsi')} current WarmThroughput, decreasing WarmThroughput is not supported`,
  ],
  [
    'list_append within list_append',
    'UpdateItem',
    {
      TableName: 'tab',
      Key: { a: { S: 'u' } },
      UpdateExpression: 'SET l = list_append(list_append(l, :l), :l)',
      ExpressionAttributeValues: { ':l': { L: [] } },
    },
    'Invalid UpdateExpression: The function is not allowed to be used this way in an expression; function: list_append',
  ],
  [
    'an empty operand for a sort key',
    'Query',
    {
      TableName: 'texts',
      KeyConditionExpression: 'a = :a AND b > :b',
      ExpressionAttributeValues: { ':a': { S: 'x' }, ':b': { S: '' } },
    },
    EMPTY_KEY,
  ],
  [
    'a key to start behind in a query of one item',
    'Query',
    {
      TableName: 'tab',
      KeyConditionExpression: 'a = :a',
      ExpressionAttributeValues: { ':a': { S: 'u' } },
      ExclusiveStartKey: { a: { S: 'u' } },
    },
    'The query can return at most one row and cannot be restarted',
  ],
  [
    'a tag with characters that tags may not have',
    'CreateTable',
    { TableName: 'tagged', BillingMode: 'PAY_PER_REQUEST', Tags: [{ Key: 'hi!', Value: 'x' }], ...keys('a:S') },
    'Tag Key contains invalid characters, Key: hi!',
  ],
])('rejects %s', async (_what, operation, input, message) => {
  expect(await t.refusal(operation, input)).toBe(message);
});

test('rejects stream limits that are too high, a sequence number with LATEST and an incomplete shard filter', async () => {
  const { TableDescription } = await t.db.createTable({
    TableName: 'streamed',
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    ...keys('id:S'),
  });
  const StreamArn = TableDescription!.LatestStreamArn!;
  const { StreamDescription } = await t.streams.describeStream({ StreamArn });
  const { ShardId, SequenceNumberRange } = StreamDescription!.Shards![0]!;
  const { ShardIterator } = await t.streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'LATEST' });
  const beyond = (limit: number, most: number) =>
    `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: Member must have value less than or equal to ${most}`;
  await expect(t.streams.getRecords({ ShardIterator, Limit: 1001 })).rejects.toThrow(beyond(1001, 1000));
  await expect(t.streams.listStreams({ Limit: 101 })).rejects.toThrow(beyond(101, 100));
  await expect(
    t.streams.getShardIterator({
      StreamArn,
      ShardId,
      ShardIteratorType: 'LATEST',
      SequenceNumber: SequenceNumberRange!.StartingSequenceNumber,
    }),
  ).rejects.toThrow('SequenceNumber must not be specified for LATEST');
  await expect(t.streams.describeStream({ StreamArn, ShardFilter: { Type: 'CHILD_SHARDS' } })).rejects.toThrow(
    'ShardFilter must have both Type and ShardId',
  );
});

test('rejects the deletion of system backups', async () => {
  const TableName = 'recovered';
  await makeTable(t, TableName);
  await t.db.updateContinuousBackups({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  await t.db.deleteTable({ TableName });
  const { BackupSummaries } = await t.db.listBackups({ BackupType: 'SYSTEM' });
  const { BackupArn } = BackupSummaries![0]!;
  await expect(t.db.deleteBackup({ BackupArn })).rejects.toMatchObject({ name: 'ValidationException' });
  expect((await t.db.listBackups({ BackupType: 'SYSTEM' })).BackupSummaries).toHaveLength(1);
});

test('returns `Message` for a failed condition with its item', async () => {
  const put = { TableName: 'tab', Item: { a: { S: 'u' } }, ConditionExpression: 'attribute_not_exists(a)' };
  const shown = await t.send('PutItem', { ...put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
  expect(shown).toMatchObject({
    status: 400,
    json: {
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      Message: 'The conditional request failed',
      Item: { a: { S: 'u' } },
    },
  });
  expect(shown.json).not.toHaveProperty('message');
  expect((await t.send('PutItem', put)).json).toMatchObject({ message: 'The conditional request failed' });
  await expect(t.db.putItem({ ...put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    message: 'The conditional request failed',
    Item: { a: { S: 'u' } },
  });
});

test('restores a table to five minutes ago', async () => {
  const TableName = 'texts';
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await t.db.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification });
  await t.advance(600);
  const { ContinuousBackupsDescription } = await t.db.describeContinuousBackups({ TableName });
  const { EarliestRestorableDateTime, LatestRestorableDateTime } =
    ContinuousBackupsDescription!.PointInTimeRecoveryDescription!;
  expect(LatestRestorableDateTime!.getTime() - EarliestRestorableDateTime!.getTime()).toBe(300_000);
});

test('reports the first invalid part of a transaction', async () => {
  const wrong = { TableName: 'tab', Key: { a: { N: '1' } } };
  const { json } = await t.send('TransactWriteItems', {
    TransactItems: [
      { Delete: { TableName: 'tab', Key: { a: { S: 'none' } } } },
      { Delete: wrong },
      { Delete: { ...wrong, Key: { a: { N: '2' } } } },
    ],
  });
  expect(json.CancellationReasons.map(({ Code }: { Code: string }) => Code)).toEqual([
    'None',
    'ValidationError',
    'None',
  ]);
});

test('rejects a key of three attributes before checking their definitions', async () => {
  const KeySchema = ['a', 'b', 'c'].map((AttributeName) => ({ AttributeName, KeyType: 'HASH' }));
  const AttributeDefinitions = keys('a:S').AttributeDefinitions;
  expect(
    await t.refusal('CreateTable', {
      TableName: 'three',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema,
      AttributeDefinitions,
    }),
  ).toContain("at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2");
});

test('rejects attributes without a name', async () => {
  expect(await t.refusal('PutItem', { TableName: 'tab', Item: { a: { S: 'x' }, '': { S: 'x' } } })).toBe(
    'One or more parameter values were invalid: An attribute name must have at least one character',
  );
});

test('rejects text in place of a boolean before anything else', async () => {
  const { status, json } = await t.send('UpdateTimeToLive', {
    TableName: 'tab',
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: 'dog' },
  });
  expect({ status, json }).toMatchObject({
    status: 400,
    json: {
      __type: 'com.amazon.coral.service#SerializationException',
      Message: "'dog' can not be converted to an Boolean",
    },
  });
});

test.each([
  [
    'Scan',
    { TableName: 'tab', Select: 'hi' },
    'select',
    'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES',
  ],
  ['Scan', { TableName: 'tab', ConditionalOperator: 'hi' }, 'conditionalOperator', 'OR, AND'],
  [
    'PutItem',
    { TableName: 'tab', Item: {}, ReturnValues: 'hi' },
    'returnValues',
    'ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW',
  ],
  [
    'CreateTable',
    {
      TableName: 'wrong',
      KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'hi' }],
    },
    'attributeDefinitions.1.member.attributeType',
    'B, N, S',
  ],
])('%s lists the values of an enumeration as AWS does: %j', async (operation, input, path, values) => {
  expect(await t.refusal(operation, input)).toBe(
    `1 validation error detected: Value 'hi' at '${path}' failed to satisfy constraint: Member must satisfy enum value set: [${values}]`,
  );
});

test("hides the tags of another account's table", async () => {
  const ResourceArn = 'arn:aws:dynamodb:us-east-1:111111111111:table/theirs';
  expect(await t.refusal('ListTagsOfResource', { ResourceArn })).toMatch(
    /^AccessDeniedException: User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:ListTagsOfResource on resource: .*table\/theirs because no resource-based policy allows/,
  );
  const own = ResourceArn.replace('111111111111', '000000000000');
  expect(await t.refusal('ListTagsOfResource', { ResourceArn: own })).toBe(
    `ResourceNotFoundException: Requested resource not found: ResourcArn: ${own} not found`,
  );
});
