import { type DeepReadonly, parseArn, stateInRegion, waitBriefly } from '@emu/core/service';
import type { ImportTableDescription, InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { tableNameOf } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { runImport } from '../import-export/import-job.ts';
import { callerOf, type ImportRecord } from '../import-export/jobs.ts';
import { hexToken, paging, tokenOfHex } from '../paging.ts';
import { importType } from '../resources.ts';
import { CreateTable } from './tables.ts';

const MAX_LIST = 25;

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ImportTable.html */
export async function ImportTable(
  input: InputOf<'ImportTable'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'ImportTable'>> {
  if (input.InputFormatOptions?.Csv && input.InputFormat !== 'CSV')
    throw invalid(`Invalid Request: Unsupported InputFormatOptions for the given input format: ${input.InputFormat}.`);
  const record = await ctx.state.importTokens.once('ImportTable', input, () => beginImport(input, ctx));
  return { ImportTableDescription: describe(record as ImportRecord) };
}

async function beginImport(input: InputOf<'ImportTable'>, ctx: DynamodbContext): Promise<DeepReadonly<ImportRecord>> {
  const now = ctx.clock.now();
  const { ClientToken: token, ...rest } = input;
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
    ...(token !== undefined && { token }),
    request: JSON.stringify(rest),
    caller: callerOf(ctx),
    input,
    errors: 0,
    processed: 0,
    imported: 0,
    bytes: 0,
  };
  ctx.state.imports.put(record.arn, record);
  void runImport(ctx.state, record, table);
  return record;
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

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeImport.html */
export async function DescribeImport(
  input: InputOf<'DescribeImport'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'DescribeImport'>> {
  if (parseArn(input.ImportArn)?.service !== 'dynamodb') throw invalid('Invalid ImportArn');
  const address = importType.parse(input.ImportArn);
  const find = () => address && stateInRegion(address.place, ctx)?.imports.get(input.ImportArn);
  if (ctx.http) await waitBriefly(() => find()?.status !== 'IN_PROGRESS');
  const record = find();
  if (!record) throw dynamodbError('ImportNotFoundException', `Import not found: ${input.ImportArn}`);
  return { ImportTableDescription: describe(record as ImportRecord) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListImports.html */
export function ListImports(input: InputOf<'ListImports'>, ctx: DynamodbContext): OutputOf<'ListImports'> {
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
