import { parseArn } from '@emu/core';
import { type Context, invalid } from '../context.ts';
import type { UpdateTableInput } from '../generated/dynamodb.ts';
import type { Table } from '../table.ts';
import { changeGroup } from './replicas.ts';

/**
 * Multi-Region strong consistency of global tables. Every change is done in all regions at once here, so reads of every
 * replica are strongly consistent anyway; what is left are AWS's rules about which tables may be made so.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
 */

/** Regions within which a strongly consistent global table has to stay. */
const REGION_SETS: readonly ReadonlySet<string>[] = [
  new Set(['us-east-1', 'us-east-2', 'us-west-2']),
  new Set(['eu-west-1', 'eu-west-2', 'eu-west-3', 'eu-central-1']),
  new Set(['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3']),
];
/** Regions of a strongly consistent global table, its witness's too. */
const MEMBERS = 3;

const refusal = (reason: string) => invalid(`One or more parameter values were invalid: ${reason}`);

/** Whether a table is a replica of a strongly consistent global table. */
export const isStrong = (table: Table): boolean => table.record.replication?.consistency === 'STRONG';

/** Checks what an update asks of the consistency of a table. @throws AwsError `ValidationException` */
export function checkConsistency(input: UpdateTableInput, table: Table): void {
  const replicas = input.ReplicaUpdates ?? [];
  const witnesses = input.GlobalTableWitnessUpdates ?? [];
  const created = replicas.flatMap(({ Create }) => Create?.RegionName ?? []);
  const deleted = replicas.flatMap(({ Delete }) => Delete?.RegionName ?? []);
  if (witnesses.length > 1) throw refusal('Only one witness can be created or deleted in an operation');
  const [witness] = witnesses;
  if (witness && !witness.Create === !witness.Delete)
    throw refusal('exactly one action is allowed for each witness update');
  if (input.MultiRegionConsistency !== undefined && !created.length)
    throw refusal('MultiRegionConsistency can only be specified when replicas of a new global table are created');
  const group = table.record.replication;
  if (isStrong(table)) checkStrong(table, created, deleted, witness?.Create?.RegionName, witness?.Delete?.RegionName);
  else if (input.MultiRegionConsistency === 'STRONG') checkNewStrong(table, created, witness?.Create?.RegionName);
  else if (witness) throw refusal('Witnesses are only supported by global tables with multi-Region strong consistency');
  if (input.MultiRegionConsistency !== undefined && group)
    throw refusal('The consistency mode of an existing global table cannot be changed');
}

function checkNewStrong(table: Table, created: readonly string[], witness: string | undefined): void {
  const { record } = table;
  const own = parseArn(record.arn)!.region;
  const regions = [own, ...created, ...(witness === undefined ? [] : [witness])];
  if (new Set(regions).size !== MEMBERS || regions.length !== MEMBERS)
    throw refusal(
      'A global table with multi-Region strong consistency must have three Regions: three replicas, or two replicas and a witness',
    );
  if (!REGION_SETS.some((set) => regions.every((region) => set.has(region))))
    throw refusal('All Regions of a global table with multi-Region strong consistency must be in the same Region set');
  if (table.itemCount)
    throw refusal('A table must be empty to be made a global table with multi-Region strong consistency');
  if (record.localIndexes.length)
    throw refusal('Local secondary indexes are not supported by multi-Region strong consistency');
  if (record.ttl?.enabled) throw refusal('Time to Live is not supported by multi-Region strong consistency');
}

/** Members of a strongly consistent global table come and go together. */
function checkStrong(
  table: Table,
  created: readonly string[],
  deleted: readonly string[],
  newWitness: string | undefined,
  oldWitness: string | undefined,
): void {
  const group = table.record.replication!;
  const own = parseArn(table.record.arn)!.region;
  if (created.length || newWitness !== undefined)
    throw refusal('Replicas and witnesses cannot be added to a global table with multi-Region strong consistency');
  if (oldWitness !== undefined && oldWitness !== group.witness)
    throw refusal(`There is no witness in the Region ${oldWitness}`);
  if (!deleted.length && oldWitness === undefined) return;
  const others = group.regions.filter((region) => region !== own);
  if (!others.every((region) => deleted.includes(region)) || oldWitness !== group.witness)
    throw refusal(
      'All other replicas and the witness of a global table with multi-Region strong consistency must be deleted together',
    );
}

/** Makes a new global table strongly consistent; `checkConsistency` must have passed and the replicas been made. */
export function applyConsistency(input: UpdateTableInput, table: Table, ctx: Context): void {
  if (input.MultiRegionConsistency !== 'STRONG') return;
  const witness = input.GlobalTableWitnessUpdates?.[0]?.Create?.RegionName;
  changeGroup(ctx, table, (group) => {
    group.consistency = 'STRONG';
    if (witness !== undefined) group.witness = witness;
  });
}

/** @throws AwsError `ValidationException` where one of the tables does not have transactions */
export function checkTransactable(tables: Iterable<Table>): void {
  for (const table of tables)
    if (isStrong(table))
      throw invalid('Transactions are not supported by global tables with multi-Region strong consistency');
}
