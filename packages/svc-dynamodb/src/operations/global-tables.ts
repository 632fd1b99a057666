import { copyOf, parseArn } from '@emu/core/service';
import type {
  GlobalTableDescription,
  GlobalTableStatus,
  InputOf,
  OutputOf,
  ReplicaSettingsDescription,
  ReplicaSettingsUpdate,
  UpdateGlobalTableSettingsInput,
} from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { stateAt, tableNameOf } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { Replication, TableRecord } from '../records.ts';
import { globalTableType } from '../resources.ts';
import type { Table } from '../tables/table.ts';
import { changed, indexSettings, keyOf, settingsOf as scalingOf } from './auto-scaling.ts';
import { changeGroup, leaveGroup } from './replicas.ts';

/** Global tables of version 2017.11.29, made of tables with the same name in several regions. */

const VERSION = '2017.11.29';
const MAX_LIST = 100;

/**
 * Returns the replica of a global table in the caller's region.
 * @throws AwsError `GlobalTableNotFoundException`
 */
function globalTable(ctx: DynamodbContext, value: string): { table: Table; group: Replication } {
  const name = tableNameOf(value);
  const table = ctx.state.table(name);
  const group = table?.record.replication as Replication | undefined;
  if (!table || group?.version !== VERSION)
    throw dynamodbError(
      'GlobalTableNotFoundException',
      `Global table not found: Global table with name: '${name}' does not exist.`,
    );
  return { table, group };
}

function describe(
  name: string,
  group: Replication,
  status: GlobalTableStatus,
  ctx: DynamodbContext,
): GlobalTableDescription {
  return {
    ReplicationGroup: group.regions.map((RegionName) => ({ RegionName, ReplicaStatus: 'ACTIVE' })),
    GlobalTableArn: globalTableType.arn({ name }, ctx),
    CreationDateTime: new Date(group.createdAt),
    GlobalTableStatus: status,
    GlobalTableName: name,
  };
}

/**
 * Returns the table that will become a replica.
 * @throws AwsError if it is missing or unsuitable
 */
function candidate(ctx: DynamodbContext, name: string, region: string, like: Table | undefined): Table {
  const table = stateAt({ accountId: ctx.accountId, region }, ctx)?.table(name);
  if (!table) throw dynamodbError('TableNotFoundException', `Table not found: ${name} in region ${region}`);
  const { record } = table;
  if (record.replication)
    throw dynamodbError('ReplicaAlreadyExistsException', `Table ${name} in region ${region} is a replica already`);
  if (!record.stream?.enabled || record.stream.viewType !== 'NEW_AND_OLD_IMAGES')
    throw invalid(
      `One or more parameter values were invalid: Table ${name} in region ${region} must have a stream with the view type NEW_AND_OLD_IMAGES`,
    );
  if (table.itemCount)
    throw invalid(`One or more parameter values were invalid: Table ${name} in region ${region} is not empty`);
  const shape = (of: Table): string =>
    JSON.stringify([of.record.keySchema, of.record.globalIndexes.map((index) => [index.name, index.keySchema]).sort()]);
  if (like && shape(table) !== shape(like))
    throw invalid(
      `One or more parameter values were invalid: Table ${name} in region ${region} has other keys or indexes than the other replicas`,
    );
  return table;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateGlobalTable.html */
export function CreateGlobalTable(
  input: InputOf<'CreateGlobalTable'>,
  ctx: DynamodbContext,
): OutputOf<'CreateGlobalTable'> {
  const name = tableNameOf(input.GlobalTableName);
  const regions = input.ReplicationGroup.map(({ RegionName }) => RegionName ?? '');
  if (!regions.length || regions.includes(''))
    throw invalid('One or more parameter values were invalid: ReplicationGroup must name at least one region');
  if (new Set(regions).size !== regions.length)
    throw invalid('One or more parameter values were invalid: ReplicationGroup names a region twice');
  if (ctx.state.table(name)?.record.replication)
    throw dynamodbError('GlobalTableAlreadyExistsException', `Global table with name: '${name}' already exists.`);
  let first: Table | undefined;
  const tables = regions.map((region) => {
    const table = candidate(ctx, name, region, first);
    first ??= table;
    return table;
  });
  const group: Replication = { version: VERSION, createdAt: ctx.clock.now(), regions, overrides: {} };
  for (const table of tables)
    table.update((draft) => {
      draft.replication = { ...group, regions: [...regions], overrides: {} };
    });
  return { GlobalTableDescription: describe(name, group, 'CREATING', ctx) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeGlobalTable.html */
export function DescribeGlobalTable(
  input: InputOf<'DescribeGlobalTable'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeGlobalTable'> {
  const { table, group } = globalTable(ctx, input.GlobalTableName);
  return { GlobalTableDescription: describe(table.name, group, 'ACTIVE', ctx) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListGlobalTables.html */
export function ListGlobalTables(
  input: InputOf<'ListGlobalTables'>,
  ctx: DynamodbContext,
): OutputOf<'ListGlobalTables'> {
  const after = input.ExclusiveStartGlobalTableName;
  const all = ctx.state.tableNames().filter((name) => {
    const group = ctx.state.table(name)!.record.replication;
    return (
      group?.version === VERSION &&
      (after === undefined || name > after) &&
      (input.RegionName === undefined || group.regions.includes(input.RegionName))
    );
  });
  const page = all.slice(0, input.Limit ?? MAX_LIST);
  return {
    GlobalTables: page.map((name) => ({
      GlobalTableName: name,
      ReplicationGroup: ctx.state.table(name)!.record.replication!.regions.map((RegionName) => ({ RegionName })),
    })),
    LastEvaluatedGlobalTableName: page.length < all.length ? page.at(-1) : undefined,
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateGlobalTable.html */
export function UpdateGlobalTable(
  input: InputOf<'UpdateGlobalTable'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateGlobalTable'> {
  const { table, group } = globalTable(ctx, input.GlobalTableName);
  const { name } = table;
  const added: Table[] = [];
  const removed: Table[] = [];
  for (const { Create: create, Delete: remove } of input.ReplicaUpdates) {
    if (create) {
      if (group.regions.includes(create.RegionName))
        throw dynamodbError('ReplicaAlreadyExistsException', `Replica in region ${create.RegionName} exists already`);
      added.push(candidate(ctx, name, create.RegionName, table));
    }
    if (remove) {
      if (!group.regions.includes(remove.RegionName))
        throw dynamodbError('ReplicaNotFoundException', `Replica in region ${remove.RegionName} does not exist`);
      removed.push(ctx.handle.state(ctx.accountId, remove.RegionName).table(name)!);
    }
  }
  const regions = [...group.regions, ...added.map((replica) => parseArn(replica.record.arn)!.region)];
  changeGroup(ctx, table, (draft) => {
    draft.regions = [...regions];
  });
  for (const replica of added)
    replica.update((draft) => {
      draft.replication = { ...group, regions: [...regions], overrides: {} };
    });
  for (const replica of removed) leaveGroup(ctx, replica);
  const gone = new Set(removed.map((replica) => parseArn(replica.record.arn)!.region));
  const rest = { ...group, regions: regions.filter((region) => !gone.has(region)) };
  return { GlobalTableDescription: describe(name, rest, 'UPDATING', ctx) };
}

function settingsOf(ctx: DynamodbContext, name: string, group: Replication): ReplicaSettingsDescription[] {
  return group.regions.map((region) => {
    const record = copyOf(ctx.handle.state(ctx.accountId, region).table(name)!.record) as TableRecord;
    const { autoScaling } = record;
    return {
      RegionName: region,
      ReplicaStatus: 'ACTIVE',
      ReplicaBillingModeSummary: record.billingModeNamed ? { BillingMode: record.billingMode } : undefined,
      ReplicaProvisionedReadCapacityUnits: record.throughput.read,
      ReplicaProvisionedReadCapacityAutoScalingSettings: autoScaling?.read,
      ReplicaProvisionedWriteCapacityUnits: record.throughput.write,
      ReplicaProvisionedWriteCapacityAutoScalingSettings: autoScaling?.write,
      ReplicaGlobalSecondaryIndexSettings: record.globalIndexes.length
        ? record.globalIndexes.map((index) => ({
            IndexName: index.name,
            IndexStatus: 'ACTIVE',
            ProvisionedReadCapacityUnits: index.throughput.read,
            ProvisionedReadCapacityAutoScalingSettings: autoScaling?.indexes[keyOf(index.name)]?.read,
            ProvisionedWriteCapacityUnits: index.throughput.write,
            ProvisionedWriteCapacityAutoScalingSettings: autoScaling?.indexes[keyOf(index.name)]?.write,
          }))
        : undefined,
      ReplicaTableClassSummary: record.tableClass && { TableClass: record.tableClass },
    };
  });
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeGlobalTableSettings.html */
export function DescribeGlobalTableSettings(
  input: InputOf<'DescribeGlobalTableSettings'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeGlobalTableSettings'> {
  const { table, group } = globalTable(ctx, input.GlobalTableName);
  return { GlobalTableName: table.name, ReplicaSettings: settingsOf(ctx, table.name, group) };
}

function findIndex(draft: TableRecord, name: string) {
  const index = draft.globalIndexes.find((candidate) => candidate.name === name);
  if (!index) throw dynamodbError('IndexNotFoundException', `Index not found: ${name}`);
  return index;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateGlobalTableSettings.html */
export function UpdateGlobalTableSettings(
  input: InputOf<'UpdateGlobalTableSettings'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateGlobalTableSettings'> {
  const { table, group } = globalTable(ctx, input.GlobalTableName);
  const { name } = table;
  const indexNames = new Set(table.record.globalIndexes.map((index) => index.name));
  const named = [
    ...(input.GlobalTableGlobalSecondaryIndexSettingsUpdate ?? []),
    ...(input.ReplicaSettingsUpdate ?? []).flatMap((update) => update.ReplicaGlobalSecondaryIndexSettingsUpdate ?? []),
  ];
  for (const { IndexName } of named)
    if (!indexNames.has(IndexName)) throw dynamodbError('IndexNotFoundException', `Index not found: ${IndexName}`);
  for (const { RegionName } of input.ReplicaSettingsUpdate ?? [])
    if (!group.regions.includes(RegionName))
      throw dynamodbError('ReplicaNotFoundException', `Replica in region ${RegionName} does not exist`);
  // Everything is computed before anything is stored: a rejected update changes nothing.
  const plans = group.regions.map((region) => {
    const replica = ctx.handle.state(ctx.accountId, region).table(name)!;
    const next = copyOf(replica.record) as TableRecord;
    changeSettings(next, input, region);
    return { replica, next };
  });
  for (const { replica, next } of plans)
    replica.update((draft) => {
      Object.assign(draft, next);
    });
  return { GlobalTableName: name, ReplicaSettings: settingsOf(ctx, name, group) };
}

/**
 * Applies an update of a global table's settings to one of its replicas.
 * @throws AwsError `ValidationException`
 */
function changeSettings(draft: TableRecord, input: UpdateGlobalTableSettingsInput, region: string): void {
  if (input.GlobalTableBillingMode) {
    draft.billingMode = input.GlobalTableBillingMode;
    draft.billingModeNamed = true;
  }
  const write = input.GlobalTableProvisionedWriteCapacityUnits;
  if (write !== undefined) draft.throughput.write = write;
  const scaling = input.GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate;
  if (scaling) scalingOf(draft).write = changed(scaling);
  for (const update of input.GlobalTableGlobalSecondaryIndexSettingsUpdate ?? []) {
    const { IndexName, ProvisionedWriteCapacityUnits, ProvisionedWriteCapacityAutoScalingSettingsUpdate } = update;
    if (ProvisionedWriteCapacityUnits !== undefined)
      findIndex(draft, IndexName).throughput.write = ProvisionedWriteCapacityUnits;
    const settings = indexSettings(draft, IndexName);
    if (ProvisionedWriteCapacityAutoScalingSettingsUpdate)
      settings.write = changed(ProvisionedWriteCapacityAutoScalingSettingsUpdate);
  }
  for (const update of input.ReplicaSettingsUpdate ?? [])
    if (update.RegionName === region) changeReplica(draft, update);
}

function changeReplica(draft: TableRecord, update: ReplicaSettingsUpdate): void {
  if (update.ReplicaProvisionedReadCapacityUnits !== undefined)
    draft.throughput.read = update.ReplicaProvisionedReadCapacityUnits;
  if (update.ReplicaTableClass) draft.tableClass = update.ReplicaTableClass;
  const scaling = update.ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate;
  if (scaling) scalingOf(draft).read = changed(scaling);
  for (const index of update.ReplicaGlobalSecondaryIndexSettingsUpdate ?? []) {
    const { IndexName, ProvisionedReadCapacityUnits, ProvisionedReadCapacityAutoScalingSettingsUpdate } = index;
    if (ProvisionedReadCapacityUnits !== undefined)
      findIndex(draft, IndexName).throughput.read = ProvisionedReadCapacityUnits;
    const settings = indexSettings(draft, IndexName);
    if (ProvisionedReadCapacityAutoScalingSettingsUpdate)
      settings.read = changed(ProvisionedReadCapacityAutoScalingSettingsUpdate);
  }
}
