import type { DeepReadonly } from '@emu/core/service';
import { copyOf, parseArn } from '@emu/core/service';
import type {
  BillingMode,
  GlobalSecondaryIndexDescription,
  IndexStatus,
  LocalSecondaryIndexDescription,
  OnDemandThroughput,
  ProvisionedThroughputDescription,
  SSEDescription,
  SSEStatus,
  TableDescription,
  TableStatus,
  TableWarmThroughputDescription,
} from '@emu/service-types/dynamodb';
import type { GlobalIndexRecord, ReadOverrides, TableRecord, Throughput } from '../records.ts';
import type { Table } from './table.ts';
import { warmOf } from './throughput-limits.ts';

const LEGACY_VERSION = '2017.11.29';

/** Warm throughput in descriptions of tables and indexes. */
type WarmThroughput = TableWarmThroughputDescription & { Status: 'ACTIVE' | 'UPDATING' };

const dateOf = (time: number | undefined): Date | undefined => (time === undefined ? undefined : new Date(time));

function throughputDescription(throughput: DeepReadonly<Throughput>): ProvisionedThroughputDescription {
  return {
    LastIncreaseDateTime: dateOf(throughput.increasedAt),
    LastDecreaseDateTime: dateOf(throughput.decreasedAt),
    NumberOfDecreasesToday: throughput.decreasesToday,
    ReadCapacityUnits: throughput.read,
    WriteCapacityUnits: throughput.write,
  };
}

function onDemandDescription(
  units: DeepReadonly<{ read?: number; write?: number }> | undefined,
): OnDemandThroughput | undefined {
  return units && { MaxReadRequestUnits: units.read, MaxWriteRequestUnits: units.write };
}

function warmDescription(
  record: Pick<DeepReadonly<GlobalIndexRecord>, 'warm' | 'throughput'>,
  billingMode: BillingMode,
  status: TableStatus,
): WarmThroughput | undefined {
  // A new table reports its warm throughput only if requested.
  if (status === 'CREATING' && !record.warm) return undefined;
  const { read, write } = warmOf(record, billingMode);
  return {
    ReadUnitsPerSecond: read,
    WriteUnitsPerSecond: write,
    Status: status === 'ACTIVE' ? ('ACTIVE' as const) : ('UPDATING' as const),
  };
}

function localIndexes(table: Table, record: DeepReadonly<TableRecord>): LocalSecondaryIndexDescription[] {
  return record.localIndexes.map((index) => ({
    IndexName: index.name,
    KeySchema: copyOf(index.keySchema),
    Projection: copyOf(index.projection),
    IndexSizeBytes: table.index(index.name)!.bytes,
    ItemCount: table.index(index.name)!.items.size,
    IndexArn: `${record.arn}/index/${index.name}`,
  }));
}

function globalIndexes(
  table: Table,
  record: DeepReadonly<TableRecord>,
  statusOf: (name: string) => IndexStatus,
  tableIsNew: boolean,
): GlobalSecondaryIndexDescription[] {
  return record.globalIndexes.map((index) => {
    const status = statusOf(index.name);
    return {
      IndexName: index.name,
      KeySchema: copyOf(index.keySchema),
      Projection: copyOf(index.projection),
      IndexStatus: status,
      // Only an index added to an existing table is backfilled.
      ...(status === 'CREATING' && !tableIsNew && { Backfilling: table.index(index.name)!.filling !== undefined }),
      ProvisionedThroughput: throughputDescription(index.throughput),
      IndexSizeBytes: table.index(index.name)!.bytes,
      ItemCount: table.index(index.name)!.items.size,
      IndexArn: `${record.arn}/index/${index.name}`,
      OnDemandThroughput: onDemandDescription(index.onDemand),
      WarmThroughput: warmDescription(index, record.billingMode, status),
    };
  });
}

/** Temporary statuses in a description: they are shown once, in the response to the change. */
export interface Moment {
  status?: TableStatus;
  /** Status of global indexes that are created, changed or deleted. */
  indexes?: Readonly<Record<string, IndexStatus>>;
  /** Status of the encryption while its key changes. */
  encryption?: 'UPDATING';
}

function encryptionDescription(
  { sse }: DeepReadonly<TableRecord>,
  status: SSEStatus | undefined,
): SSEDescription | undefined {
  if (sse)
    return {
      Status: status ?? 'ENABLED',
      SSEType: 'KMS',
      KMSMasterKeyArn: sse.kmsKeyArn,
      InaccessibleEncryptionDateTime: dateOf(sse.inaccessibleAt),
    };
  return status && { Status: status };
}

/** Returns the status of a table without a change in progress. */
function lastingStatus({ importing, sse }: DeepReadonly<TableRecord>): TableStatus {
  if (importing) return 'CREATING';
  return sse?.inaccessibleAt === undefined ? 'ACTIVE' : 'INACCESSIBLE_ENCRYPTION_CREDENTIALS';
}

/** Returns the description of a table with temporary statuses. */
export function describeTable(table: Table, moment: Moment = {}): TableDescription {
  const { record } = table;
  const status = moment.status ?? table.busy?.status ?? lastingStatus(record);
  const stream = record.stream;
  const indexStatus = (name: string): IndexStatus =>
    moment.indexes?.[name] ??
    table.busy?.indexes?.[name] ??
    (status === 'CREATING' || table.index(name)?.filling ? 'CREATING' : 'ACTIVE');
  return {
    AttributeDefinitions: copyOf(record.attributeDefinitions),
    TableName: record.name,
    KeySchema: copyOf(record.keySchema),
    TableStatus: status,
    CreationDateTime: new Date(record.createdAt),
    ProvisionedThroughput: throughputDescription(record.throughput),
    TableSizeBytes: table.bytes,
    ItemCount: table.itemCount,
    TableArn: record.arn,
    TableId: record.id,
    BillingModeSummary: record.billingModeNamed
      ? {
          BillingMode: record.billingMode,
          LastUpdateToPayPerRequestDateTime: status === 'CREATING' ? undefined : dateOf(record.payPerRequestAt),
        }
      : undefined,
    LocalSecondaryIndexes: record.localIndexes.length ? localIndexes(table, record) : undefined,
    GlobalSecondaryIndexes: record.globalIndexes.length
      ? globalIndexes(table, record, indexStatus, status === 'CREATING')
      : undefined,
    StreamSpecification: stream?.enabled ? { StreamEnabled: true, StreamViewType: stream.viewType } : undefined,
    LatestStreamLabel: stream?.label,
    LatestStreamArn: stream?.arn,
    SSEDescription: encryptionDescription(record, moment.encryption),
    TableClassSummary: record.tableClass && { TableClass: record.tableClass },
    DeletionProtectionEnabled: record.deletionProtection,
    OnDemandThroughput: onDemandDescription(record.onDemand),
    WarmThroughput: warmDescription(record, record.billingMode, status),
    ...replicationOf(record),
    GlobalTableSettingsReplicationMode: settingsReplication(record),
    RestoreSummary: record.restore && {
      SourceBackupArn: record.restore.backupArn,
      SourceTableArn: record.restore.tableArn,
      RestoreDateTime: new Date(record.restore.to),
      RestoreInProgress: false,
    },
  };
}

/** Returns the replication mode of settings; by default replicas may have settings of their own. */
function settingsReplication({ settingsReplicationMode, replication }: DeepReadonly<TableRecord>) {
  const ofNewVersion = replication !== undefined && replication.version !== LEGACY_VERSION;
  return settingsReplicationMode ?? (ofNewVersion ? 'ENABLED_WITH_OVERRIDES' : undefined);
}

/** Returns the other replicas of a global table. */
function replicationOf(record: DeepReadonly<TableRecord>): Partial<TableDescription> {
  const { arn, replication } = record;
  if (!replication) return {};
  const own = parseArn(arn)!.region;
  return {
    GlobalTableVersion: replication.version,
    // As in AWS, the default mode is omitted.
    MultiRegionConsistency: replication.consistency,
    GlobalTableWitnesses:
      replication.witness === undefined
        ? undefined
        : [{ RegionName: replication.witness, WitnessStatus: 'ACTIVE' as const }],
    Replicas: replication.regions
      .filter((region) => region !== own)
      .map((region) => {
        const overrides = replication.overrides[region] ?? {};
        const { kmsKey, tableClass, indexes } = overrides;
        return {
          RegionName: region,
          ReplicaStatus: 'ACTIVE' as const,
          KMSMasterKeyId: kmsKey,
          ...describeReads(overrides),
          GlobalSecondaryIndexes: indexes?.map((index) => ({ IndexName: index.name, ...describeReads(index) })),
          ReplicaTableClassSummary: tableClass && { TableClass: tableClass },
          GlobalTableSettingsReplicationMode: settingsReplication(record),
          WarmThroughput: warmDescription(record, record.billingMode, 'ACTIVE'),
        };
      }),
  };
}

const describeReads = ({ readUnits, maxReadRequestUnits }: DeepReadonly<ReadOverrides>) => ({
  ProvisionedThroughputOverride: readUnits === undefined ? undefined : { ReadCapacityUnits: readUnits },
  OnDemandThroughputOverride:
    maxReadRequestUnits === undefined ? undefined : { MaxReadRequestUnits: maxReadRequestUnits },
});
