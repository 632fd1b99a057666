import { parseArn } from '@emu/core';
import type {
  DescribeImportInput,
  DescribeImportOutput,
  ImportTableDescription,
  ImportTableInput,
  ImportTableOutput,
  ListImportsInput,
  ListImportsOutput,
} from '@emu/service-types/dynamodb';
import { awsError, piecesOf } from '@emu/wire';
import { type Context, invalid, stateAt, tableNameOf } from '../context.ts';
import { readRecords } from '../import-export/import-reader.ts';
import type { ImportRecord } from '../import-export/jobs.ts';
import { decodeItem } from '../items/codec.ts';
import { checkedItem, checkSize } from '../items/values.ts';
import { prepareWrite } from '../items/writes.ts';
import { hexToken, paging, tokenOfHex } from '../paging.ts';
import { importType } from '../resources.ts';
import type { Table } from '../tables/table.ts';
import { failureOf } from './exports.ts';
import { CreateTable } from './tables.ts';

const MAX_LIST = 25;
const TOKEN_LIFETIME = 8 * 60 * 60 * 1000;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ImportTable.html */
export async function ImportTable(input: ImportTableInput, ctx: Context): Promise<ImportTableOutput> {
  if (input.InputFormatOptions?.Csv && input.InputFormat !== 'CSV')
    throw invalid(`Invalid Request: Unsupported InputFormatOptions for the given input format: ${input.InputFormat}.`);
  const now = ctx.clock.now();
  const { ClientToken: token, ...rest } = input;
  const request = JSON.stringify(rest);
  for (const known of token === undefined ? [] : ctx.state.imports.values()) {
    if (known.token !== token || now - known.startedAt > TOKEN_LIFETIME) continue;
    if (known.request !== request)
      throw awsError('ImportConflictException', 'The client token was used for an import with other parameters');
    return { ImportTableDescription: describe(known as ImportRecord) };
  }
  const name = tableNameOf(input.TableCreationParameters.TableName);
  await CreateTable(input.TableCreationParameters, ctx);
  const table = ctx.state.table(name)!;
  table.beginImport();
  const id = `${String(Math.floor(now)).padStart(14, '0')}-${ctx.ids.hex(8)}`;
  const record: ImportRecord = {
    arn: importType.arn({ table: table.name, import: id }, ctx),
    tableArn: table.record.arn,
    tableId: table.record.id,
    status: 'IN_PROGRESS',
    startedAt: now,
    ...(token === undefined ? {} : { token }),
    request,
    input,
    errors: 0,
    processed: 0,
    imported: 0,
    bytes: 0,
  };
  ctx.state.imports.put(record.arn, record);
  void run(ctx, table, record);
  return { ImportTableDescription: describe(record) };
}

/** Why an import fails some of whose items could not be imported; its table stays, with the others. */
const INVALID_ITEMS = {
  code: 'ItemValidationError',
  message:
    'Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.',
};

async function run(ctx: Context, table: Table, record: ImportRecord): Promise<void> {
  const counts = { errors: 0, processed: 0, imported: 0, bytes: 0 };
  let change: Partial<ImportRecord>;
  try {
    await readAll(ctx, table, record.input, counts);
    change = counts.errors ? { status: 'FAILED', failure: INVALID_ITEMS } : { status: 'COMPLETED' };
  } catch (error) {
    change = { status: 'FAILED', failure: failureOf(error) };
    // What could not be read leaves no table behind.
    if (!counts.imported && ctx.state.table(table.name) === table) ctx.state.removeTable(table.name);
  }
  if (ctx.state.table(table.name) === table) table.endImport();
  if (ctx.state.imports.has(record.arn))
    ctx.state.imports.update(record.arn, (draft) => {
      Object.assign(draft, change, counts, { endedAt: ctx.clock.now() });
    });
}

type Counts = Pick<ImportRecord, 'errors' | 'processed' | 'imported' | 'bytes'>;

async function readAll(ctx: Context, table: Table, input: ImportTableInput, counts: Counts): Promise<void> {
  const { S3Bucket: Bucket, S3KeyPrefix: Prefix, S3BucketOwner } = input.S3BucketSource;
  const owner = S3BucketOwner === undefined ? {} : { ExpectedBucketOwner: S3BucketOwner };
  let ContinuationToken: string | undefined;
  do {
    const listing = await ctx.call('s3', 'ListObjectsV2', { Bucket, Prefix, ContinuationToken, ...owner });
    for (const { Key } of listing.Contents ?? []) {
      const { Body: body } = await ctx.call('s3', 'GetObject', { Bucket, Key: Key!, ...owner });
      await readObject(piecesOf(body), input, table, counts);
    }
    ContinuationToken = listing.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

async function readObject(
  body: AsyncIterable<Uint8Array>,
  input: ImportTableInput,
  table: Table,
  counts: Counts,
): Promise<void> {
  const types = input.TableCreationParameters.AttributeDefinitions;
  const keyTypes = new Map(types.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  const onBytes = (count: number): void => {
    counts.bytes += count;
  };
  for await (const read of readRecords(body, { input, keyTypes, onBytes })) {
    counts.processed++;
    // An item that cannot be imported is counted, and the rest goes on.
    const item = read && itemOf(read, table);
    if (item === undefined) counts.errors++;
    else {
      table.put(item);
      counts.imported++;
    }
  }
}

function itemOf(read: Record<string, unknown>, table: Table) {
  try {
    const item = checkedItem(decodeItem(read));
    checkSize(item);
    prepareWrite({ kind: 'put', table, item });
    return item;
  } catch {
    return undefined;
  }
}

function describe(record: ImportRecord): ImportTableDescription {
  const { input } = record;
  return {
    ImportArn: record.arn,
    ImportStatus: record.status,
    TableArn: record.tableArn,
    TableId: record.tableId,
    ClientToken: record.token,
    S3BucketSource: input.S3BucketSource,
    ErrorCount: record.errors,
    InputFormat: input.InputFormat,
    InputFormatOptions: input.InputFormatOptions,
    InputCompressionType: input.InputCompressionType ?? 'NONE',
    TableCreationParameters: input.TableCreationParameters,
    StartTime: new Date(record.startedAt),
    EndTime: record.endedAt === undefined ? undefined : new Date(record.endedAt),
    ProcessedSizeBytes: record.bytes,
    ProcessedItemCount: record.processed,
    ImportedItemCount: record.imported,
    FailureCode: record.failure?.code,
    FailureMessage: record.failure?.message,
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeImport.html */
export function DescribeImport(input: DescribeImportInput, ctx: Context): DescribeImportOutput {
  if (parseArn(input.ImportArn)?.service !== 'dynamodb') throw invalid('Invalid ImportArn');
  const address = importType.parse(input.ImportArn);
  const record = address && stateAt(address.place, ctx)?.imports.get(input.ImportArn);
  if (!record) throw awsError('ImportNotFoundException', `Import not found: ${input.ImportArn}`);
  return { ImportTableDescription: describe(record as ImportRecord) };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListImports.html */
export function ListImports(input: ListImportsInput, ctx: Context): ListImportsOutput {
  const all = [...ctx.state.imports.values()].filter(
    ({ tableArn }) => input.TableArn === undefined || tableArn === input.TableArn,
  ) as ImportRecord[];
  const request = { ...input, NextToken: input.NextToken && tokenOfHex(input.NextToken) };
  const keyOf = ({ arn }: ImportRecord) => importType.parse(arn)!.key.import;
  const { NextToken, ...page } = paging
    .page('ListImports', request, all, keyOf, { defaultLimit: MAX_LIST })
    .list((record) => ({
      ImportArn: record.arn,
      ImportStatus: record.status,
      TableArn: record.tableArn,
      S3BucketSource: record.input.S3BucketSource,
      InputFormat: record.input.InputFormat,
      StartTime: new Date(record.startedAt),
      EndTime: record.endedAt === undefined ? undefined : new Date(record.endedAt),
    }));
  return { ...page, ...(NextToken !== undefined && { NextToken: hexToken(NextToken) }) };
}
