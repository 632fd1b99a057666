import { copyOf, parseArn, stateInRegion } from '@emu/core/service';
import type { BackupDescription, BackupDetails, BackupType, InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { Entry } from '../attributes/ordered-index.ts';
import type { Item } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { tableNameOf } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { TableRecord } from '../records.ts';
import { backupType, ownTable } from '../resources.ts';
import type { BackupRecord } from '../tables/backups.ts';
import type { Table } from '../tables/table.ts';

const MAX_LIST = 100;
/** Retention of the backup of a deleted table with point-in-time recovery, in milliseconds. */
const DELETED_TABLE_RETENTION = 35 * 24 * 60 * 60 * 1000;

/** Creates a backup of a table's current state; resolves when it is stored completely. */
async function backUp(
  ctx: DynamodbContext,
  table: Table,
  name: string,
  type: BackupType,
  expiresAt?: number,
): Promise<BackupRecord> {
  const now = ctx.clock.now();
  const id = `${String(now).padStart(14, '0')}-${ctx.ids.hex(8)}`;
  const record: BackupRecord = {
    arn: backupType.arn({ table: table.name, backup: id }, ownTable(table.record.arn).place),
    id,
    name,
    type,
    createdAt: now,
    ...(expiresAt !== undefined && { expiresAt }),
    bytes: table.bytes,
    itemCount: table.itemCount,
    table: copyOf(table.record) as TableRecord,
  };
  // The backup belongs to the account and region of its table.
  const { accountId, region } = parseArn(record.arn)!;
  await ctx.handle.state(accountId, region).backups.add(record, itemsOf(table.primary.held()));
  return record;
}

function* itemsOf(entries: Iterable<Entry>): Iterable<Item> {
  for (const { item } of entries) yield item;
}

/** Creates the system backup of a deleted table with point-in-time recovery. */
export async function backUpDeleted(ctx: DynamodbContext, table: Table): Promise<void> {
  await backUp(ctx, table, `${table.name}$DeletedTableBackup`, 'SYSTEM', ctx.clock.now() + DELETED_TABLE_RETENTION);
}

/**
 * Returns a backup by ARN.
 * @throws AwsError `BackupNotFoundException`
 */
function namedBackup(ctx: DynamodbContext, arn: string): BackupRecord {
  const address = backupType.parse(arn);
  if (!address) throw invalid(`Invalid backup ARN: ${arn}`);
  const backup = stateInRegion(address.place, ctx)?.backups.get(arn);
  if (!backup) throw dynamodbError('BackupNotFoundException', `Backup not found: ${arn}`);
  return backup;
}

/**
 * Returns a backup that is complete.
 * @throws AwsError `BackupNotFoundException`, `BackupInUseException`
 */
export function completeBackup(ctx: DynamodbContext, arn: string): BackupRecord {
  const backup = namedBackup(ctx, arn);
  // emu's own message.
  if (backup.creating) throw dynamodbError('BackupInUseException', `Backup is being created: ${arn}`);
  return backup;
}

function detailsOf(backup: BackupRecord): BackupDetails {
  return {
    BackupArn: backup.arn,
    BackupName: backup.name,
    BackupSizeBytes: backup.bytes,
    BackupStatus: backup.creating ? 'CREATING' : 'AVAILABLE',
    BackupType: backup.type,
    BackupCreationDateTime: new Date(backup.createdAt),
    BackupExpiryDateTime: backup.expiresAt === undefined ? undefined : new Date(backup.expiresAt),
  };
}

function descriptionOf(backup: BackupRecord): BackupDescription {
  const { table } = backup;
  const unitsOf = ({ read, write }: { read: number; write: number }) => ({
    ReadCapacityUnits: read,
    WriteCapacityUnits: write,
  });
  return {
    BackupDetails: detailsOf(backup),
    SourceTableDetails: {
      TableName: table.name,
      TableId: table.id,
      TableArn: table.arn,
      TableSizeBytes: backup.bytes,
      KeySchema: table.keySchema,
      TableCreationDateTime: new Date(table.createdAt),
      ProvisionedThroughput: unitsOf(table.throughput),
      ItemCount: backup.itemCount,
      BillingMode: table.billingMode,
    },
    SourceTableFeatureDetails: {
      LocalSecondaryIndexes: table.localIndexes.length
        ? table.localIndexes.map(({ name, keySchema, projection }) => ({
            IndexName: name,
            KeySchema: keySchema,
            Projection: projection,
          }))
        : undefined,
      GlobalSecondaryIndexes: table.globalIndexes.length
        ? table.globalIndexes.map(({ name, keySchema, projection, throughput }) => ({
            IndexName: name,
            KeySchema: keySchema,
            Projection: projection,
            ProvisionedThroughput: unitsOf(throughput),
          }))
        : undefined,
      StreamDescription: table.stream?.enabled
        ? { StreamEnabled: true, StreamViewType: table.stream.viewType }
        : undefined,
      TimeToLiveDescription: table.ttl?.enabled
        ? { TimeToLiveStatus: 'ENABLED', AttributeName: table.ttl.attribute }
        : undefined,
      SSEDescription: table.sse && { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: table.sse.kmsKeyArn },
    },
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateBackup.html */
export async function CreateBackup(
  input: InputOf<'CreateBackup'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'CreateBackup'>> {
  const name = tableNameOf(input.TableName);
  const table = ctx.state.table(name);
  if (!table) throw dynamodbError('TableNotFoundException', `Table not found: ${name}`);
  const backup = await backUp(ctx, table, input.BackupName, 'USER');
  return { BackupDetails: { ...detailsOf(backup), BackupStatus: 'CREATING' } };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeBackup.html */
export function DescribeBackup(input: InputOf<'DescribeBackup'>, ctx: DynamodbContext): OutputOf<'DescribeBackup'> {
  return { BackupDescription: descriptionOf(namedBackup(ctx, input.BackupArn)) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteBackup.html */
export async function DeleteBackup(
  input: InputOf<'DeleteBackup'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'DeleteBackup'>> {
  const backup = completeBackup(ctx, input.BackupArn);
  // emu's own message.
  if (backup.type === 'SYSTEM') throw invalid(`Backup ${backup.arn} is a system backup and cannot be deleted`);
  const description = descriptionOf(backup);
  const { accountId, region } = parseArn(backup.arn)!;
  await ctx.handle.state(accountId, region).backups.remove(backup);
  return { BackupDescription: { ...description, BackupDetails: { ...detailsOf(backup), BackupStatus: 'DELETED' } } };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListBackups.html */
export function ListBackups(input: InputOf<'ListBackups'>, ctx: DynamodbContext): OutputOf<'ListBackups'> {
  const type = input.BackupType ?? 'USER';
  const name = input.TableName === undefined ? undefined : tableNameOf(input.TableName);
  let all = ctx.state.backups
    .list()
    .filter(
      (backup) =>
        (type === 'ALL' || backup.type === type) &&
        (name === undefined || backup.table.name === name) &&
        !(input.TimeRangeLowerBound && backup.createdAt < input.TimeRangeLowerBound.getTime()) &&
        !(input.TimeRangeUpperBound && backup.createdAt >= input.TimeRangeUpperBound.getTime()),
    );
  if (input.ExclusiveStartBackupArn !== undefined) {
    const at = all.findIndex(({ arn }) => arn === input.ExclusiveStartBackupArn);
    if (at < 0) throw invalid(`Invalid ExclusiveStartBackupArn: ${input.ExclusiveStartBackupArn}`);
    all = all.slice(at + 1);
  }
  const page = all.slice(0, input.Limit ?? MAX_LIST);
  return {
    BackupSummaries: page.map((backup) => ({
      TableName: backup.table.name,
      TableId: backup.table.id,
      TableArn: backup.table.arn,
      ...detailsOf(backup),
    })),
    LastEvaluatedBackupArn: page.length < all.length ? page.at(-1)!.arn : undefined,
  };
}
