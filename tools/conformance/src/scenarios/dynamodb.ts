import * as sdk from '@aws-sdk/client-dynamodb';

import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-dynamodb/model/dynamodb.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import * as tables from './dynamodb-tables.ts';

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
  const { TableArn: arn, CreationDateTime } = TableDescription as { TableArn: string; CreationDateTime: Date };
  await send('TagResource', { ResourceArn: arn, Tags: [{ Key: 'team', Value: 'a' }] });
  return { arn, now: String(CreationDateTime.getTime()) };
}

/** Returns tables with their descriptions, items and tags. */
async function observe(send: Send): Promise<unknown> {
  const { TableNames } = await send('ListTables', {});
  return Promise.all(
    (TableNames as string[])
      .map(async (name) => {
        const { Table } = await send('DescribeTable', { TableName: name });
        return [
          Table,
          (await send('Scan', { TableName: name })).Items,
          (await send('DescribeTimeToLive', { TableName: name })).TimeToLiveDescription,
          (await send('ListTagsOfResource', { ResourceArn: (Table as { TableArn: string }).TableArn })).Tags,
          (await send('DescribeContinuousBackups', { TableName: name })).ContinuousBackupsDescription,
          (await send('DescribeContributorInsights', { TableName: name })).LastUpdateDateTime,
          (await send('DescribeKinesisStreamingDestination', { TableName: name })).KinesisDataStreamDestinations,
          (await send('DescribeTableReplicaAutoScaling', { TableName: name })).TableAutoScalingDescription,
          await policyOf(send, (Table as { TableArn: string }).TableArn),
        ];
      })
      .concat([
        ...['ListBackups', 'ListExports', 'ListGlobalTables', 'ListImports'].map(async (operation) => {
          const { $metadata: _, ...answer } = await send(operation, {});
          return [answer];
        }),
        globalSettings(send),
      ]),
  );
}

/** Returns the resource policy of a table; undefined without one. */
async function policyOf(send: Send, ResourceArn: string): Promise<unknown> {
  try {
    return (await send('GetResourcePolicy', { ResourceArn })).Policy;
  } catch (error) {
    if ((error as Error).name === 'PolicyNotFoundException') return undefined;
    throw error;
  }
}

/** Returns the settings of every global table of version 2017.11.29. */
async function globalSettings(send: Send): Promise<unknown[]> {
  const { GlobalTables = [] } = await send('ListGlobalTables', {});
  return Promise.all(
    (GlobalTables as { GlobalTableName: string }[]).map(async ({ GlobalTableName }) => {
      const { $metadata: _, ...answer } = await send('DescribeGlobalTableSettings', { GlobalTableName });
      return answer;
    }),
  );
}

const GlobalTableName = 'planet';
const StreamArn = 'arn:aws:kinesis:us-east-1:123456789012:stream/changes';
const Policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::123456789012:root' },
      Action: 'dynamodb:GetItem',
      Resource: 'arn:aws:dynamodb:us-east-1:123456789012:table/things',
    },
  ],
});

const exportOf = (facts: Facts) => ({ TableArn: facts.arn, S3Bucket: 'exports' });
const importOf = () => ({
  S3BucketSource: { S3Bucket: 'imports' },
  InputFormat: 'DYNAMODB_JSON',
  TableCreationParameters: {
    TableName: 'imported',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
});
const backUp = async (send: Send): Promise<Facts> => {
  const { BackupDetails } = await send('CreateBackup', { TableName, BackupName: 'known' });
  return { backup: (BackupDetails as { BackupArn: string }).BackupArn };
};
const recoverable = async (send: Send): Promise<Facts> => {
  await send('UpdateContinuousBackups', {
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  return {};
};
const replicable = async (send: Send): Promise<Facts> => {
  await send('CreateTable', {
    TableName: GlobalTableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  return {};
};
const bySize = { IndexName: 'by-size' };
const provisioned = { ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } };
const ReplicationGroup = [{ RegionName: 'us-east-1' }];
const replicated = async (send: Send): Promise<Facts> => {
  await replicable(send);
  await send('CreateGlobalTable', { GlobalTableName, ReplicationGroup });
  return {};
};
const streaming = async (send: Send): Promise<Facts> => {
  await send('EnableKinesisStreamingDestination', { TableName, StreamArn });
  return {};
};
const guarded = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('PutResourcePolicy', { ResourceArn: facts.arn, Policy });
  return {};
};

const named = (): Record<string, unknown> => ({ TableName });
const byArn = (facts: Facts): Record<string, unknown> => ({ ResourceArn: facts.arn });

/** Amazon DynamoDB. */
export const dynamodb: Scenario = {
  service: 'dynamodb',
  others: ['kms'],
  fakes: [tables.kinesis],
  // Actions of CloudWatch and Application Auto Scaling.
  declines: ({ name }) => name === 'NotImplemented',
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const send = sender(new sdk.DynamoDBClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk);
    return async (operation, input) => {
      if (operation === 'Advance') {
        await emulator.clock.advance(input.time as string);
        return {};
      }
      try {
        return await send(operation, input);
      } catch (error) {
        // The error contains the item for which a condition failed.
        if (error instanceof sdk.ConditionalCheckFailedException && error.Item)
          error.message += ` ${JSON.stringify(error.Item)}`;
        throw error;
      }
    };
  },
  after: tables.after,
  setUp,
  observe,
  deviations: [
    { path: /sourceTableDetails\.provisionedThroughput\./, reason: 'backups of on-demand tables tell 0 units' },
    { path: /numberOfDecreasesToday$/, reason: 'it is 0 until the first decrease' },
    { path: /^unprocessed(Keys|Items)$/, reason: 'an empty map is given where everything was processed' },
    { path: /^responses$/, reason: 'a transaction of writes answers an empty list' },
  ],
  before: {
    ...tables.before,
    ListBackups: async (send) => {
      await send('CreateBackup', { TableName, BackupName: 'second' });
      return backUp(send);
    },
    ListImports: async (send) => {
      await send('ImportTable', importOf());
      const { TableCreationParameters } = importOf();
      await send('ImportTable', {
        ...importOf(),
        TableCreationParameters: { ...TableCreationParameters, TableName: 'second' },
      });
      return {};
    },
    ListTables: replicable,
    DescribeExport: async (send, facts) => {
      await recoverable(send);
      const { ExportDescription } = await send('ExportTableToPointInTime', exportOf(facts));
      return { export: (ExportDescription as { ExportArn: string }).ExportArn };
    },
    DescribeImport: async (send) => {
      const { ImportTableDescription } = await send('ImportTable', importOf());
      return { import: (ImportTableDescription as { ImportArn: string }).ImportArn };
    },
    DescribeTableReplicaAutoScaling: replicable,
    CreateGlobalTable: replicable,
    DeleteBackup: backUp,
    DeleteResourcePolicy: guarded,
    DescribeBackup: backUp,
    DescribeGlobalTable: replicated,
    DescribeGlobalTableSettings: replicated,
    DisableKinesisStreamingDestination: streaming,
    GetResourcePolicy: guarded,
    UpdateGlobalTable: replicated,
    UpdateKinesisStreamingDestination: streaming,
  },
  also: {
    ...tables.also,
    BatchExecuteStatement: [
      ...tables.also.BatchExecuteStatement!,
      () => ({
        Statements: [
          { Statement: `SELECT * FROM things WHERE id = ?`, Parameters: [{ S: 'a' }], ConsistentRead: true },
        ],
        ReturnConsumedCapacity: 'TOTAL',
      }),
    ],
    ExecuteStatement: [
      ...tables.also.ExecuteStatement!,
      () => ({ Statement: `SELECT * FROM things`, ReturnConsumedCapacity: 'TOTAL' }),
      () => ({ Statement: `SELECT * FROM things WHERE id = ?`, Parameters: [{ S: 'a' }] }),
    ],
    ExecuteTransaction: [
      () => ({ TransactStatements: [{ Statement: `SELECT * FROM things WHERE id = ?`, Parameters: [{ S: 'a' }] }] }),
    ],
    GetItem: [
      () => ({ TableName, Key, ReturnConsumedCapacity: 'TOTAL' }),
      () => ({ TableName, Key, ProjectionExpression: '#c', ExpressionAttributeNames: { '#c': 'color' } }),
    ],
    BatchGetItem: [() => ({ RequestItems: { [TableName]: { Keys: [Key] } }, ReturnConsumedCapacity: 'TOTAL' })],
    Query: [
      ...tables.also.Query!,
      () => ({
        TableName,
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': { S: 'a' } },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    ],
    Scan: [() => ({ TableName, ReturnConsumedCapacity: 'TOTAL' })],
    UpdateTable: [
      ...tables.also.UpdateTable!,
      ...[
        {
          BillingMode: 'PROVISIONED',
          ...provisioned,
          GlobalSecondaryIndexUpdates: [{ Update: { ...bySize, ...provisioned } }],
        },
        { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } },
        {
          GlobalSecondaryIndexUpdates: [
            { Update: { ...bySize, OnDemandThroughput: { MaxReadRequestUnits: 5, MaxWriteRequestUnits: 5 } } },
          ],
        },
        {
          GlobalSecondaryIndexUpdates: [
            { Update: { ...bySize, WarmThroughput: { ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4001 } } },
          ],
        },
        { GlobalSecondaryIndexUpdates: [{ Delete: bySize }] },
      ].map((more) => () => ({ TableName, ...more })),
      () => ({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'color', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: 'by-color',
              KeySchema: [{ AttributeName: 'color', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
              WarmThroughput: { ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4001 },
            },
          },
        ],
      }),
    ],
    CreateTable: [
      ...tables.also.CreateTable!,
      () => ({
        TableName: 'fresh',
        AttributeDefinitions: ['id', 'at', 'color'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'id', KeyType: 'HASH' },
          { AttributeName: 'at', KeyType: 'RANGE' },
        ],
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
        SSESpecification: { Enabled: true },
        LocalSecondaryIndexes: [
          {
            IndexName: 'local',
            KeySchema: [
              { AttributeName: 'id', KeyType: 'HASH' },
              { AttributeName: 'color', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['size'] },
          },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'global',
            KeySchema: [{ AttributeName: 'color', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
            ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
          },
        ],
      }),
    ],
    TransactWriteItems: ['Update', 'Delete', 'ConditionCheck'].map((kind) => () => ({
      TransactItems: [
        {
          [kind]: {
            TableName,
            Key,
            ...(kind === 'Update' && { UpdateExpression: 'SET #c = :c' }),
            ...(kind !== 'Delete' && { ExpressionAttributeNames: { '#c': 'color' } }),
            ...(kind === 'Update' && { ExpressionAttributeValues: { ':c': { S: 'green' } } }),
            ...(kind === 'ConditionCheck' && { ConditionExpression: 'attribute_exists(#c)' }),
          },
        },
      ],
    })),
  },
  values: {
    ...tables.values,
    'ListBackups.Limit': [1],
    'ListImports.PageSize': [1],
    'ListTables.Limit': [1],
    'ListTables.ExclusiveStartTableName': ['planet', 'things'],
    'BatchGetItem.RequestItems': [{ [TableName]: { Keys: [{ id: { S: 'b' } }] } }, { others: { Keys: [Key] } }],
    'BatchWriteItem.RequestItems': [{ [TableName]: [{ DeleteRequest: { Key } }] }],
    'CreateTable.WarmThroughput': [{ ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4001 }],
    'CreateTable.WarmThroughput.ReadUnitsPerSecond': [12_002],
    'CreateTable.WarmThroughput.WriteUnitsPerSecond': [4002],
  },
  inputs: {
    DescribeExport: (facts) => ({ ExportArn: facts.export }),
    DescribeImport: (facts) => ({ ImportArn: facts.import }),
    DescribeTableReplicaAutoScaling: () => ({ TableName: GlobalTableName }),
    ExportTableToPointInTime: exportOf,
    ImportTable: importOf,
    UpdateTableReplicaAutoScaling: () => ({
      TableName: GlobalTableName,
      ProvisionedWriteCapacityAutoScalingUpdate: { AutoScalingDisabled: true },
    }),
    CreateBackup: () => ({ TableName, BackupName: 'fresh' }),
    CreateGlobalTable: () => ({ GlobalTableName, ReplicationGroup }),
    DeleteBackup: (facts) => ({ BackupArn: facts.backup }),
    DeleteResourcePolicy: byArn,
    DescribeBackup: (facts) => ({ BackupArn: facts.backup }),
    DescribeContinuousBackups: named,
    DescribeContributorInsights: named,
    DescribeGlobalTable: () => ({ GlobalTableName }),
    DescribeGlobalTableSettings: () => ({ GlobalTableName }),
    DescribeKinesisStreamingDestination: named,
    DisableKinesisStreamingDestination: () => ({ TableName, StreamArn }),
    EnableKinesisStreamingDestination: () => ({ TableName, StreamArn }),
    GetResourcePolicy: byArn,
    PutResourcePolicy: (facts) => ({ ...byArn(facts), Policy }),
    RestoreTableFromBackup: (facts) => ({ TargetTableName: 'restored', BackupArn: facts.backup }),
    RestoreTableToPointInTime: () => ({
      SourceTableName: TableName,
      TargetTableName: 'restored',
      UseLatestRestorableTime: true,
    }),
    UpdateContinuousBackups: () => ({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
    UpdateContributorInsights: () => ({ TableName, ContributorInsightsAction: 'DISABLE' }),
    UpdateGlobalTable: () => ({ GlobalTableName, ReplicaUpdates: [{ Delete: { RegionName: 'us-east-1' } }] }),
    UpdateGlobalTableSettings: () => ({ GlobalTableName, GlobalTableProvisionedWriteCapacityUnits: 77 }),
    UpdateKinesisStreamingDestination: () => ({
      TableName,
      StreamArn,
      UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: 'MILLISECOND' },
    }),
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
    DescribeExport: undefined,
    DescribeImport: undefined,
    DescribeTableReplicaAutoScaling: undefined,
    ListExports: (send, facts) => send('ExportTableToPointInTime', exportOf(facts)),
    ListImports: (send) => {
      const { TableCreationParameters, ...input } = importOf();
      return send('ImportTable', {
        ...input,
        TableCreationParameters: { ...TableCreationParameters, TableName: 'again' },
      });
    },
    DescribeBackup: undefined,
    DescribeContinuousBackups: recoverable,
    DescribeContributorInsights: (send) =>
      send('UpdateContributorInsights', { TableName, ContributorInsightsAction: 'DISABLE' }),
    DescribeGlobalTable: undefined,
    DescribeGlobalTableSettings: undefined,
    DescribeKinesisStreamingDestination: streaming,
    GetResourcePolicy: (send, facts) =>
      send('PutResourcePolicy', { ResourceArn: facts.arn, Policy: Policy.replace('GetItem', 'PutItem') }),
    ListBackups: (send) => send('CreateBackup', { TableName, BackupName: 'another' }),
    ListContributorInsights: (send) =>
      send('UpdateContributorInsights', { TableName, ContributorInsightsAction: 'DISABLE' }),
    ListGlobalTables: (send) => send('CreateGlobalTable', { GlobalTableName, ReplicationGroup }),
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
