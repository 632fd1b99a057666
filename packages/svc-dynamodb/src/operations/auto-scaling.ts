import { copyOf, notEmulated, parseArn } from '@emu/core/service';
import type {
  AutoScalingSettingsDescription,
  AutoScalingSettingsUpdate,
  InputOf,
  OutputOf,
  ReplicaAutoScalingDescription,
  TableAutoScalingDescription,
} from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { namedTable } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { AutoScaling, TableRecord } from '../records.ts';
import type { Table } from '../tables/table.ts';

/** Auto scaling of a table's replicas, which can only be disabled: no metrics are available for scaling. */

/** Returns all replicas of a table; the table itself if it has none. */
function replicasOf(ctx: DynamodbContext, table: Table): { region: string; replica: Table }[] {
  const { accountId, region: own } = parseArn(table.record.arn)!;
  return (table.record.replication?.regions ?? [own]).map((region) => ({
    region,
    replica: region === own ? table : ctx.handle.state(accountId, region).table(table.name)!,
  }));
}

/**
 * Returns the settings after an update.
 * @throws AwsError `ValidationException`; `NotImplemented` for settings that would scale
 */
export function changed(update: AutoScalingSettingsUpdate): AutoScalingSettingsDescription {
  const { MinimumUnits: least, MaximumUnits: most, AutoScalingDisabled, ...policy } = update;
  if (least !== undefined && most !== undefined && least > most)
    throw invalid('One or more parameter values were invalid: MinimumUnits must be less than or equal to MaximumUnits');
  const given = [least, most, ...Object.values(policy)].some((setting) => setting !== undefined);
  if (given || !AutoScalingDisabled) throw notEmulated('auto scaling', 'dynamodb');
  return { AutoScalingDisabled: true };
}

/** Returns the auto scaling settings in a table's draft. */
export function settingsOf(draft: TableRecord): AutoScaling {
  draft.autoScaling ??= { indexes: {} };
  return draft.autoScaling;
}

/** Returns the storage key for the settings of an index; a prefix avoids names such as `constructor`. */
export const keyOf = (indexName: string | undefined): string => `:${indexName ?? ''}`;

/** Returns the settings of a global index in a table's draft. */
export function indexSettings(draft: TableRecord, name: string | undefined): AutoScaling['indexes'][string] {
  const { indexes } = settingsOf(draft);
  const key = keyOf(name);
  indexes[key] ??= {};
  return indexes[key];
}

function checkIndexes(table: Table, names: readonly (string | undefined)[]): void {
  for (const name of names)
    if (name === undefined || table.index(name)?.kind !== 'global')
      throw dynamodbError('ResourceNotFoundException', `Requested resource not found: Index: ${name} not found`);
}

function describe(ctx: DynamodbContext, table: Table): TableAutoScalingDescription {
  return {
    TableName: table.name,
    TableStatus: 'ACTIVE',
    Replicas: replicasOf(ctx, table).map(({ region, replica }): ReplicaAutoScalingDescription => {
      const { autoScaling, globalIndexes } = copyOf(replica.record) as TableRecord;
      return {
        RegionName: region,
        ReplicaStatus: 'ACTIVE',
        ReplicaProvisionedReadCapacityAutoScalingSettings: autoScaling?.read,
        ReplicaProvisionedWriteCapacityAutoScalingSettings: autoScaling?.write,
        GlobalSecondaryIndexes: globalIndexes.map(({ name }) => ({
          IndexName: name,
          IndexStatus: 'ACTIVE',
          ProvisionedReadCapacityAutoScalingSettings: autoScaling?.indexes[keyOf(name)]?.read,
          ProvisionedWriteCapacityAutoScalingSettings: autoScaling?.indexes[keyOf(name)]?.write,
        })),
      };
    }),
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTableReplicaAutoScaling.html */
export function DescribeTableReplicaAutoScaling(
  input: InputOf<'DescribeTableReplicaAutoScaling'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeTableReplicaAutoScaling'> {
  return { TableAutoScalingDescription: describe(ctx, namedTable(ctx, input.TableName)) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTableReplicaAutoScaling.html */
export function UpdateTableReplicaAutoScaling(
  input: InputOf<'UpdateTableReplicaAutoScaling'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateTableReplicaAutoScaling'> {
  const table = namedTable(ctx, input.TableName);
  const replicas = replicasOf(ctx, table);
  const indexUpdates = input.GlobalSecondaryIndexUpdates ?? [];
  const replicaUpdates = input.ReplicaUpdates ?? [];
  checkIndexes(table, [
    ...indexUpdates.map(({ IndexName }) => IndexName),
    ...replicaUpdates.flatMap(({ ReplicaGlobalSecondaryIndexUpdates: updates = [] }) =>
      updates.map(({ IndexName }) => IndexName),
    ),
  ]);
  for (const { RegionName } of replicaUpdates)
    if (!replicas.some(({ region }) => region === RegionName))
      throw invalid(
        'Update global table operation failed because one or more replicas were not part of the global table.',
      );
  // Everything is computed before anything is stored: a rejected update changes nothing.
  const plans = replicas.map(({ region, replica }) => {
    const draft = copyOf(replica.record) as TableRecord;
    const { ProvisionedWriteCapacityAutoScalingUpdate: write } = input;
    if (write) settingsOf(draft).write = changed(write);
    for (const { IndexName, ProvisionedWriteCapacityAutoScalingUpdate: update } of indexUpdates) {
      const settings = indexSettings(draft, IndexName);
      if (update) settings.write = changed(update);
    }
    for (const update of replicaUpdates) {
      if (update.RegionName !== region) continue;
      const { ReplicaProvisionedReadCapacityAutoScalingUpdate: read } = update;
      if (read) settingsOf(draft).read = changed(read);
      for (const index of update.ReplicaGlobalSecondaryIndexUpdates ?? []) {
        const settings = indexSettings(draft, index.IndexName);
        const { ProvisionedReadCapacityAutoScalingUpdate: indexRead } = index;
        if (indexRead) settings.read = changed(indexRead);
      }
    }
    return { replica, autoScaling: draft.autoScaling };
  });
  for (const { replica, autoScaling } of plans)
    if (autoScaling)
      replica.update((draft) => {
        draft.autoScaling = autoScaling;
      });
  return { TableAutoScalingDescription: { ...describe(ctx, table), TableStatus: 'UPDATING' } };
}
