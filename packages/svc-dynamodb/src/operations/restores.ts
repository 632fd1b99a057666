import { copyOf, type DeepReadonly, parseArn, Slices } from '@emu/core/service';
import type {
  ContinuousBackupsDescription,
  InputOf,
  OutputOf,
  RestoreTableFromBackupInput,
  TableDescription,
} from '@emu/service-types/dynamodb';
import type { Item } from '../attributes/values.ts';
import type { DynamodbContext } from '../context.ts';
import { findTable, findTableAnywhere, tableNameOf } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { GlobalIndexRecord, LocalIndexRecord, TableRecord } from '../records.ts';
import { tableType } from '../resources.ts';
import { describeTable } from '../tables/describe.ts';
import { encryptionOf } from '../tables/encryption.ts';
import { recoveryWindow } from '../tables/recovery.ts';
import { globalIndexOf, localIndexOf, throughputOf, unitsOf } from '../tables/schemas.ts';
import type { Table } from '../tables/table.ts';
import { checkOnDemand } from '../tables/throughput-limits.ts';
import { completeBackup } from './backups.ts';

const DEFAULT_DAYS = 35;
/** Milliseconds by which AWS's restorable time lags; emu can restore to any time up to now. */
const AWS_RESTORE_LAG = 5 * 60 * 1000;

function describeContinuous(table: Table, now: number): ContinuousBackupsDescription {
  const window = recoveryWindow(table, now);
  return {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: window
      ? {
          PointInTimeRecoveryStatus: 'ENABLED',
          RecoveryPeriodInDays: table.record.pitr!.days,
          EarliestRestorableDateTime: new Date(window.from),
          LatestRestorableDateTime: new Date(Math.max(window.from, window.to - AWS_RESTORE_LAG)),
        }
      : { PointInTimeRecoveryStatus: 'DISABLED' },
  };
}

function backedUpTable(ctx: DynamodbContext, tableName: string, find = findTable): Table {
  const table = find(ctx, tableName);
  if (!table) throw dynamodbError('TableNotFoundException', `Table not found: ${tableNameOf(tableName)}`);
  return table;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContinuousBackups.html */
export function DescribeContinuousBackups(
  input: InputOf<'DescribeContinuousBackups'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeContinuousBackups'> {
  const table = backedUpTable(ctx, input.TableName);
  return { ContinuousBackupsDescription: describeContinuous(table, ctx.clock.now()) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html */
export function UpdateContinuousBackups(
  input: InputOf<'UpdateContinuousBackups'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateContinuousBackups'> {
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } = input.PointInTimeRecoverySpecification;
  if (!enabled && days !== undefined)
    throw invalid('Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.');
  const table = backedUpTable(ctx, input.TableName);
  const now = ctx.clock.now();
  table.update((draft) => {
    if (enabled)
      draft.pitr = { enabledAt: draft.pitr?.enabledAt ?? now, days: days ?? draft.pitr?.days ?? DEFAULT_DAYS };
    else delete draft.pitr;
  });
  if (!enabled) ctx.state.history.remove(table.record.id);
  return { ContinuousBackupsDescription: describeContinuous(table, now) };
}

type Overrides = Pick<
  RestoreTableFromBackupInput,
  | 'BillingModeOverride'
  | 'GlobalSecondaryIndexOverride'
  | 'LocalSecondaryIndexOverride'
  | 'ProvisionedThroughputOverride'
  | 'OnDemandThroughputOverride'
  | 'SSESpecificationOverride'
>;

/** Returns the indexes of a restored table: those of the source, or a selection. */
function selected<Index extends LocalIndexRecord>(source: readonly Index[], chosen: Index[] | undefined): Index[] {
  if (!chosen) return [...source];
  for (const index of chosen) {
    const original = source.find(({ name }) => name === index.name);
    if (!original || JSON.stringify(original.keySchema) !== JSON.stringify(index.keySchema))
      throw invalid(
        `Invalid Request: Index ${index.name} does not match a secondary index that existed in the source table and cannot be created during the restore operation`,
      );
  }
  return chosen;
}

function restoredRecord(
  ctx: DynamodbContext,
  source: TableRecord,
  name: string,
  overrides: Overrides,
  sse: TableRecord['sse'],
): TableRecord {
  const now = ctx.clock.now();
  const billingMode = overrides.BillingModeOverride ?? source.billingMode;
  const switched = billingMode !== source.billingMode;
  const provisioned = overrides.ProvisionedThroughputOverride !== undefined;
  const refuse = (reason: string) => invalid(`Invalid Request: ${reason}`);
  if (provisioned && overrides.BillingModeOverride === 'PAY_PER_REQUEST')
    throw refuse('Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST');
  if (provisioned && billingMode !== 'PROVISIONED')
    throw refuse('Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED');
  if (!provisioned && switched && billingMode === 'PROVISIONED')
    throw refuse('Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED');
  checkOnDemand(overrides.OnDemandThroughputOverride, billingMode);
  const throughput =
    overrides.ProvisionedThroughputOverride || switched
      ? throughputOf(overrides.ProvisionedThroughputOverride, billingMode)
      : { read: source.throughput.read, write: source.throughput.write, decreasesToday: 0 };
  const indexThroughput = (index: GlobalIndexRecord): GlobalIndexRecord => ({
    ...index,
    throughput: switched
      ? { read: throughput.read, write: throughput.write, decreasesToday: 0 }
      : { read: index.throughput.read, write: index.throughput.write, decreasesToday: 0 },
  });
  const globalIndexes = overrides.GlobalSecondaryIndexOverride
    ? selected(
        source.globalIndexes,
        overrides.GlobalSecondaryIndexOverride.map((index) => globalIndexOf(index, billingMode)),
      )
    : source.globalIndexes.map(indexThroughput);
  const localIndexes = selected(source.localIndexes, overrides.LocalSecondaryIndexOverride?.map(localIndexOf));
  const schemas = [source, ...localIndexes, ...globalIndexes];
  const used = new Set(schemas.flatMap(({ keySchema }) => keySchema.map(({ AttributeName }) => AttributeName)));
  return {
    name,
    id: ctx.ids.uuid(),
    arn: tableType.arn({ table: name }, ctx),
    createdAt: now,
    attributeDefinitions: source.attributeDefinitions.filter(({ AttributeName }) => used.has(AttributeName)),
    keySchema: source.keySchema,
    billingMode,
    billingModeNamed: source.billingModeNamed || overrides.BillingModeOverride !== undefined,
    ...(billingMode === 'PAY_PER_REQUEST' && { payPerRequestAt: now }),
    throughput,
    ...(overrides.OnDemandThroughputOverride && { onDemand: unitsOf(overrides.OnDemandThroughputOverride) }),
    localIndexes,
    globalIndexes,
    ...(sse && { sse }),
    ...(source.tableClass && { tableClass: source.tableClass }),
    deletionProtection: false,
    tags: {},
  };
}

const overriddenEncryption = async (
  override: Overrides['SSESpecificationOverride'],
  source: DeepReadonly<TableRecord>,
  name: string,
  ctx: DynamodbContext,
): Promise<TableRecord['sse']> =>
  override
    ? encryptionOf(override, tableType.arn({ table: name }, ctx), ctx)
    : source.sse && { kmsKeyArn: source.sse.kmsKeyArn };

/** Creates a table from items. Until it is complete its status is CREATING, and a restart discards it. */
async function restore(ctx: DynamodbContext, record: TableRecord, items: Iterable<Item>): Promise<TableDescription> {
  const table = ctx.state.addTable(record);
  const description = describeTable(table, { status: 'CREATING' });
  table.beginImport();
  const slices = new Slices();
  for (const item of items) {
    table.put(item);
    const pause = slices.pause();
    if (!pause) continue;
    await pause;
    // The table was deleted, or the state was reset.
    if (ctx.state.closed || ctx.state.table(table.name) !== table) break;
  }
  if (!ctx.state.closed && ctx.state.table(table.name) === table) table.endImport();
  return {
    ...description,
    RestoreSummary: { ...description.RestoreSummary!, RestoreInProgress: true },
  };
}

function targetName(ctx: DynamodbContext, value: string): string {
  const name = tableNameOf(value);
  if (ctx.state.table(name)) throw dynamodbError('TableAlreadyExistsException', `Table already exists: ${name}`);
  return name;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableFromBackup.html */
export async function RestoreTableFromBackup(
  input: InputOf<'RestoreTableFromBackup'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'RestoreTableFromBackup'>> {
  const backup = completeBackup(ctx, input.BackupArn);
  const name = targetName(ctx, input.TargetTableName);
  const sse = await overriddenEncryption(input.SSESpecificationOverride, backup.table, targetName(ctx, name), ctx);
  const record = restoredRecord(ctx, copyOf(backup.table) as TableRecord, targetName(ctx, name), input, sse);
  record.restore = { backupArn: backup.arn, tableArn: backup.table.arn, to: backup.createdAt };
  const { accountId, region } = parseArn(backup.arn)!;
  const items = ctx.handle.state(accountId, region).backups.itemsOf(backup).slice();
  return { TableDescription: await restore(ctx, record, items) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableToPointInTime.html */
export async function RestoreTableToPointInTime(
  input: InputOf<'RestoreTableToPointInTime'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'RestoreTableToPointInTime'>> {
  const { SourceTableArn: arn, SourceTableName: sourceName } = input;
  const named = arn ?? sourceName;
  if (named === undefined || (arn !== undefined && sourceName !== undefined))
    throw invalid('Must provide exactly one of: sourceTableArn, sourceTableName');
  if ((input.RestoreDateTime === undefined) !== (input.UseLatestRestorableTime === true))
    throw invalid(
      'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
    );
  const source = backedUpTable(ctx, named, findTableAnywhere);
  const window = recoveryWindow(source, ctx.clock.now());
  if (!window)
    throw dynamodbError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${source.name}'`,
    );
  const to = input.UseLatestRestorableTime ? window.to : input.RestoreDateTime!.getTime();
  // Times have a resolution of seconds: the first second of the window counts in full.
  if (to < Math.floor(window.from / 1000) * 1000 || to > window.to)
    throw dynamodbError(
      'InvalidRestoreTimeException',
      `RestoreDateTime is out of bounds: ${new Date(to).toISOString()}`,
    );
  const name = targetName(ctx, input.TargetTableName);
  const sse = await overriddenEncryption(input.SSESpecificationOverride, source.record, targetName(ctx, name), ctx);
  const record = restoredRecord(ctx, copyOf(source.record) as TableRecord, targetName(ctx, name), input, sse);
  record.restore = { tableArn: source.record.arn, to };
  const { accountId, region } = parseArn(source.record.arn)!;
  const items = ctx.handle.state(accountId, region).history.itemsAt(source, Math.max(to, window.from));
  return { TableDescription: await restore(ctx, record, items) };
}
