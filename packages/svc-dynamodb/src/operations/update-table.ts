import type { DeepReadonly } from '@emu/core/service';
import type {
  GlobalSecondaryIndexUpdate,
  InputOf,
  OutputOf,
  ProvisionedThroughput,
  SSESpecification,
  UpdateTableInput,
  UpdateTableOutput,
} from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { namedTable } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { TableRecord, Throughput } from '../records.ts';
import { changeOf, checkIdle } from '../tables/changes.ts';
import { describeTable, type Moment } from '../tables/describe.ts';
import { encryptionOf } from '../tables/encryption.ts';
import { checkNewGlobalIndex, checkNotRedefined, globalIndexOf, throughputOf, unitsOf } from '../tables/schemas.ts';
import type { Table } from '../tables/table.ts';
import { checkOnDemand, checkWarm, warmAfter, warmOf } from '../tables/throughput-limits.ts';
import { checkReplicaUpdates, spreadSettings, updateReplicas } from './replicas.ts';
import { applyConsistency, checkConsistency, isStrong } from './strong-consistency.ts';
import { streamOf } from './tables.ts';
import { checkCombination } from './update-rules.ts';

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html */
export function UpdateTable(
  input: InputOf<'UpdateTable'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateTable'> | Promise<OutputOf<'UpdateTable'>> {
  checkCombination(input);
  checkIndexUpdates(input.GlobalSecondaryIndexUpdates ?? []);
  const table = namedTable(ctx, input.TableName);
  checkIdle(table);
  if (input.SSESpecification) return changeEncryption(table, input.SSESpecification, ctx);
  const now = ctx.clock.now();
  const moment: Moment = { status: 'UPDATING', indexes: {} };
  const changes: ((draft: TableRecord) => void)[] = [];
  planThroughput(input, table, now, changes);
  planSimple(input, table, changes);
  planIndexes(input, table, now, changes, moment.indexes as Record<string, 'CREATING' | 'UPDATING' | 'DELETING'>);
  const stream = planStream(input, table, now, changes);
  const replicaUpdates = input.ReplicaUpdates ?? [];
  const strong = isStrong(table) || input.MultiRegionConsistency === 'STRONG';
  checkReplicaUpdates(ctx, table, replicaUpdates, strong);
  checkConsistency(input, table);
  // All checks have passed: nothing fails from here on.
  const gone = (input.GlobalSecondaryIndexUpdates ?? []).find(({ Delete }) => Delete)?.Delete?.IndexName;
  const description = gone === undefined ? undefined : describeTable(table, moment);
  const busy = changeOf('UPDATING', ctx, moment.indexes);
  table.update((draft) => {
    for (const change of changes) change(draft);
    if (busy) draft.busy = busy;
  });
  const filling = table.alignIndexes();
  if (table.record.replication) spreadSettings(ctx, table);
  updateReplicas(ctx, table, replicaUpdates);
  applyConsistency(input, table, ctx);
  if (stream) ctx.state.streams.start(table, stream.arn, stream.label, stream.viewType);
  else if (input.StreamSpecification) ctx.state.streams.disable(table.record.stream!.arn);
  const output = { TableDescription: description ?? describeTable(table, moment) };
  return filling ? filling.then(() => output) : output;
}

function checkIndexUpdates(updates: readonly GlobalSecondaryIndexUpdate[]): void {
  const names = new Set<string>();
  for (const { Create: create, Update: update, Delete: remove } of updates) {
    const actions = [update, create, remove].filter((action) => action !== undefined);
    if (!actions.length)
      throw invalid(
        'One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null',
      );
    for (const { IndexName: name } of actions) {
      if (names.has(name))
        throw invalid(
          `One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: ${name}`,
        );
      names.add(name);
    }
    if (actions.length > 1)
      throw invalid(
        'One or more parameter values were invalid: Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object',
      );
  }
}

/** Changes the key of a table; its description shows the status UPDATING with the previous key. */
async function changeEncryption(
  table: Table,
  specification: SSESpecification,
  ctx: DynamodbContext,
): Promise<UpdateTableOutput> {
  const sse = await encryptionOf(specification, table.record.arn, ctx);
  const current = table.record.sse?.kmsKeyArn;
  if (!sse && current === undefined)
    throw invalid('One or more parameter values were invalid: Table is already encrypted by default');
  if (sse && current !== undefined && specification.KMSMasterKeyId === current)
    throw invalid(
      'One or more parameter values were invalid: Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key',
    );
  const description = describeTable(table, { encryption: 'UPDATING' });
  table.update((draft) => {
    if (sse) draft.sse = sse;
    else delete draft.sse;
  });
  return { TableDescription: description };
}

type Changes = ((draft: TableRecord) => void)[];

function changedThroughput(current: DeepReadonly<Throughput>, next: Throughput, now: number): Throughput {
  const decreased = next.read < current.read || next.write < current.write;
  return {
    ...next,
    ...(current.increasedAt !== undefined && { increasedAt: current.increasedAt }),
    ...(current.decreasedAt !== undefined && { decreasedAt: current.decreasedAt }),
    ...((next.read > current.read || next.write > current.write) && { increasedAt: now }),
    ...(decreased && { decreasedAt: now }),
    decreasesToday: current.decreasesToday + (decreased ? 1 : 0),
  };
}

function checkChanges(current: DeepReadonly<Throughput>, next: ProvisionedThroughput, subject: string): void {
  if (current.read !== next.ReadCapacityUnits || current.write !== next.WriteCapacityUnits) return;
  throw invalid(
    `The provisioned throughput for the ${subject} will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the ${subject}: ${current.read}. Requested ReadCapacityUnits: ${next.ReadCapacityUnits}. Current WriteCapacityUnits provisioned for the ${subject}: ${current.write}. Requested WriteCapacityUnits: ${next.WriteCapacityUnits}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
  );
}

function planThroughput(input: UpdateTableInput, table: Table, now: number, changes: Changes): void {
  const { record } = table;
  const billingMode = input.BillingMode ?? record.billingMode;
  if (input.BillingMode !== undefined && input.BillingMode !== record.billingMode)
    changes.push((draft) => {
      draft.billingMode = billingMode;
      draft.billingModeNamed = true;
      if (billingMode === 'PAY_PER_REQUEST') {
        draft.payPerRequestAt = now;
        draft.throughput = { ...draft.throughput, read: 0, write: 0 };
        for (const index of draft.globalIndexes) index.throughput = { ...index.throughput, read: 0, write: 0 };
      }
    });
  const given = input.ProvisionedThroughput;
  const switched = billingMode !== record.billingMode;
  if (!given && !(switched && billingMode === 'PROVISIONED')) return;
  const next = throughputOf(given, billingMode);
  if (!switched) checkChanges(record.throughput, given!, 'table');
  const throughput = changedThroughput(record.throughput, next, now);
  changes.push((draft) => {
    draft.throughput = throughput;
  });
}

function planSimple(input: UpdateTableInput, table: Table, changes: Changes): void {
  if (input.DeletionProtectionEnabled !== undefined)
    changes.push((draft) => {
      draft.deletionProtection = input.DeletionProtectionEnabled!;
    });
  if (input.TableClass !== undefined)
    changes.push((draft) => {
      draft.tableClass = input.TableClass!;
    });
  if (input.GlobalTableSettingsReplicationMode === 'ENABLED_WITH_OVERRIDES' && !table.record.replication)
    throw invalid(
      "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.",
    );
  if (input.GlobalTableSettingsReplicationMode !== undefined)
    changes.push((draft) => {
      draft.settingsReplicationMode = input.GlobalTableSettingsReplicationMode!;
    });
  const billingMode = input.BillingMode ?? table.record.billingMode;
  checkOnDemand(input.OnDemandThroughput, billingMode);
  if (input.OnDemandThroughput)
    changes.push((draft) => {
      draft.onDemand = unitsOf(input.OnDemandThroughput!);
    });
  checkWarm(input.WarmThroughput, warmOf(table.record, billingMode), 'table', false);
  if (input.WarmThroughput)
    changes.push((draft) => {
      draft.warm = warmAfter(input.WarmThroughput!, draft.warm);
    });
}

function planStream(input: UpdateTableInput, table: Table, now: number, changes: Changes) {
  if (!input.StreamSpecification) return undefined;
  const current = table.record.stream;
  const stream = streamOf(input.StreamSpecification, table.record.arn, now, 'update');
  if (stream && current?.enabled) throw invalid(`Table already has an enabled stream: TableName: ${table.name}`);
  if (!stream && !current?.enabled) throw invalid(`Table has no stream to disable: TableName: ${table.name}`);
  if (!stream && table.record.replication)
    throw invalid(
      'One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica.',
    );
  changes.push((draft) => {
    if (stream) draft.stream = stream;
    else draft.stream!.enabled = false;
  });
  return stream;
}

function planIndexes(
  input: UpdateTableInput,
  table: Table,
  now: number,
  changes: Changes,
  states: Record<string, 'CREATING' | 'UPDATING' | 'DELETING'>,
): void {
  const updates = input.GlobalSecondaryIndexUpdates ?? [];
  const structural = updates.filter(({ Create, Delete }) => Create || Delete);
  if (structural.length > 1)
    throw dynamodbError(
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    );
  for (const update of updates) planIndex(update, input, table, now, changes, states);
}

function planIndex(
  { Create: create, Update: update, Delete: remove }: GlobalSecondaryIndexUpdate,
  input: UpdateTableInput,
  table: Table,
  now: number,
  changes: Changes,
  states: Record<string, 'CREATING' | 'UPDATING' | 'DELETING'>,
): void {
  const { record } = table;
  if (create) {
    const given = input.AttributeDefinitions ?? [];
    checkNewGlobalIndex(create, given);
    checkNotRedefined(create.KeySchema, given, record);
    const definitions = [...record.attributeDefinitions];
    for (const definition of given)
      if (!definitions.some(({ AttributeName }) => AttributeName === definition.AttributeName))
        definitions.push(definition);
    if (table.index(create.IndexName)) throw invalid('Attempting to create an index which already exists');
    const index = globalIndexOf(create, input.BillingMode ?? record.billingMode);
    states[create.IndexName] = 'CREATING';
    changes.push((draft) => {
      draft.globalIndexes.push(index);
      draft.attributeDefinitions = usedDefinitions(definitions, draft);
    });
    return;
  }
  const name = (update ?? remove)?.IndexName ?? '';
  const index = record.globalIndexes.find((candidate) => candidate.name === name);
  if (!index && table.index(name))
    throw invalid(`Cannot ${remove ? 'delete' : 'update'} an index that is not a GlobalSecondaryIndex: ${name}`);
  if (!index) throw dynamodbError('ResourceNotFoundException', 'Requested resource not found');
  if (remove) {
    states[name] = 'DELETING';
    changes.push((draft) => {
      draft.globalIndexes = draft.globalIndexes.filter((candidate) => candidate.name !== name);
      draft.attributeDefinitions = usedDefinitions(draft.attributeDefinitions, draft);
    });
    return;
  }
  const given = update!.ProvisionedThroughput;
  if (given) checkChanges(index.throughput, given, `index ${name}`);
  const throughput =
    given &&
    changedThroughput(index.throughput, throughputOf(given, input.BillingMode ?? record.billingMode, name), now);
  const billingMode = input.BillingMode ?? record.billingMode;
  checkOnDemand(update!.OnDemandThroughput, billingMode, name);
  checkWarm(update!.WarmThroughput, warmOf(index, billingMode), `index ${name}`, false);
  states[name] = 'UPDATING';
  changes.push((draft) => {
    const target = draft.globalIndexes.find((candidate) => candidate.name === name)!;
    if (throughput) target.throughput = throughput;
    if (update!.OnDemandThroughput) target.onDemand = unitsOf(update!.OnDemandThroughput);
    if (update!.WarmThroughput) target.warm = warmAfter(update!.WarmThroughput, target.warm);
  });
}

/** Returns the definitions of attributes that are keys of the table or an index. */
function usedDefinitions(
  definitions: DeepReadonly<TableRecord['attributeDefinitions']>,
  draft: TableRecord,
): TableRecord['attributeDefinitions'] {
  const schemas = [draft, ...draft.localIndexes, ...draft.globalIndexes];
  const used = new Set(schemas.flatMap(({ keySchema }) => keySchema.map(({ AttributeName }) => AttributeName)));
  return definitions.filter(({ AttributeName }) => used.has(AttributeName)).map((definition) => ({ ...definition }));
}
