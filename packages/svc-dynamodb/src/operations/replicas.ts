import { copyOf, type DeepReadonly, parseArn } from '@emu/core/service';
import type { ReplicationGroupUpdate, UpdateReplicationGroupMemberAction } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { ReadOverrides, ReplicaOverrides, Replication, TableRecord } from '../records.ts';
import { streamArn, tableType } from '../resources.ts';
import type { DynamoState } from '../state.ts';
import { throughputOf } from '../tables/schemas.ts';
import type { Table } from '../tables/table.ts';
import { checkOnDemand } from '../tables/throughput-limits.ts';

/** Replicas of global tables of version 2019.11.21, which `UpdateTable` creates, changes and deletes. */

const VERSION = '2019.11.21';

const homeOf = (table: Table): { accountId: string; region: string } => parseArn(table.record.arn)!;

/**
 * Validates updates of the replicas of a table.
 * @param strong whether the global table is or becomes strongly consistent, whose replicas are created and deleted
 * together
 * @throws AwsError if one of them is invalid
 */
export function checkReplicaUpdates(
  ctx: DynamodbContext,
  table: Table,
  updates: readonly ReplicationGroupUpdate[],
  strong: boolean,
): void {
  const { accountId, region: own } = homeOf(table);
  const present = new Set(table.record.replication?.regions ?? []);
  if (updates.length && table.record.replication && table.record.replication.version !== VERSION)
    throw invalid('The table is a replica of a global table of version 2017.11.29: use UpdateGlobalTable instead');
  const kinds = new Set<string>();
  const regions = new Set<string>();
  for (const update of updates) {
    const { Create: create, Update: change, Delete: remove } = update;
    const actions = [create, change, remove].filter((action) => action !== undefined);
    if (!actions.length) throw invalid('There are no actions specified in the Replica Update Action of the request.');
    for (const kind of Object.keys(update)) if (update[kind as keyof typeof update]) kinds.add(kind);
    if (kinds.size > 1) throw invalid('Update table operation with more than one type of replica actions not allowed');
    const { RegionName: region } = actions[0]!;
    if (regions.has(region)) throw invalid('Cannot target multiple regions with the same action');
    regions.add(region);
    if (region === own)
      throw invalid(
        'Cannot add, delete, or update the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.',
      );
    if (create && (present.has(region) || ctx.handle.existingState(accountId, region)?.table(table.name)))
      throw invalid(
        `Failed to create a the new replica of table with name: ‘${table.name}’ because one or more replicas already existed as tables.`,
      );
    if (!create && !present.has(region))
      throw invalid(
        strong
          ? `Update global table operation failed because one or more replicas were not part of the global table. Please retry the request without these replicas: [${region}].`
          : 'Replica specified in the Replica Update or Replica Delete action of the request was not found.',
      );
    for (const given of [create, change]) if (given) checkOverrides(given, table);
    if (create) {
      const { stream } = table.record;
      if (stream?.enabled && stream.viewType !== 'NEW_AND_OLD_IMAGES')
        throw invalid(
          'One or more parameter values were invalid: The stream of a global table must have the view type NEW_AND_OLD_IMAGES',
        );
    }
  }
  if (!strong && regions.size > 1 && !kinds.has('Update'))
    throw invalid('Update table operation with more than one create or delete replica actions not allowed');
}

/** Creates, changes and deletes replicas; `checkReplicaUpdates` must have passed. */
export function updateReplicas(ctx: DynamodbContext, table: Table, updates: readonly ReplicationGroupUpdate[]): void {
  for (const { Create: create, Update: update, Delete: remove } of updates) {
    if (create) addReplica(ctx, table, create);
    if (update) {
      const current = table.record.replication!.overrides[update.RegionName];
      const overrides = overridesOf(update, current && (copyOf(current) as ReplicaOverrides));
      changeGroup(ctx, table, (group) => {
        group.overrides[update.RegionName] = overrides;
      });
      applyOverrides(ctx.handle.state(ctx.accountId, update.RegionName).table(table.name)!, overrides);
    }
    if (remove) {
      const state = ctx.handle.state(homeOf(table).accountId, remove.RegionName);
      const replica = state.table(table.name);
      if (!replica) continue;
      leaveGroup(ctx, replica);
      // The replica disappears immediately; its items are deleted in the background.
      void state.removeTable(table.name);
    }
  }
}

/**
 * Validates the overrides of a replica.
 * @throws AwsError `ValidationException`, `ResourceNotFoundException`
 */
function checkOverrides(update: UpdateReplicationGroupMemberAction, { record }: Table): void {
  const { billingMode, globalIndexes } = record;
  const check = ({ ProvisionedThroughputOverride: units, OnDemandThroughputOverride }: Overriding, index?: string) => {
    if (units) throughputOf({ ReadCapacityUnits: 1, WriteCapacityUnits: 1, ...units }, billingMode, index);
    checkOnDemand(OnDemandThroughputOverride, billingMode, index);
  };
  check(update);
  for (const index of update.GlobalSecondaryIndexes ?? []) {
    if (!globalIndexes.some(({ name }) => name === index.IndexName))
      throw dynamodbError(
        'ResourceNotFoundException',
        `Requested resource not found: Index: ${index.IndexName} not found`,
      );
    check(index, index.IndexName);
  }
}

type Overriding = Pick<
  UpdateReplicationGroupMemberAction,
  'ProvisionedThroughputOverride' | 'OnDemandThroughputOverride'
>;

function readOverrides({ ProvisionedThroughputOverride, OnDemandThroughputOverride }: Overriding): ReadOverrides {
  const readUnits = ProvisionedThroughputOverride?.ReadCapacityUnits;
  const maxReadRequestUnits = OnDemandThroughputOverride?.MaxReadRequestUnits;
  return {
    ...(readUnits !== undefined && { readUnits }),
    ...(maxReadRequestUnits !== undefined && { maxReadRequestUnits }),
  };
}

/** Returns the overrides of a replica after an update; missing members are unchanged. */
function overridesOf(update: UpdateReplicationGroupMemberAction, current: ReplicaOverrides = {}): ReplicaOverrides {
  const { KMSMasterKeyId, TableClassOverride, GlobalSecondaryIndexes = [] } = update;
  const indexes = new Map(current.indexes?.map((index) => [index.name, index]));
  for (const index of GlobalSecondaryIndexes)
    indexes.set(index.IndexName, { ...indexes.get(index.IndexName), name: index.IndexName, ...readOverrides(index) });
  return {
    ...current,
    ...(KMSMasterKeyId !== undefined && { kmsKey: KMSMasterKeyId }),
    ...(TableClassOverride !== undefined && { tableClass: TableClassOverride }),
    ...readOverrides(update),
    ...(indexes.size && { indexes: [...indexes.values()] }),
  };
}

function applyOverrides(replica: Table, overrides: ReplicaOverrides): void {
  replica.update((draft) => {
    if (overrides.tableClass) draft.tableClass = overrides.tableClass;
    applyReads(draft, overrides);
    overrideIndexes(draft, overrides);
  });
}

function overrideIndexes({ globalIndexes }: TableRecord, { indexes = [] }: DeepReadonly<ReplicaOverrides>): void {
  for (const overrides of indexes)
    for (const index of globalIndexes) if (index.name === overrides.name) applyReads(index, overrides);
}

function applyReads(
  draft: Pick<TableRecord, 'throughput' | 'onDemand'>,
  { readUnits, maxReadRequestUnits }: DeepReadonly<ReadOverrides>,
): void {
  if (readUnits !== undefined) draft.throughput = { ...draft.throughput, read: readUnits };
  if (maxReadRequestUnits !== undefined) draft.onDemand = { ...draft.onDemand, read: maxReadRequestUnits };
}

/** Enables the stream that a global table requires. */
function ensureStream(state: DynamoState, table: Table, now: number): void {
  if (table.record.stream?.enabled) return;
  const label = new Date(now).toISOString().slice(0, -1);
  const arn = streamArn(table.record.arn, label);
  table.update((draft) => {
    draft.stream = { enabled: true, viewType: 'NEW_AND_OLD_IMAGES', label, arn };
  });
  state.streams.start(table, arn, label, 'NEW_AND_OLD_IMAGES');
}

function addReplica(ctx: DynamodbContext, table: Table, create: UpdateReplicationGroupMemberAction): void {
  const { accountId, region: own } = homeOf(table);
  const { RegionName: region } = create;
  const now = ctx.clock.now();
  ensureStream(ctx.handle.state(accountId, own), table, now);
  const overrides = overridesOf(create);
  const group: Replication = table.record.replication
    ? (copyOf(table.record.replication) as Replication)
    : { version: VERSION, createdAt: now, regions: [own], overrides: {} };
  group.regions.push(region);
  group.overrides[region] = overrides;
  const {
    stream: _own,
    pitr: _pitr,
    insights: _insights,
    kinesis: _kinesis,
    ...shared
  } = copyOf(table.record) as TableRecord;
  const state = ctx.handle.state(accountId, region);
  const replica = state.addTable({
    ...shared,
    id: ctx.ids.uuid(),
    arn: tableType.arn({ table: table.name }, { accountId, region }),
    createdAt: now,
    tags: {},
    deletionProtection: false,
  });
  applyOverrides(replica, overrides);
  ensureStream(state, replica, now);
  for (const { item } of table.primary.after(undefined, true)) replica.put(item, { replicated: true });
  replica.refreshExpiry();
  state.scheduleSweep();
  for (const member of group.regions)
    ctx.handle
      .state(accountId, member)
      .table(table.name)
      ?.update((draft) => {
        draft.replication = copyOf(group) as Replication;
      });
}

/** Changes the replication record of all replicas of a table. */
export function changeGroup(ctx: DynamodbContext, table: Table, change: (group: Replication) => void): void {
  const { accountId } = homeOf(table);
  for (const region of [...(table.record.replication?.regions ?? [])])
    ctx.handle
      .state(accountId, region)
      .table(table.name)
      ?.update((draft) => {
        if (draft.replication) change(draft.replication);
      });
}

/** Removes a table from its global table; a single remaining replica becomes an ordinary table. */
export function leaveGroup(ctx: DynamodbContext, table: Table): void {
  const { replication } = table.record;
  if (!replication) return;
  const { accountId, region: own } = homeOf(table);
  const rest = replication.regions.filter((region) => region !== own);
  changeGroup(ctx, table, (group) => {
    group.regions = rest;
    delete group.overrides[own];
  });
  table.update((draft) => {
    delete draft.replication;
  });
  if (rest.length > 1 || replication.version !== VERSION) return;
  ctx.handle
    .state(accountId, rest[0]!)
    .table(table.name)
    ?.update((draft) => {
      delete draft.replication;
    });
}

/** Copies a table's indexes, billing mode, write throughput and attribute definitions to its replicas. */
export function spreadSettings(ctx: DynamodbContext, table: Table): void {
  const { record } = table;
  const { accountId, region: own } = homeOf(table);
  for (const region of record.replication!.regions) {
    if (region === own) continue;
    const replica = ctx.handle.state(accountId, region).table(table.name);
    if (!replica) throw dynamodbError('InternalServerError', `the replica of ${table.name} in ${region} is gone`);
    const overrides = record.replication!.overrides[region] ?? {};
    replica.update((draft) => {
      const source = copyOf(record) as TableRecord;
      draft.attributeDefinitions = source.attributeDefinitions;
      draft.globalIndexes = source.globalIndexes;
      draft.billingMode = source.billingMode;
      draft.billingModeNamed = source.billingModeNamed;
      if (source.payPerRequestAt !== undefined) draft.payPerRequestAt = source.payPerRequestAt;
      draft.throughput = { ...source.throughput, read: overrides.readUnits ?? source.throughput.read };
      overrideIndexes(draft, overrides);
    });
    // The replica reports its own backfilling status.
    void replica.alignIndexes();
  }
}
