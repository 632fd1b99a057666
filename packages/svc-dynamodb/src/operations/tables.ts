import { parseArn, type QuotaFacts } from '@emu/core/service';
import type { InputOf, OutputOf, StreamSpecification } from '@emu/service-types/dynamodb';
import { constraintText } from '@emu/wire';
import type { DynamodbContext } from '../context.ts';
import { accessDenied, checkRegion, namedTable, tableNameOf } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { THROUGHPUT } from '../quotas.ts';
import type { TableStream } from '../records.ts';
import { streamArn, tableOfArn, tableType } from '../resources.ts';
import { changeOf, checkIdle } from '../tables/changes.ts';
import { describeTable } from '../tables/describe.ts';
import { encryptionOf } from '../tables/encryption.ts';
import { checkTableShape, globalIndexOf, localIndexOf, throughputOf, unitsOf } from '../tables/schemas.ts';
import { checkTableKey } from '../tables/table-key.ts';
import { checkOnDemand, checkWarm, leastWarm, warmAfter } from '../tables/throughput-limits.ts';
import { tagging } from '../tags.ts';
import { backUpDeleted } from './backups.ts';
import { leaveGroup } from './replicas.ts';
import { checkDocument, PutResourcePolicy } from './resource-policies.ts';
import { checkDeletable } from './strong-consistency.ts';

const MAX_LIST = 100;

/** AWS's messages for invalid stream specifications, of new and of existing tables. */
const STREAM_REFUSALS = {
  create: {
    withViewType: 'Table is being created with a stream disabled, UpdateViewType should not be specified',
    withoutViewType: 'Table is being created with a stream enabled, UpdateViewType is required',
  },
  update: {
    withViewType: 'If stream is being disabled, then UpdateViewType must not be specified',
    withoutViewType: 'If stream is being enabled then UpdateViewType is required',
  },
};

/**
 * Returns the stream record of a specification; undefined if the stream is disabled.
 * @throws AwsError `ValidationException` for an invalid view type
 */
export function streamOf(
  specification: StreamSpecification | undefined,
  tableArn: string,
  now: number,
  action: keyof typeof STREAM_REFUSALS,
): TableStream | undefined {
  if (!specification) return undefined;
  const refuse = (reason: string) => invalid(`One or more parameter values were invalid: ${reason}`);
  const { withViewType, withoutViewType } = STREAM_REFUSALS[action];
  if (!specification.StreamEnabled) {
    if (specification.StreamViewType !== undefined) throw refuse(withViewType);
    return undefined;
  }
  if (specification.StreamViewType === undefined) throw refuse(withoutViewType);
  const label = new Date(now).toISOString().slice(0, -1);
  return {
    enabled: true,
    viewType: specification.StreamViewType,
    label,
    arn: streamArn(tableArn, label),
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html */
export async function CreateTable(
  input: InputOf<'CreateTable'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'CreateTable'>> {
  const name = tableNameOf(input.TableName);
  const place = tableOfArn(input.TableName)?.place;
  if (place) checkRegion(ctx, input.TableName, place);
  if (place && place.accountId !== ctx.accountId) throw accessDenied(ctx, input.TableName);
  const billingMode = input.BillingMode ?? 'PROVISIONED';
  const missing = (['attributeDefinitions', 'keySchema'] as const).filter(
    (member) => input[member === 'keySchema' ? 'KeySchema' : 'AttributeDefinitions'] === undefined,
  );
  if (missing.length)
    throw invalid(
      `${missing.length} validation error${missing.length > 1 ? 's' : ''} detected: ${missing.map((member) => constraintText(member, 'Member must not be null', null)).join('; ')}`,
    );
  const throughput = throughputOf(input.ProvisionedThroughput, billingMode);
  checkTableShape(input);
  checkOnDemand(input.OnDemandThroughput, billingMode);
  checkWarm(input.WarmThroughput, leastWarm(throughput, billingMode), 'table', true);
  const globalIndexes = (input.GlobalSecondaryIndexes ?? []).map((index) => globalIndexOf(index, billingMode));
  const tags = tagging.merge(undefined, input.Tags);
  const arn = tableType.arn({ table: name }, ctx);
  const now = ctx.clock.now();
  const stream = streamOf(input.StreamSpecification, arn, now, 'create');
  if (input.ResourcePolicy !== undefined) checkDocument(input.ResourcePolicy);
  const sse = await encryptionOf(input.SSESpecification, arn, ctx);
  if (ctx.state.table(name)) throw dynamodbError('ResourceInUseException', `Table already exists: ${name}`);
  const busy = changeOf('CREATING', ctx);
  const table = ctx.state.addTable({
    name,
    id: ctx.ids.uuid(),
    arn,
    createdAt: now,
    attributeDefinitions: input.AttributeDefinitions ?? [],
    keySchema: input.KeySchema ?? [],
    billingMode,
    billingModeNamed: input.BillingMode !== undefined,
    ...(billingMode === 'PAY_PER_REQUEST' && { payPerRequestAt: now }),
    throughput,
    ...(input.OnDemandThroughput && { onDemand: unitsOf(input.OnDemandThroughput) }),
    ...(input.WarmThroughput && { warm: warmAfter(input.WarmThroughput) }),
    localIndexes: (input.LocalSecondaryIndexes ?? []).map(localIndexOf),
    globalIndexes,
    ...(stream && { stream }),
    ...(sse && { sse }),
    ...(input.TableClass && { tableClass: input.TableClass }),
    deletionProtection: input.DeletionProtectionEnabled ?? false,
    tags,
    ...(busy && { busy }),
  });
  if (input.ResourcePolicy !== undefined) PutResourcePolicy({ ResourceArn: arn, Policy: input.ResourcePolicy }, ctx);
  if (stream) ctx.state.streams.start(table, stream.arn, stream.label, stream.viewType);
  return { TableDescription: describeTable(table, { status: 'CREATING' }) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html */
export function DescribeTable(
  input: InputOf<'DescribeTable'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeTable'> | Promise<OutputOf<'DescribeTable'>> {
  const table = namedTable(ctx, input.TableName);
  const describe = () => ({ Table: describeTable(table) });
  return table.record.sse ? checkTableKey(table, ctx).then(describe) : describe();
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html */
export async function DeleteTable(
  input: InputOf<'DeleteTable'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'DeleteTable'>> {
  const table = namedTable(ctx, input.TableName);
  if (table.record.deletionProtection)
    throw invalid(
      `Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`,
    );
  checkIdle(table);
  checkDeletable(table);
  const description = describeTable(table, { status: 'DELETING' });
  if (table.record.pitr) await backUpDeleted(ctx, table);
  leaveGroup(ctx, table);
  const { accountId, region } = parseArn(table.record.arn)!;
  const state = ctx.handle.state(accountId, region);
  const busy = changeOf('DELETING', ctx);
  if (busy) {
    table.update((draft) => {
      draft.busy = busy;
    });
    state.removeLater(table.name);
  } else await state.removeTable(table.name);
  return {
    TableDescription: {
      TableName: description.TableName,
      TableStatus: 'DELETING',
      ProvisionedThroughput: description.ProvisionedThroughput,
      TableSizeBytes: description.TableSizeBytes,
      ItemCount: description.ItemCount,
      TableArn: description.TableArn,
      TableId: description.TableId,
      BillingModeSummary: description.BillingModeSummary,
      TableClassSummary: description.TableClassSummary,
      DeletionProtectionEnabled: false,
    },
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html */
export function ListTables(input: InputOf<'ListTables'>, ctx: DynamodbContext): OutputOf<'ListTables'> {
  const after = input.ExclusiveStartTableName;
  const names = ctx.state.tableNames().filter((name) => after === undefined || name > after);
  const page = names.slice(0, input.Limit ?? MAX_LIST);
  return { TableNames: page, LastEvaluatedTableName: page.length < names.length ? page.at(-1) : undefined };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html */
export function DescribeLimits(_input: InputOf<'DescribeLimits'>, ctx: DynamodbContext): OutputOf<'DescribeLimits'> {
  const value = (quota: QuotaFacts) => ctx.handle.quotaValue(quota, ctx.accountId, ctx.region);
  return {
    AccountMaxReadCapacityUnits: value(THROUGHPUT.accountRead),
    AccountMaxWriteCapacityUnits: value(THROUGHPUT.accountWrite),
    TableMaxReadCapacityUnits: value(THROUGHPUT.tableRead),
    TableMaxWriteCapacityUnits: value(THROUGHPUT.tableWrite),
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeEndpoints.html */
export function DescribeEndpoints(
  _input: InputOf<'DescribeEndpoints'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeEndpoints'> {
  const host = ctx.endpoint.replace(/^https?:\/\//, '');
  return { Endpoints: [{ Address: host, CachePeriodInMinutes: 1440 }] };
}
