import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { alreadyExists, limitExceeded, notFound } from '../errors.ts';
import { type LookupTable, readTable } from '../insights/lookup-tables.ts';
import { lookupTableType } from '../insights/resources.ts';
import { checkedKey } from '../kms.ts';
import { paging } from '../paging.ts';
import { tagging } from '../tags.ts';

/** Maximum number of lookup tables per account and region. */
const MAX_TABLES = 100;

const arnOf = ({ name }: Pick<LookupTable, 'name'>, ctx: LogsContext): string => lookupTableType.arn({ name }, ctx);

/** @throws AwsError `ResourceNotFoundException` */
function requireTable(arn: string, { state, accountId, region }: LogsContext): LookupTable {
  const address = lookupTableType.parse(arn);
  const own = address?.place.accountId === accountId && address.place.region === region;
  const table = own ? state.insights.lookupTables.find(address.key.name) : undefined;
  if (!table) throw notFound('The specified lookup table does not exist.');
  return table;
}

/**
 * Creates a lookup table from CSV.
 * @throws AwsError `InvalidParameterException`, `ResourceAlreadyExistsException`, `LimitExceededException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLookupTable.html
 */
export async function CreateLookupTable(
  input: InputOf<'CreateLookupTable'>,
  ctx: LogsContext,
): Promise<OutputOf<'CreateLookupTable'>> {
  const { lookupTableName: name, description, tableBody: body, kmsKeyId: key, tags } = input;
  const { lookupTables } = ctx.state.insights;
  const arn = arnOf({ name }, ctx);
  readTable(body);
  const kept = tagging.merge(undefined, tags);
  const kmsKeyId = key === undefined ? undefined : await checkedKey(key, arn, ctx);
  if (lookupTables.find(name)) throw alreadyExists('The specified lookup table already exists.');
  if (lookupTables.list().length >= MAX_TABLES) throw limitExceeded();
  const now = ctx.clock.now();
  lookupTables.put({
    name,
    ...(description !== undefined && { description }),
    body,
    ...(kmsKeyId !== undefined && { kmsKeyId }),
    tags: kept,
    createdAt: now,
    modifiedAt: now,
  });
  return { lookupTableArn: arn, createdAt: now };
}

/** Returns the members of a table in both lists and GetLookupTable. */
const facts = (table: LookupTable, ctx: LogsContext) => ({
  lookupTableArn: arnOf(table, ctx),
  lookupTableName: table.name,
  ...(table.description !== undefined && { description: table.description }),
  sizeBytes: Buffer.byteLength(table.body),
  lastUpdatedTime: table.modifiedAt,
  ...(table.kmsKeyId !== undefined && { kmsKeyId: table.kmsKeyId }),
});

/**
 * Returns a lookup table with its CSV.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLookupTable.html
 */
export function GetLookupTable(
  { lookupTableArn }: InputOf<'GetLookupTable'>,
  ctx: LogsContext,
): OutputOf<'GetLookupTable'> {
  const table = requireTable(lookupTableArn, ctx);
  return { ...facts(table, ctx), tableBody: table.body };
}

/**
 * Replaces a lookup table's CSV.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UpdateLookupTable.html
 */
export async function UpdateLookupTable(
  input: InputOf<'UpdateLookupTable'>,
  ctx: LogsContext,
): Promise<OutputOf<'UpdateLookupTable'>> {
  const { name } = requireTable(input.lookupTableArn, ctx);
  readTable(input.tableBody);
  const key = input.kmsKeyId === undefined ? undefined : await checkedKey(input.kmsKeyId, input.lookupTableArn, ctx);
  requireTable(input.lookupTableArn, ctx);
  const { modifiedAt } = ctx.state.insights.lookupTables.update(name, (draft) => {
    draft.body = input.tableBody;
    if (input.description !== undefined) draft.description = input.description;
    if (key !== undefined) draft.kmsKeyId = key;
    draft.modifiedAt = ctx.clock.now();
  });
  return { lookupTableArn: input.lookupTableArn, lastUpdatedTime: modifiedAt };
}

/**
 * Deletes a lookup table.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteLookupTable.html
 */
export function DeleteLookupTable(
  { lookupTableArn }: InputOf<'DeleteLookupTable'>,
  ctx: LogsContext,
): OutputOf<'DeleteLookupTable'> {
  ctx.state.insights.lookupTables.delete(requireTable(lookupTableArn, ctx).name);
  return {};
}

/**
 * Lists lookup tables, in order of name.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLookupTables.html
 */
export function DescribeLookupTables(
  input: InputOf<'DescribeLookupTables'>,
  ctx: LogsContext,
): OutputOf<'DescribeLookupTables'> {
  const { lookupTableNamePrefix: prefix = '' } = input;
  const tables = ctx.state.insights.lookupTables.list().filter(({ name }) => name.startsWith(prefix));
  return paging
    .page('DescribeLookupTables', input, tables, ({ name }) => name)
    .list((table) => {
      const { columns, rows } = ctx.state.insights.lookupTables.source(table.name)!;
      return { ...facts(table, ctx), tableFields: [...columns], recordsCount: rows.length };
    });
}
