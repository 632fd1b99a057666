import { type DeepReadonly, parseArn, stateInRegion, waitBriefly } from '@emu/core/service';
import type { ExportDescription, ExportTableToPointInTimeInput, InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { checkRegion } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { runExport } from '../import-export/export-job.ts';
import { callerOf, type ExportRecord } from '../import-export/jobs.ts';
import { paging } from '../paging.ts';
import { exportType, ownTable, tableType } from '../resources.ts';
import type { DynamoState } from '../state.ts';
import { recoveryWindow } from '../tables/recovery.ts';
import type { Table } from '../tables/table.ts';

const MAX_LIST = 25;
const MIN_INCREMENT = 15 * 60 * 1000;
const MAX_INCREMENT = 24 * 60 * 60 * 1000;

function exportedTable(ctx: DynamodbContext, arn: string): { state: DynamoState; table: Table } {
  const address = tableType.parse(arn);
  if (!address) throw invalid('Invalid TableArn');
  checkRegion(ctx, arn, address.place);
  const state = stateInRegion(address.place, ctx);
  const table = state?.table(address.key.table);
  if (!state || !table) throw dynamodbError('TableNotFoundException', `Table not found: ${arn}`);
  return { state, table };
}

/** Returns the requested increment, limited to the available history. */
function incrementOf(
  input: ExportTableToPointInTimeInput,
  window: { from: number; to: number },
): ExportRecord['incremental'] {
  if (input.ExportType !== 'INCREMENTAL_EXPORT') {
    if (input.IncrementalExportSpecification)
      throw invalid('IncrementalExportSpecification can only be specified with the export type INCREMENTAL_EXPORT');
    return undefined;
  }
  if (input.ExportTime) throw invalid('ExportTime cannot be specified with the export type INCREMENTAL_EXPORT');
  const { ExportFromTime, ExportToTime, ExportViewType } = input.IncrementalExportSpecification ?? {};
  if (!ExportFromTime)
    throw invalid('Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification');
  const from = ExportFromTime.getTime();
  const to = ExportToTime?.getTime() ?? window.to;
  if (from < Math.floor(window.from / 1000) * 1000 || to > window.to)
    throw dynamodbError('InvalidExportTimeException', 'The export period is outside the point-in-time recovery window');
  if (to - from < MIN_INCREMENT || to - from > MAX_INCREMENT)
    throw invalid('The export period must be at least 15 minutes and at most 24 hours long');
  return { from, to, view: ExportViewType ?? 'NEW_AND_OLD_IMAGES' };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExportTableToPointInTime.html */
export function ExportTableToPointInTime(
  input: InputOf<'ExportTableToPointInTime'>,
  ctx: DynamodbContext,
): OutputOf<'ExportTableToPointInTime'> {
  const { state, table } = exportedTable(ctx, input.TableArn);
  const record = state.exportTokens.once('ExportTableToPointInTime', input, () =>
    beginExport(input, state, table, ctx),
  );
  return { ExportDescription: describe(record as ExportRecord) };
}

function beginExport(
  input: ExportTableToPointInTimeInput,
  state: DynamoState,
  table: Table,
  ctx: DynamodbContext,
): DeepReadonly<ExportRecord> {
  const now = ctx.clock.now();
  const { ClientToken: token, ...rest } = input;
  const window = recoveryWindow(table, now);
  if (!window)
    throw dynamodbError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${table.name}'`,
    );
  const time = input.ExportTime?.getTime() ?? window.to;
  if (time < Math.floor(window.from / 1000) * 1000 || time > window.to)
    throw dynamodbError('InvalidExportTimeException', `The export time is outside the point-in-time recovery window`);
  const incremental = incrementOf(input, window);
  const id = `${String(Math.floor(now)).padStart(14, '0')}-${ctx.ids.hex(8)}`;
  const record: ExportRecord = {
    arn: exportType.arn({ table: table.name, export: id }, ownTable(table.record.arn).place),
    id,
    tableArn: table.record.arn,
    tableId: table.record.id,
    status: 'IN_PROGRESS',
    startedAt: now,
    ...(token !== undefined && { token }),
    request: JSON.stringify(rest),
    caller: callerOf(ctx),
    time,
    bucket: input.S3Bucket,
    ...(input.S3BucketOwner !== undefined && { bucketOwner: input.S3BucketOwner }),
    ...(input.S3Prefix !== undefined && { prefix: input.S3Prefix }),
    ...(input.S3SseAlgorithm !== undefined && { sseAlgorithm: input.S3SseAlgorithm }),
    ...(input.S3SseKmsKeyId !== undefined && { sseKey: input.S3SseKmsKeyId }),
    format: input.ExportFormat ?? 'DYNAMODB_JSON',
    ...(incremental && { incremental }),
  };
  state.exports.put(record.arn, record);
  void runExport(state, record, table);
  return record;
}

function describe(record: ExportRecord): ExportDescription {
  const { incremental } = record;
  return {
    ExportArn: record.arn,
    ExportStatus: record.status,
    StartTime: new Date(record.startedAt),
    EndTime: record.endedAt === undefined ? undefined : new Date(record.endedAt),
    ExportManifest: record.manifest,
    TableArn: record.tableArn,
    TableId: record.tableId,
    ExportTime: incremental ? undefined : new Date(record.time),
    ClientToken: record.token,
    S3Bucket: record.bucket,
    S3BucketOwner: record.bucketOwner,
    S3Prefix: record.prefix,
    S3SseAlgorithm: record.sseAlgorithm ?? 'AES256',
    S3SseKmsKeyId: record.sseKey,
    FailureCode: record.failure?.code,
    FailureMessage: record.failure?.message,
    ExportFormat: record.format,
    BilledSizeBytes: record.bytes,
    ItemCount: record.itemCount,
    ExportType: incremental ? 'INCREMENTAL_EXPORT' : 'FULL_EXPORT',
    IncrementalExportSpecification: incremental && {
      ExportFromTime: new Date(incremental.from),
      ExportToTime: new Date(incremental.to),
      ExportViewType: incremental.view,
    },
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeExport.html */
export async function DescribeExport(
  input: InputOf<'DescribeExport'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'DescribeExport'>> {
  if (parseArn(input.ExportArn)?.service !== 'dynamodb') throw invalid('Invalid ExportArn');
  const address = exportType.parse(input.ExportArn);
  const find = () => address && stateInRegion(address.place, ctx)?.exports.get(input.ExportArn);
  if (ctx.http) await waitBriefly(() => find()?.status !== 'IN_PROGRESS');
  const record = find();
  if (!record) throw dynamodbError('ExportNotFoundException', `Export not found: ${input.ExportArn}`);
  return { ExportDescription: describe(record as ExportRecord) };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListExports.html */
export function ListExports(input: InputOf<'ListExports'>, ctx: DynamodbContext): OutputOf<'ListExports'> {
  const all = [...ctx.state.exports.values()].filter(
    ({ tableArn }) => input.TableArn === undefined || tableArn === input.TableArn,
  );
  return paging
    .page('ListExports', input, all, ({ id }) => id, { defaultLimit: MAX_LIST })
    .list(({ arn, status, incremental }) => ({
      ExportArn: arn,
      ExportStatus: status,
      ExportType: incremental ? 'INCREMENTAL_EXPORT' : 'FULL_EXPORT',
    }));
}
