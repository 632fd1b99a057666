import type { DeepReadonly } from '@emu/core/service';
import type { PutObjectRequest } from '@emu/service-types/s3';
import type { Item } from '../attributes/values.ts';
import type { DynamoState } from '../state.ts';
import { recoveryWindow } from '../tables/recovery.ts';
import type { Table } from '../tables/table.ts';
import { type ExportLine, writeExport } from './export-writer.ts';
import { type ExportRecord, failureOf } from './jobs.ts';

/**
 * Returns the lines of an incremental export: for each changed item, its state before the first and after the last
 * change.
 */
function incrementLines(state: DynamoState, table: Table, increment: NonNullable<ExportRecord['incremental']>) {
  const changed = new Map<string, { key: Item; at: number; before: Item | undefined; after: Item | undefined }>();
  for (const { at, key, before, after } of state.history.between(table, increment.from, increment.to)) {
    const identity = table.identityOf(key);
    const known = changed.get(identity);
    if (known) Object.assign(known, { at, after });
    else changed.set(identity, { key, at, before, after });
  }
  return [...changed.values()].map(({ key, at, before, after }): ExportLine => {
    const Metadata: Item = { WriteTimestampMicros: { N: String(Math.floor(at * 1000)) } };
    return {
      parts: {
        Metadata,
        Keys: key,
        ...(before && increment.view === 'NEW_AND_OLD_IMAGES' && { OldImage: before }),
        ...(after && { NewImage: after }),
      },
    };
  });
}

/** Returns the lines of an export: the table's items, or their changes, as of the export's time. */
function linesOf(state: DynamoState, record: ExportRecord, table: Table): ExportLine[] {
  const { incremental, time } = record;
  if (incremental) return incrementLines(state, table, incremental);
  const { from = time } = recoveryWindow(table, state.scope.clock.now()) ?? {};
  return Array.from(state.history.itemsAt(table, Math.max(time, from)), (Item): ExportLine => ({ parts: { Item } }));
}

/**
 * Writes an export in the background; its record receives the outcome. The items are those at the time of the call,
 * independent of later writes.
 */
export async function runExport(state: DynamoState, record: ExportRecord, table: Table): Promise<void> {
  const { clock, ids, call } = state.scope;
  const lines = linesOf(state, record, table);
  const put = async (Key: string, Body: Uint8Array, ContentType: string): Promise<void> => {
    const input: PutObjectRequest = {
      Bucket: record.bucket,
      Key,
      Body,
      ContentType,
      ...(record.bucketOwner !== undefined && { ExpectedBucketOwner: record.bucketOwner }),
      ...(record.sseAlgorithm === 'KMS'
        ? { ServerSideEncryption: 'aws:kms', ...(record.sseKey !== undefined && { SSEKMSKeyId: record.sseKey }) }
        : record.sseAlgorithm === 'AES256'
          ? { ServerSideEncryption: 'AES256' }
          : {}),
    };
    await call('s3', 'PutObject', input, { ...record.caller, authorize: {} });
  };
  let change: Partial<ExportRecord>;
  try {
    const result = await writeExport(
      record,
      lines,
      put,
      () => ids.hex(26),
      () => clock.now(),
    );
    change = { status: 'COMPLETED', ...result };
  } catch (error) {
    change = { status: 'FAILED', failure: failureOf(error) };
  }
  endExport(state, record, change);
}

function endExport(state: DynamoState, { arn }: ExportRecord, change: Partial<ExportRecord>): void {
  // If the state has closed, the next one continues the work; a reset may have deleted the export.
  if (state.closed || !state.exports.has(arn)) return;
  state.exports.update(arn, (draft) => {
    Object.assign(draft, change, { endedAt: state.scope.clock.now() });
  });
}

/** Restarts an export that was interrupted by a restart. */
export async function resumeExport(state: DynamoState, interrupted: DeepReadonly<ExportRecord>): Promise<void> {
  const record = interrupted as ExportRecord;
  const table = state.tableOfId(record.tableId);
  if (table) return runExport(state, record, table);
  const failure = { code: 'TableNotFoundException', message: `Table not found: ${record.tableArn}` };
  endExport(state, record, { status: 'FAILED', failure });
}

/** Ends an interrupted export as failed. */
export function failExport(state: DynamoState, record: DeepReadonly<ExportRecord>, message: string): void {
  endExport(state, record as ExportRecord, { status: 'FAILED', failure: { code: 'InternalServerError', message } });
}
