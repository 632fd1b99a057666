import { KMS } from '@aws-sdk/client-kms';
import { fakeService } from '@emu/gateway/testing';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { describe, expect, test } from 'vitest';
import { available, comparable, normalized, recorded } from '../../../packages/svc-dynamodb/test/recordings.ts';
import { type DynamoTest, keys, makeTable, REGION, startDynamo } from '../../../packages/svc-dynamodb/test/support.ts';

const SHAPE = { TableName: 'things', ...keys('id:S') };
const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
const id = (value: string) => ({ id: { S: value } });
const BOTH = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/** Compares a response with the recorded one. */
function same(name: string, answer: string, actual: unknown, values = new Map<string, string>()): void {
  const expected = comparable(recorded(name, answer));
  expect(normalized(actual, expected, values), `${name} ${answer}`).toEqual(expected);
}

type Scenario = (t: DynamoTest) => Promise<unknown>;

async function recordsOf(t: DynamoTest, TableName: string): Promise<unknown> {
  const { Table } = await t.db.describeTable({ TableName });
  const { StreamDescription } = await t.streams.describeStream({ StreamArn: Table!.LatestStreamArn });
  const { ShardIterator } = await t.streams.getShardIterator({
    StreamArn: Table!.LatestStreamArn,
    ShardId: StreamDescription!.Shards![0]!.ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await t.streams.getRecords({ ShardIterator });
  return { Records };
}

/** Recorded failures: test, response, the request, and values for the placeholders of its message. */
const FAILURES: [string, string, Scenario][] = [
  [
    'test_batch_write_not_existing_table',
    'exc-not-found-transact-write-items',
    (t) => t.db.transactWriteItems({ TransactItems: [{ Put: { TableName: 'nope', Item: id('x') } }] }),
  ],
  [
    'test_return_values_on_conditions_check_failure',
    'items',
    async (t) => {
      await makeTable(t, 'things');
      await t.db.putItem({
        TableName: 'things',
        Item: { ...id('456'), price: { N: '650' }, product: { S: 'sporting goods' } },
      });
      return t.db.deleteItem({
        TableName: 'things',
        Key: id('456'),
        ConditionExpression: 'price > :most',
        ExpressionAttributeValues: { ':most': { N: '700' } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
    },
  ],
  [
    'test_dynamodb_execute_statement_empy_parameter',
    'invalid-param-error',
    (t) => t.db.executeStatement({ Statement: 'SELECT * FROM "things"', Parameters: [] }),
  ],
  ['test_table_crud', 'delete-non-existent-table', (t) => t.db.deleteTable({ TableName: 'non-existent' })],
  [
    'test_kinesis_streaming_destination_crud',
    'enable-bad-table',
    (t) => t.db.enableKinesisStreamingDestination({ TableName: 'bad-table', StreamArn: streamArn('s') }),
  ],
  [
    'test_kinesis_streaming_destination_crud',
    'disable-bad-table',
    (t) => t.db.disableKinesisStreamingDestination({ TableName: 'bad-table', StreamArn: streamArn('s') }),
  ],
  ['test_kinesis_streaming_destination_crud', 'update-missing-params', (t) => updateDestination(t, {})],
  [
    'test_kinesis_streaming_destination_crud',
    'update-bad-precision',
    (t) => updateDestination(t, { precision: 'SECOND' }),
  ],
  [
    'test_kinesis_streaming_destination_crud',
    'update-bad-stream-arn',
    (t) => updateDestination(t, { precision: 'MICROSECOND', stream: 'bad-stream' }),
  ],
  [
    'test_kinesis_streaming_destination_crud',
    'update-no-idempotency',
    async (t) => {
      await updateDestination(t, { precision: 'MICROSECOND' });
      return updateDestination(t, { precision: 'MICROSECOND' }, false);
    },
  ],
  [
    'test_non_existent_stream',
    'non-existent-stream',
    (t) =>
      t.streams.describeStream({
        StreamArn: `arn:aws:dynamodb:${REGION}:000000000000:table/things/stream/2024-11-18T14:36:44.149`,
      }),
  ],
];

const streamArn = (name: string) => `arn:aws:kinesis:${REGION}:000000000000:stream/${name}`;

async function updateDestination(
  t: DynamoTest,
  { precision, stream = 'stream' }: { precision?: string; stream?: string },
  enable = true,
): Promise<unknown> {
  if (enable) {
    await makeTable(t, 'things');
    await t.db.enableKinesisStreamingDestination({ TableName: 'things', StreamArn: streamArn('stream') });
  }
  return t.db.updateKinesisStreamingDestination({
    TableName: 'things',
    StreamArn: streamArn(stream),
    ...(precision !== undefined && {
      UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: precision as 'MICROSECOND' },
    }),
  });
}

/** Failures recorded only as the message of the recorder's client. */
const SENTENCES: [string, string, Scenario][] = [
  [
    'test_create_duplicate_table',
    'Error',
    async (t) => {
      await makeTable(t, 'test-table');
      return makeTable(t, 'test-table');
    },
  ],
  [
    'test_transaction_write_canceled',
    'Error',
    async (t) => {
      await makeTable(t, 'things');
      const condition = { TableName: 'things', ConditionExpression: 'attribute_exists(id)' };
      return t.db.transactWriteItems({
        TransactItems: [
          { ConditionCheck: { ...condition, Key: id('a') } },
          { Put: { TableName: 'things', Item: id('b') } },
        ],
      });
    },
  ],
  [
    'test_dynamodb_pay_per_request',
    'Error',
    (t) => t.db.createTable({ ...SHAPE, ProvisionedThroughput, BillingMode: 'PAY_PER_REQUEST' }),
  ],
  [
    'test_batch_write_not_matching_schema',
    'ValidationException',
    async (t) => {
      await t.db.createTable({ ...SHAPE, ...keys('id:S', 'n:N'), ProvisionedThroughput });
      return t.db.batchWriteItem({ RequestItems: { things: [{ DeleteRequest: { Key: id('x') } }] } });
    },
  ],
];

interface Failure extends Error {
  $metadata: { httpStatusCode: number };
  Item?: unknown;
}
async function failureOf(scenario: Scenario, t: DynamoTest): Promise<Failure> {
  try {
    await scenario(t);
  } catch (error) {
    return error as Failure;
  }
  throw new Error('was not refused');
}

const kinesis = fakeService('kinesis', {
  DescribeStreamSummary: () => ({ StreamDescriptionSummary: { StreamStatus: 'ACTIVE' } }),
  PutRecord: () => ({}),
  PutRecords: () => ({}),
});

describe.skipIf(!available)('recorded failures', () => {
  test.each(FAILURES)('%s %s', async (name, answer, scenario) => {
    await using t = await startDynamo({ manifests: [kinesis] });
    const {
      Error: error,
      Item,
      ResponseMetadata,
    } = recorded(name, answer) as {
      Error: { Code: string; Message: string };
      Item?: unknown;
      ResponseMetadata: { HTTPStatusCode: number };
    };
    const failure = await failureOf(scenario, t);
    expect({
      Code: failure.name,
      Message: normalized(failure.message, error.Message),
      status: failure.$metadata.httpStatusCode,
      Item: failure.Item,
    }).toEqual({ ...error, status: ResponseMetadata.HTTPStatusCode, Item });
  });

  test.each(SENTENCES)('%s %s', async (name, answer, scenario) => {
    await using t = await startDynamo();
    const { name: code, message } = await failureOf(scenario, t);
    const sentence = String(recorded(name, answer)).replaceAll('<test-table>', 'test-table');
    expect(sentence).toContain(`(${code})`);
    expect(sentence.endsWith(` operation: ${message}`)).toBe(true);
  });
});

describe.skipIf(!available)('recorded tables', () => {
  test('are created, described and deleted', async () => {
    await using t = await startDynamo();
    const name = 'test_table_crud';
    const values = new Map<string, string>();
    same(name, 'create-table', await t.db.createTable({ ...SHAPE, ProvisionedThroughput }), values);
    same(name, 'describe-table', await t.db.describeTable({ TableName: 'things' }), values);
    same(name, 'delete-table', await t.db.deleteTable({ TableName: 'things' }), values);
  });

  test('have the given warm throughput', async () => {
    await using t = await startDynamo();
    const name = 'test_table_warm_throughput';
    const WarmThroughput = { ReadUnitsPerSecond: 1000, WriteUnitsPerSecond: 1200 };
    same(name, 'create-table', await t.db.createTable({ ...SHAPE, ProvisionedThroughput, WarmThroughput }));
    same(name, 'describe-table', await t.db.describeTable({ TableName: 'things' }));
  });

  test.each(['PAY_PER_REQUEST', 'PROVISIONED'] as const)('have indexes, %s', async (BillingMode) => {
    await using t = await startDynamo();
    const name = `test_gsi_with_billing_mode[${BillingMode}]`;
    const provisioned = BillingMode === 'PROVISIONED';
    const created = await t.db.createTable({
      TableName: 'things',
      KeySchema: keys('TID:S').KeySchema,
      AttributeDefinitions: keys('TID:S', 'TRID:S').AttributeDefinitions,
      GlobalSecondaryIndexes: [
        {
          IndexName: 'TransactionRecordID',
          KeySchema: keys('TRID:S').KeySchema,
          Projection: { ProjectionType: 'ALL' },
          ...(provisioned && { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } }),
        },
      ],
      ...(provisioned ? { ProvisionedThroughput } : { BillingMode }),
    });
    same(name, 'create-table-with-gsi', created);
    const expected = comparable(recorded(name, 'describe-table')) as { Table: { GlobalSecondaryIndexes: object[] } };
    // Statuses in the recording are its recorder's variable; warm throughput becomes active with the table here.
    const { Table } = await t.db.describeTable({ TableName: 'things' });
    expect(normalized({ Table }, expected)).toEqual(expected);
  });

  test('have point-in-time recovery', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'things');
    const updated = await t.db.updateContinuousBackups({
      TableName: 'things',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    same('test_continuous_backup_update', 'update-continuous-backup', updated);
    const described = await t.db.describeContinuousBackups({ TableName: 'things' });
    same('test_continuous_backup_update', 'describe-continuous-backup', described);
  });

  test('have no contributor insights', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'things');
    same(
      'test_dynamodb_describe_contributor_insights',
      'describe-contributor-insights-disabled',
      await t.db.describeContributorInsights({ TableName: 'things' }),
    );
  });

  test('have Kinesis destinations', async () => {
    await using t = await startDynamo({ manifests: [kinesis] });
    const name = 'test_kinesis_streaming_destination_crud';
    await makeTable(t, 'things');
    const destination = { TableName: 'things', StreamArn: streamArn('stream') };
    const values = new Map<string, string>();
    same(name, 'enable', await t.db.enableKinesisStreamingDestination(destination), values);
    same(name, 'describe', await t.db.describeKinesisStreamingDestination({ TableName: 'things' }), values);
    const updated = await t.db.updateKinesisStreamingDestination({
      ...destination,
      UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: 'MICROSECOND' },
    });
    same(name, 'update', updated, values);
    same(name, 'disable', await t.db.disableKinesisStreamingDestination(destination), values);
  });

  test.each([
    ['test_dynamodb_create_table_with_partial_sse_specification', 'SSEDescription', 'KMSDescription'],
    ['test_dynamodb_update_table_without_sse_specification_change', 'create_table_sse_description', 'describe_kms_key'],
  ])('are encrypted with the AWS managed key: %s', async (name, description, key) => {
    await using t = await startDynamo({ manifests: [kmsManifest] });
    const { TableDescription } = await t.db.createTable({
      ...SHAPE,
      ProvisionedThroughput,
      SSESpecification: { Enabled: true },
    });
    const values = new Map<string, string>();
    same(name, description, TableDescription!.SSEDescription, values);
    const kms = new KMS(t.emulator.clientConfig());
    same(name, key, await kms.describeKey({ KeyId: TableDescription!.SSEDescription!.KMSMasterKeyArn }), values);
    const without = name.includes('without');
    const updated = await t.db.updateTable({
      TableName: 'things',
      ...(without ? { BillingMode: 'PAY_PER_REQUEST' } : { SSESpecification: { Enabled: false } }),
    });
    const answer = without ? 'update_table_sse_description' : 'update-table-disable-sse-spec';
    same(name, answer, updated.TableDescription!.SSEDescription, values);
    const { Table } = await t.db.describeTable({ TableName: 'things' });
    expect(Table!.SSEDescription?.Status).toBe(without ? 'ENABLED' : undefined);
  });

  test('have streams in each Region of a global table', async () => {
    await using t = await startDynamo();
    await t.db.createTable({ ...SHAPE, BillingMode: 'PAY_PER_REQUEST', StreamSpecification: BOTH });
    const table = await t.db.describeTable({ TableName: 'things' });
    same('test_table_v2_stream', 'global-table-v2', table);
  });
});

describe.skipIf(!available)('recorded items', () => {
  test('are returned by ReturnValues', async () => {
    await using t = await startDynamo();
    const name = 'test_return_values_in_put_item';
    await makeTable(t, 'things');
    const put = (key: string, ReturnValues?: 'ALL_OLD' | 'NONE') =>
      t.db.putItem({ TableName: 'things', Item: { ...id(key), data: { S: 'foobar' } }, ReturnValues });
    same(name, 'PutFirstItem', await put('id1', 'ALL_OLD'));
    same(name, 'PutFirstItemOLD', await put('id1', 'ALL_OLD'));
    same(name, 'PutSecondItem', await put('id2', 'ALL_OLD'));
    same(name, 'PutSecondItemReturnNone', await put('id2', 'NONE'));
  });

  test('are queried through a local index', async () => {
    await using t = await startDynamo();
    await t.db.createTable({
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys('PK:S', 'SK:S').KeySchema,
      AttributeDefinitions: [
        ...keys('PK:S', 'SK:S').AttributeDefinitions,
        { AttributeName: 'LSI1SK', AttributeType: 'N' },
      ],
      LocalSecondaryIndexes: [
        { IndexName: 'LSI1', KeySchema: keys('PK:S', 'LSI1SK:N').KeySchema, Projection: { ProjectionType: 'ALL' } },
      ],
    });
    await t.db.putItem({
      TableName: 'things',
      Item: { PK: { S: 'test one' }, SK: { S: 'hello' }, LSI1SK: { N: '123' } },
    });
    const found = await t.db.query({
      TableName: 'things',
      IndexName: 'LSI1',
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'test one' } },
    });
    same('test_valid_local_secondary_index', 'Items', found);
  });

  test('are read and written in batches and transactions', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'things');
    const { Table } = await t.db.describeTable({ TableName: 'things' });
    same(
      'test_batch_write_items',
      'BatchWriteResponse',
      await t.db.batchWriteItem({ RequestItems: { things: [{ PutRequest: { Item: id('Fred') } }] } }),
    );
    for (const [TableName, name, answer] of [
      ['things', 'John', 'TransactGetItems'],
      [Table!.TableArn!, 'Sarah', 'TransactGetItems-with-TableArn'],
    ] as const) {
      const written = await t.db.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: id(name) } }] });
      same('test_transaction_write_items', TableName === 'things' ? 'Response' : 'Response_using_table_arn', written);
      const read = await t.db.transactGetItems({ TransactItems: [{ Get: { TableName, Key: id(name) } }] });
      same('test_transact_get_items', answer, read);
    }
    await t.db.transactWriteItems({
      TransactItems: [
        { Put: { TableName: 'things', Item: { ...id('someUser'), binaryData: { B: Buffer.from('foobar') } } } },
      ],
    });
    const { Item } = await t.db.getItem({ TableName: 'things', Key: id('someUser') });
    same('test_transaction_write_binary_data', 'GetItem', Item);
    for (const answer of ['Response1', 'Response2'])
      same(
        'test_dynamodb_idempotent_writing',
        answer,
        await t.db.transactWriteItems({
          ClientRequestToken: 'dedupe-token',
          TransactItems: [{ Put: { TableName: 'things', Item: id('id1') } }],
        }),
      );
  });

  test('are read and written with statements', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'test-table', 'Username:S');
    const executed = await t.db.executeTransaction({
      TransactStatements: ['user01', 'user02'].map((user) => ({
        Statement: `INSERT INTO "test-table" VALUE {'Username': '${user}'}`,
      })),
    });
    same('test_dynamodb_execute_transaction', 'ExecutedTransaction', executed);
    const { Count, Items, ScannedCount } = await t.db.scan({ TableName: 'test-table' });
    const sorted = Items!.sort((a, b) => (a.Username!.S! < b.Username!.S! ? -1 : 1));
    same('test_dynamodb_execute_transaction', 'TableScan', { Count, Items: sorted, ScannedCount });
    const batch = await t.db.batchExecuteStatement({
      Statements: [
        { Statement: `INSERT INTO "test-table" VALUE {'Username': 'user03'}` },
        { Statement: `UPDATE "test-table" SET Age=20 WHERE Username='user02'` },
      ],
    });
    same('test_dynamodb_batch_execute_statement', 'ExecutedStatement', batch);
    await t.db.putItem({
      TableName: 'test-table',
      Item: { Username: { S: 'Alice123' }, FirstName: { S: 'Alice' } },
    });
    const { Items: named } = await t.db.executeStatement({
      Statement: 'SELECT * FROM "test-table" WHERE FirstName IS NOT MISSING',
    });
    same('test_dynamodb_partiql_missing', 'FirstNameNotMissing', named);
  });
});

describe.skipIf(!available)('recorded streams', () => {
  async function start(t: DynamoTest, name: string, StreamSpecification: object = BOTH, hash = 'id:S') {
    const values = new Map<string, string>();
    const created = await t.db.createTable({
      TableName: 'things',
      ...keys(hash),
      ProvisionedThroughput,
      StreamSpecification: StreamSpecification as typeof BOTH,
    });
    same(name, 'create-table', created, values);
    const described = await t.streams.describeStream({ StreamArn: created.TableDescription!.LatestStreamArn });
    same(name, 'describe-stream', described, values);
    return values;
  }

  test('contain changes by batches', async () => {
    await using t = await startDynamo();
    const name = 'test_batch_write_items_streaming';
    const values = await start(t, name);
    await t.db.putItem({ TableName: 'things', Item: id('Fred') });
    const write = (requests: object[]) => t.db.batchWriteItem({ RequestItems: { things: requests as never } });
    await write([{ PutRequest: { Item: id('Fred') } }]);
    await write([{ PutRequest: { Item: id('NewKey') } }]);
    await write([
      { DeleteRequest: { Key: id('NewKey') } },
      { PutRequest: { Item: { ...id('Fred'), name: { S: 'Fred' } } } },
      { DeleteRequest: { Key: id('NonExistentKey') } },
    ]);
    same(name, 'get-records', await recordsOf(t, 'things'), values);
  });

  test('contain changes by transactions', async () => {
    await using t = await startDynamo();
    const name = 'test_transact_write_items_streaming';
    const values = await start(t, name);
    await t.db.putItem({ TableName: 'things', Item: id('Fred') });
    const write = (...TransactItems: object[]) => t.db.transactWriteItems({ TransactItems: TransactItems as never });
    const put = (Item: object) => ({ Put: { TableName: 'things', Item } });
    const update = (key: string, values: Record<string, string>) => ({
      Update: {
        TableName: 'things',
        Key: id(key),
        UpdateExpression: `SET ${Object.keys(values)
          .map((attribute) => `${attribute} = :${attribute}`)
          .join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries(values).map(([attribute, S]) => [`:${attribute}`, { S }]),
        ),
      },
    });
    await write(put(id('NewKey')), put(id('Fred')));
    await write(update('NewKey', { attr1: 'value1', attr2: 'value2' }));
    await write(update('NonExistentKey', { attr1: 'value1' }));
    await write({ Delete: { TableName: 'things', Key: id('NewKey') } }, put({ ...id('Fred'), name: { S: 'Fred' } }), {
      Delete: { TableName: 'things', Key: id('NoKey') },
    });
    same(name, 'get-records', await recordsOf(t, 'things'), values);
  });

  test('contain changes by updates', async () => {
    await using t = await startDynamo();
    const name = 'test_dynamodb_stream_records_with_update_item';
    const values = await start(t, name);
    for (const [attr1, attr2] of [
      ['value1', 'value2'],
      ['value2', 'value3'],
    ] as const)
      await t.db.updateItem({
        TableName: 'things',
        Key: id('my-item-id'),
        UpdateExpression: 'SET attr1 = :a, attr2 = :b',
        ExpressionAttributeValues: { ':a': { S: attr1 }, ':b': { S: attr2 } },
      });
    same(name, 'get-records', await recordsOf(t, 'things'), values);
  });

  test('contain keys only if configured', async () => {
    await using t = await startDynamo();
    const name = 'test_dynamodb_stream_stream_view_type';
    const KEYS = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' };
    const values = await start(t, name, KEYS, 'Username:S');
    for (const user of ['Fred', 'Alice']) {
      const Key = { Username: { S: user } };
      await t.db.putItem({ TableName: 'things', Item: Key });
      await t.db.updateItem({
        TableName: 'things',
        Key,
        UpdateExpression: 'SET S = :r',
        ExpressionAttributeValues: { ':r': { S: 'Fred_Modified' } },
      });
      await t.db.deleteItem({ TableName: 'things', Key });
    }
    same(name, 'get-records', await recordsOf(t, 'things'), values);
  });
});
