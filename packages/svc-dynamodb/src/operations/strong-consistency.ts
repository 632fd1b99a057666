import { parseArn } from '@emu/core/service';
import type { UpdateTableInput } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Table } from '../tables/table.ts';
import { changeGroup } from './replicas.ts';

/**
 * Multi-Region strong consistency of global tables. Changes apply to all regions at once, so that reads of every
 * replica are strongly consistent; this file contains AWS's rules for such tables.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
 */

/** Sets of regions that a strongly consistent global table must stay within. */
const REGION_SETS: readonly ReadonlySet<string>[] = [
  new Set(['us-east-1', 'us-east-2', 'us-west-2']),
  new Set(['eu-west-1', 'eu-west-2', 'eu-west-3', 'eu-central-1']),
  new Set(['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3']),
];
/** Number of regions of a strongly consistent global table, including the witness. */
const MEMBERS = 3;
const STRONG_TABLES = 'global tables with MultiRegionConsistency set to STRONG';

/** Changes to the members of a global table. */
interface Members {
  created: readonly string[];
  deleted: readonly string[];
  newWitness: string | undefined;
  oldWitness: string | undefined;
}

/** Whether a table is a replica of a strongly consistent global table. */
export const isStrong = (table: Table): boolean => table.record.replication?.consistency === 'STRONG';

/**
 * Checks that a table may be deleted without the other replicas.
 * @throws AwsError `ValidationException` if it may not
 */
export function checkDeletable(table: Table): void {
  if (isStrong(table)) throw invalid(`Deletion of only one table replica is not supported for ${STRONG_TABLES}.`);
}

/**
 * Validates the consistency changes of an update.
 * @throws AwsError `ValidationException`
 */
export function checkConsistency(input: UpdateTableInput, table: Table): void {
  const replicas = input.ReplicaUpdates ?? [];
  const [witness] = input.GlobalTableWitnessUpdates ?? [];
  const members: Members = {
    created: replicas.flatMap(({ Create }) => Create?.RegionName ?? []),
    deleted: replicas.flatMap(({ Delete }) => Delete?.RegionName ?? []),
    newWitness: witness?.Create?.RegionName,
    oldWitness: witness?.Delete?.RegionName,
  };
  if (witness && !witness.Create === !witness.Delete)
    throw invalid(
      'One or more parameter values were invalid: Exactly one action must be specified for a witness update',
    );
  if (input.MultiRegionConsistency !== undefined && members.created.length !== replicas.length)
    throw invalid('Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.');
  if (input.MultiRegionConsistency === 'STRONG') checkNewStrong(table, members);
  else if (witness && !isStrong(table))
    throw invalid('MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.');
  if (input.MultiRegionConsistency !== undefined && table.record.replication)
    throw invalid('MultiRegionConsistency parameter is unsupported on existing global table');
  if (isStrong(table)) checkStrong(table, members);
}

function checkNewStrong(table: Table, { created, newWitness }: Members): void {
  const { record } = table;
  const own = parseArn(record.arn)!.region;
  const added = [...created, ...(newWitness === undefined ? [] : [newWitness])];
  if (added.length + 1 !== MEMBERS) throw invalid(`Unsupported replica count for ${STRONG_TABLES}.`);
  const home = REGION_SETS.find((set) => set.has(own));
  const unsupported = home ? added.filter((region) => !home.has(region)) : [own];
  if (unsupported.length)
    throw invalid(`Unsupported Region(s) specified for ${STRONG_TABLES}: [${[...new Set(unsupported)].join(', ')}].`);
  if (newWitness === own)
    throw invalid(
      'Cannot add a witness in the same region as an existing replica when creating a global table with MultiRegionConsistency set to STRONG.',
    );
  if (new Set(added).size !== added.length) throw invalid('Cannot target multiple regions with the same action');
  if (table.itemCount)
    throw invalid(`The table must be empty: items are not supported when creating ${STRONG_TABLES}.`);
  if (record.localIndexes.length) throw invalid(`Local secondary indexes are not supported for ${STRONG_TABLES}.`);
  if (record.ttl?.enabled) throw invalid(`Time to Live is not supported for ${STRONG_TABLES}.`);
}

/** Checks that members of a strongly consistent global table are created and deleted together. */
function checkStrong(table: Table, { created, deleted, newWitness, oldWitness }: Members): void {
  const group = table.record.replication!;
  const own = parseArn(table.record.arn)!.region;
  if (created.length || newWitness !== undefined)
    throw invalid('Cannot add replicas to a global table with strong MultiRegionConsistency');
  if (oldWitness !== undefined && oldWitness !== group.witness)
    throw invalid(
      `Update global table operation failed because one or more witnesses were not part of the global table. Please retry the request without these witnesses: [${oldWitness}].`,
    );
  if (!deleted.length) return;
  if (group.witness !== oldWitness) throw invalid('Update table delete operation does not include all witnesses.');
  if (!group.regions.every((region) => region === own || deleted.includes(region))) checkDeletable(table);
}

/** Marks a new global table as strongly consistent; `checkConsistency` must have passed and the replicas must exist. */
export function applyConsistency(input: UpdateTableInput, table: Table, ctx: DynamodbContext): void {
  if (input.MultiRegionConsistency !== 'STRONG') return;
  const witness = input.GlobalTableWitnessUpdates?.[0]?.Create?.RegionName;
  changeGroup(ctx, table, (group) => {
    group.consistency = 'STRONG';
    if (witness !== undefined) group.witness = witness;
  });
}

/**
 * Checks that all tables support transactions.
 * @throws AwsError `ValidationException` if one does not
 */
export function checkTransactable(tables: Iterable<Table>): void {
  for (const table of tables)
    if (isStrong(table)) throw invalid(`Transactions are not supported for ${STRONG_TABLES}.`);
}
