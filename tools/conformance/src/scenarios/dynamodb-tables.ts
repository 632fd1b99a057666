import type { ServiceManifest } from '@emu/core/service';
import { fakeService } from '../../../../packages/gateway/src/testing/fake-service.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';

type Inputs = readonly ((facts: Facts) => Record<string, unknown>)[];

const units = (read: number, write: number) => ({ ReadCapacityUnits: read, WriteCapacityUnits: write });
const key = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];
const texts = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

/** A table with indexes of both kinds. */
const RICH = 'rich';
const local = {
  IndexName: 'local',
  KeySchema: key('id', 'color'),
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['size'] },
};
const global = {
  IndexName: 'global',
  KeySchema: key('color'),
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['size'] },
};
const shape = {
  AttributeDefinitions: texts('id', 'at', 'color'),
  KeySchema: key('id', 'at'),
  LocalSecondaryIndexes: [local],
};
const onDemand = (TableName: string) => ({
  TableName,
  ...shape,
  BillingMode: 'PAY_PER_REQUEST',
  OnDemandThroughput: { MaxReadRequestUnits: 5, MaxWriteRequestUnits: 5 },
  GlobalSecondaryIndexes: [
    {
      ...global,
      OnDemandThroughput: { MaxReadRequestUnits: 5, MaxWriteRequestUnits: 5 },
      WarmThroughput: { ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4001 },
    },
  ],
});
const provisioned = (TableName: string) => ({
  TableName,
  ...shape,
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: units(5, 5),
  WarmThroughput: { ReadUnitsPerSecond: 9, WriteUnitsPerSecond: 9 },
  GlobalSecondaryIndexes: [
    {
      ...global,
      ProvisionedThroughput: units(5, 5),
      WarmThroughput: { ReadUnitsPerSecond: 9, WriteUnitsPerSecond: 9 },
    },
  ],
});
const itemAt = (at: string) => ({
  id: { S: 'a' },
  at: { S: at },
  color: { S: 'red' },
  size: { N: '1' },
  x: { N: '2' },
});

/** Creates the provisioned table with two items of one collection. */
async function rich(send: Send): Promise<Facts> {
  await send('CreateTable', provisioned(RICH));
  for (const at of ['1', '2']) await send('PutItem', { TableName: RICH, Item: itemAt(at) });
  return {};
}

const PLANET = 'planet';
const planet = (TableName: string) => ({
  TableName,
  AttributeDefinitions: texts('id', 'color'),
  KeySchema: key('id'),
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  GlobalSecondaryIndexes: [{ ...global, Projection: { ProjectionType: 'ALL' } }],
});
const ReplicationGroup = [{ RegionName: 'us-east-1' }];

/** Creates a global table of version 2017.11.29, with an index. */
async function replicated(send: Send, _: Facts, name = PLANET): Promise<Facts> {
  const { GlobalSecondaryIndexes, ...table } = planet(name);
  await send('CreateTable', {
    ...table,
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: units(5, 5),
    GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({ ...index, ProvisionedThroughput: units(5, 5) })),
  });
  await send('CreateGlobalTable', { GlobalTableName: name, ReplicationGroup });
  return {};
}

/** Creates a table with a replica in another region. */
async function withReplica(send: Send): Promise<void> {
  await send('CreateTable', planet(PLANET));
  await send('UpdateTable', { TableName: PLANET, ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }] });
}

const backUp = async (send: Send, TableName: string): Promise<string> => {
  const { BackupDetails } = await send('CreateBackup', { TableName, BackupName: 'known' });
  return (BackupDetails as { BackupArn: string }).BackupArn;
};
const recoverable = (send: Send, TableName: string): Promise<unknown> =>
  send('UpdateContinuousBackups', {
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });

/** Changes sent to Kinesis streams since the last operation, without random parts. */
let changes: string[] = [];
/** Fake streams that accept all changes. */
export const kinesis: ServiceManifest = fakeService('kinesis', {
  DescribeStreamSummary: () => ({}),
  PutRecord: ({ Data }) => {
    const { eventID: _, ...change } = JSON.parse(Buffer.from(Data as string, 'base64').toString()) as object & {
      eventID: string;
    };
    changes.push(JSON.stringify(change));
    return {};
  },
});

/** Returns a response or error. */
async function outcome(answer: Promise<Record<string, unknown>>): Promise<unknown> {
  try {
    const { $metadata: _, ...rest } = await answer;
    return rest;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

/** Returns the possible uses of a created table: writing, reading its indexes, deleting it. */
async function used(send: Send, TableName: string): Promise<unknown> {
  const query = (IndexName: string, name: string, value: string): Promise<unknown> =>
    outcome(
      send('Query', {
        TableName,
        IndexName,
        KeyConditionExpression: `${name} = :v`,
        ExpressionAttributeValues: { ':v': { S: value } },
      }),
    );
  const { Table } = await send('DescribeTable', { TableName });
  return [
    await outcome(send('ListTagsOfResource', { ResourceArn: (Table as { TableArn: string }).TableArn })),
    await outcome(send('UpdateTable', { TableName, ProvisionedThroughput: units(5, 5) })),
    await outcome(send('PutItem', { TableName, Item: itemAt('1') })),
    await query('local', 'id', 'a'),
    await query('global', 'color', 'red'),
    await outcome(send('DeleteTable', { TableName })),
  ];
}

const madeOf = (send: Send, _: Facts, { TableDescription }: Record<string, unknown>): Promise<unknown> =>
  used(send, (TableDescription as { TableName: string }).TableName);

/** Effects of operations. */
export const after: Scenario['after'] = {
  CreateTable: madeOf,
  RestoreTableFromBackup: madeOf,
  RestoreTableToPointInTime: madeOf,
  EnableKinesisStreamingDestination: async (send) => {
    changes = [];
    await send('PutItem', { TableName: 'things', Item: { id: { S: 'sent' } } });
    await send('Advance', { time: '1m' });
    return changes;
  },
  UpdateContinuousBackups: async (send) => {
    await send('Advance', { time: '20d' });
    return (await send('DescribeContinuousBackups', { TableName: 'things' })).ContinuousBackupsDescription;
  },
  UpdateTimeToLive: async (send) => {
    await send('PutItem', { TableName: 'things', Item: { id: { S: 'old' }, ttl: { N: '1700000000' } } });
    await send('Advance', { time: '2d' });
    return (await send('Scan', { TableName: 'things' })).Count;
  },
};

const exported = async (send: Send, { arn }: Facts, more: object = {}): Promise<void> => {
  await send('ExportTableToPointInTime', { TableArn: arn, S3Bucket: 'exports', ...more });
};
const imported = {
  S3BucketSource: { S3Bucket: 'imports' },
  InputFormat: 'DYNAMODB_JSON',
  ClientToken: 'known',
  TableCreationParameters: {
    TableName: 'imported',
    AttributeDefinitions: texts('id'),
    KeySchema: key('id'),
    BillingMode: 'PAY_PER_REQUEST',
  },
};

/** States for single operations. */
export const before: Scenario['before'] = {
  ...Object.fromEntries(
    ['BatchWriteItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map((operation) => [operation, rich]),
  ),
  ExportTableToPointInTime: async (send, facts) => {
    await recoverable(send, 'things');
    await exported(send, facts, { ClientToken: 'known' });
    await send('Advance', { time: '2h' });
    return {};
  },
  ImportTable: async (send) => {
    await send('ImportTable', {
      ...imported,
      TableCreationParameters: { ...imported.TableCreationParameters, TableName: 'first' },
    });
    return {};
  },
  ListContributorInsights: async (send) => {
    for (const TableName of ['mars', PLANET]) {
      await send('CreateTable', planet(TableName));
      await send('UpdateContributorInsights', { TableName, ContributorInsightsAction: 'DISABLE' });
    }
    return {};
  },
  ListExports: async (send, facts) => {
    await recoverable(send, 'things');
    for (const S3Bucket of ['exports', 'others']) await exported(send, facts, { S3Bucket });
    return {};
  },
  ListGlobalTables: async (send, facts) => {
    await replicated(send, facts, 'mars');
    await replicated(send, facts, 'venus');
    await send('CreateTable', planet(PLANET));
    return {};
  },
  RestoreTableFromBackup: async (send) => {
    await rich(send);
    await send('CreateTable', onDemand('elastic'));
    return {
      backup: await backUp(send, 'things'),
      rich: await backUp(send, RICH),
      elastic: await backUp(send, 'elastic'),
    };
  },
  RestoreTableToPointInTime: async (send) => {
    await rich(send);
    await send('CreateTable', onDemand('elastic'));
    for (const TableName of ['things', RICH, 'elastic']) await recoverable(send, TableName);
    return {};
  },
  UpdateGlobalTableSettings: replicated,
  UpdateTable: async (send) => {
    await rich(send);
    await withReplica(send);
    await send('CreateTable', planet('empty'));
    await send('UpdateTable', {
      TableName: 'things',
      AttributeDefinitions: [{ AttributeName: 'size', AttributeType: 'N' }],
      GlobalSecondaryIndexUpdates: [
        { Create: { IndexName: 'by-size', KeySchema: key('size'), Projection: { ProjectionType: 'ALL' } } },
      ],
    });
    return {};
  },
  UpdateTableReplicaAutoScaling: async (send) => {
    await withReplica(send);
    return {};
  },
};

const off = { AutoScalingDisabled: true };
const failing = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
const missing = { ConditionExpression: 'attribute_not_exists(id)', ...failing };
const things = { TableName: 'things', Key: { id: { S: 'a' } } };
const first = { TableName: RICH, Key: { id: { S: 'a' }, at: { S: '1' } } };
const overrides = {
  BillingModeOverride: 'PROVISIONED',
  ProvisionedThroughputOverride: units(6, 7),
  GlobalSecondaryIndexOverride: [
    {
      ...global,
      ProvisionedThroughput: units(5, 5),
      WarmThroughput: { ReadUnitsPerSecond: 9, WriteUnitsPerSecond: 9 },
    },
  ],
  LocalSecondaryIndexOverride: [local],
};
const elasticOverrides = {
  OnDemandThroughputOverride: { MaxReadRequestUnits: 7, MaxWriteRequestUnits: 7 },
  GlobalSecondaryIndexOverride: onDemand('').GlobalSecondaryIndexes,
};
const replica = {
  RegionName: 'us-west-2',
  KMSMasterKeyId: 'alias/aws/dynamodb',
  OnDemandThroughputOverride: { MaxReadRequestUnits: 5 },
  GlobalSecondaryIndexes: [{ IndexName: 'global', OnDemandThroughputOverride: { MaxReadRequestUnits: 5 } }],
  TableClassOverride: 'STANDARD_INFREQUENT_ACCESS',
};

/** Further inputs. */
export const also: Readonly<Record<string, Inputs>> = {
  BatchExecuteStatement: [
    () => ({
      Statements: [{ Statement: `UPDATE things SET color = 'x' WHERE id = 'a' AND color = 'none'`, ...failing }],
    }),
  ],
  BatchWriteItem: [
    () => ({
      RequestItems: { [RICH]: [{ PutRequest: { Item: itemAt('3') } }] },
      ReturnItemCollectionMetrics: 'SIZE',
    }),
  ],
  CreateTable: [() => onDemand('fresh'), () => provisioned('fresh')],
  DeleteItem: [() => ({ ...first, ReturnItemCollectionMetrics: 'SIZE' }), () => ({ ...things, ...missing })],
  ExecuteStatement: [
    () => ({ Statement: `UPDATE things SET color = 'x' WHERE id = 'a' AND color = 'none'`, ...failing }),
  ],
  ExportTableToPointInTime: [
    ({ arn }) => ({ TableArn: arn, S3Bucket: 'exports', ClientToken: 'known' }),
    ({ arn, now }) => ({
      TableArn: arn,
      S3Bucket: 'exports',
      ExportType: 'INCREMENTAL_EXPORT',
      IncrementalExportSpecification: {
        ExportFromTime: new Date(Number(now) + 3_600_000),
        ExportToTime: new Date(Number(now) + 5_400_000),
        ExportViewType: 'NEW_IMAGE',
      },
    }),
  ],
  ImportTable: [
    () => ({ ...imported, ClientToken: 'other', TableCreationParameters: onDemand('imported') }),
    () => ({ ...imported, ClientToken: 'other', TableCreationParameters: provisioned('imported') }),
    () => ({
      ...imported,
      ClientToken: 'other',
      InputFormat: 'CSV',
      InputFormatOptions: { Csv: { Delimiter: ';', HeaderList: ['id', 'at'] } },
    }),
    () => ({ ...imported, TableCreationParameters: { ...imported.TableCreationParameters, TableName: 'first' } }),
  ],
  PutItem: [
    () => ({ TableName: RICH, Item: itemAt('3'), ReturnItemCollectionMetrics: 'SIZE' }),
    () => ({ TableName: 'things', Item: things.Key, ...missing }),
  ],
  Query: [
    () => ({
      TableName: RICH,
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': { S: 'a' } },
    }),
  ],
  RestoreTableFromBackup: [
    ({ rich: BackupArn }) => ({ TargetTableName: 'restored', BackupArn, ...overrides }),
    ({ elastic: BackupArn }) => ({ TargetTableName: 'restored', BackupArn, ...elasticOverrides }),
  ],
  RestoreTableToPointInTime: [
    () => ({ SourceTableName: RICH, TargetTableName: 'restored', UseLatestRestorableTime: true, ...overrides }),
    () => ({
      SourceTableName: 'elastic',
      TargetTableName: 'restored',
      UseLatestRestorableTime: true,
      ...elasticOverrides,
    }),
  ],
  UpdateGlobalTableSettings: [
    () => ({
      GlobalTableName: PLANET,
      GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: off,
      GlobalTableGlobalSecondaryIndexSettingsUpdate: [
        { IndexName: 'global', ProvisionedWriteCapacityAutoScalingSettingsUpdate: off },
      ],
      ReplicaSettingsUpdate: [
        {
          RegionName: 'us-east-1',
          ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: off,
          ReplicaGlobalSecondaryIndexSettingsUpdate: [
            { IndexName: 'global', ProvisionedReadCapacityAutoScalingSettingsUpdate: off },
          ],
        },
      ],
    }),
  ],
  UpdateItem: [
    () => ({ ...first, ReturnItemCollectionMetrics: 'SIZE' }),
    () => ({
      ...things,
      UpdateExpression: 'SET x = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
      ...missing,
    }),
  ],
  UpdateTable: [
    { TableName: RICH, ProvisionedThroughput: units(6, 5) },
    { TableName: RICH, ProvisionedThroughput: units(5, 6) },
    {
      TableName: RICH,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'global', ProvisionedThroughput: units(6, 5) } }],
    },
    {
      TableName: RICH,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'global', ProvisionedThroughput: units(5, 6) } }],
    },
    {
      TableName: RICH,
      AttributeDefinitions: texts('more'),
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'more',
            KeySchema: key('more'),
            Projection: { ProjectionType: 'KEYS_ONLY' },
            ProvisionedThroughput: units(5, 5),
            WarmThroughput: { ReadUnitsPerSecond: 9, WriteUnitsPerSecond: 9 },
          },
        },
      ],
    },
    { TableName: 'things', SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/aws/dynamodb' } },
    { TableName: 'things', WarmThroughput: { ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4001 } },
    { TableName: PLANET, ReplicaUpdates: [{ Create: replica }] },
    { TableName: PLANET, ReplicaUpdates: [{ Update: { ...replica, RegionName: 'eu-west-1' } }] },
    { TableName: PLANET, ReplicaUpdates: [{ Delete: { RegionName: 'eu-west-1' } }] },
    {
      TableName: 'empty',
      MultiRegionConsistency: 'STRONG',
      ReplicaUpdates: [{ Create: { RegionName: 'us-east-2' } }],
      GlobalTableWitnessUpdates: [{ Create: { RegionName: 'us-west-2' } }],
    },
  ].map((input) => () => input),
  UpdateTableReplicaAutoScaling: [
    () => ({
      TableName: PLANET,
      ProvisionedWriteCapacityAutoScalingUpdate: off,
      GlobalSecondaryIndexUpdates: [{ IndexName: 'global', ProvisionedWriteCapacityAutoScalingUpdate: off }],
      ReplicaUpdates: [
        {
          RegionName: 'eu-west-1',
          ReplicaProvisionedReadCapacityAutoScalingUpdate: off,
          ReplicaGlobalSecondaryIndexUpdates: [{ IndexName: 'global', ProvisionedReadCapacityAutoScalingUpdate: off }],
        },
      ],
    }),
  ],
};

const none = [0];
const noReads = [{ MaxReadRequestUnits: 0 }];
/** Further values of members. */
export const values: Scenario['values'] = {
  'ListContributorInsights.MaxResults': [1],
  'ListExports.MaxResults': [1],
  'ListGlobalTables.ExclusiveStartGlobalTableName': ['mars'],
  'ListGlobalTables.Limit': [1],
  'ListGlobalTables.RegionName': ['eu-west-1'],
  'TransactGetItems.TransactItems': [[{ Get: things }]],
  'TransactWriteItems.TransactItems': [[{ Delete: things }]],
  'UpdateContinuousBackups.PointInTimeRecoverySpecification.RecoveryPeriodInDays': [7],
  ...Object.fromEntries(
    ['RestoreTableFromBackup', 'RestoreTableToPointInTime'].flatMap((operation) => [
      [`${operation}.SSESpecificationOverride`, [{ Enabled: true, SSEType: 'KMS' }]],
      [`${operation}.OnDemandThroughputOverride`, noReads],
      [`${operation}.OnDemandThroughputOverride.MaxReadRequestUnits`, none],
      [`${operation}.OnDemandThroughputOverride.MaxWriteRequestUnits`, none],
    ]),
  ),
  ...Object.fromEntries(
    ['Create', 'Update'].flatMap((action) =>
      [`ReplicaUpdates[].${action}`, `ReplicaUpdates[].${action}.GlobalSecondaryIndexes[]`].flatMap((place) => [
        [`UpdateTable.${place}.OnDemandThroughputOverride`, noReads],
        [`UpdateTable.${place}.OnDemandThroughputOverride.MaxReadRequestUnits`, none],
        [`UpdateTable.${place}.ProvisionedThroughputOverride`, [{ ReadCapacityUnits: 5 }]],
      ]),
    ),
  ),
  'UpdateTable.ReplicaUpdates[].Create.GlobalSecondaryIndexes': [[{ IndexName: 'global' }], [{ IndexName: 'none' }]],
  'UpdateTable.ReplicaUpdates[].Update.GlobalSecondaryIndexes': [[{ IndexName: 'global' }], [{ IndexName: 'none' }]],
};
