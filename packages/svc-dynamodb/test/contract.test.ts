import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest, streamsManifest } from '../src/manifest.ts';
import { keys } from './support.ts';

/** Returns the visible state of one table, including its stream from the beginning. */
async function describeTable(db: DynamoDB, streams: DynamoDBStreams, TableName: string) {
  const { Table } = await db.describeTable({ TableName });
  const { ContinuousBackupsDescription } = await db.describeContinuousBackups({ TableName });
  const StreamArn = Table!.LatestStreamArn;
  const records: unknown[] = [];
  if (StreamArn) {
    const { StreamDescription } = await streams.describeStream({ StreamArn });
    const { ShardIterator } = await streams.getShardIterator({
      StreamArn,
      ShardId: StreamDescription!.Shards![0]!.ShardId!,
      ShardIteratorType: 'TRIM_HORIZON',
    });
    records.push(StreamDescription, ...((await streams.getRecords({ ShardIterator })).Records ?? []));
  }
  const earliest = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.EarliestRestorableDateTime;
  return {
    Table,
    records,
    earliest,
    items: (await db.scan({ TableName })).Items,
    ttl: (await db.describeTimeToLive({ TableName })).TimeToLiveDescription,
    tags: (await db.listTagsOfResource({ ResourceArn: Table!.TableArn! })).Tags,
    kinesis: (await db.describeKinesisStreamingDestination({ TableName })).KinesisDataStreamDestinations,
    insights: (await db.listContributorInsights({ TableName })).ContributorInsightsSummaries,
  };
}

async function observe(config: TestClientConfig, memo: { policyOf: string }) {
  const db = new DynamoDB(config);
  const streams = new DynamoDBStreams(config);
  const { TableNames } = await db.listTables({});
  const tables = [];
  for (const name of TableNames!) tables.push(await describeTable(db, streams, name));
  const policy = TableNames!.length ? (await db.getResourcePolicy({ ResourceArn: memo.policyOf })).Policy : undefined;
  return { tables, policy, backups: (await db.listBackups({})).BackupSummaries };
}

async function act(config: TestClientConfig) {
  const db = new DynamoDB(config);
  const { TableDescription } = await db.createTable({
    TableName: 'main',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys('id:S', 'n:N').KeySchema,
    AttributeDefinitions: [...keys('id:S', 'n:N').AttributeDefinitions, ...keys('c:B').AttributeDefinitions],
    GlobalSecondaryIndexes: [
      { IndexName: 'by-c', KeySchema: keys('c:B').KeySchema, Projection: { ProjectionType: 'ALL' } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    Tags: [{ Key: 'team', Value: 'orders' }],
  });
  const TableName = 'main';
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  await db.updateContinuousBackups({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  const values = { s: { SS: ['x', 'ü'] }, l: { L: [{ M: { deep: { NULL: true } } }] }, c: { B: Buffer.of(0, 255) } };
  for (let n = 0; n < 3; n++) await db.putItem({ TableName, Item: { id: { S: 'a' }, n: { N: String(n) }, ...values } });
  await db.deleteItem({ TableName, Key: { id: { S: 'a' }, n: { N: '1' } } });
  await db.transactWriteItems({
    ClientRequestToken: 'once',
    TransactItems: [{ Put: { TableName, Item: { id: { S: 'b' }, n: { N: '1e100' } } } }],
  });
  await db.createBackup({ TableName, BackupName: 'kept' });
  await db.updateContributorInsights({ TableName, ContributorInsightsAction: 'DISABLE' });
  const Statement = [{ Effect: 'Allow', Principal: '*', Action: 'dynamodb:*', Resource: '*' }];
  const policyOf = TableDescription!.TableArn!;
  await db.putResourcePolicy({ ResourceArn: policyOf, Policy: JSON.stringify({ Statement }) });
  return { policyOf };
}

describeServiceContract({ manifest, others: [streamsManifest], scope: 'region', act, observe });
