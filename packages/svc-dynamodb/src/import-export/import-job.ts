import { type DeepReadonly, Slices } from '@emu/core/service';
import { piecesOf } from '@emu/wire';
import { decodeItem } from '../attributes/codec.ts';
import { checkedItem, checkSize } from '../attributes/values.ts';
import { prepareWrite } from '../items/writes.ts';
import type { DynamoState } from '../state.ts';
import type { Table } from '../tables/table.ts';
import { readRecords } from './import-reader.ts';
import { failureOf, type ImportRecord } from './jobs.ts';

/** Failure of an import with invalid items; the table with the valid items stays. */
const INVALID_ITEMS = {
  code: 'ItemValidationError',
  message:
    'Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.',
};

/** Fills a table from S3 in the background; the import's record receives the outcome. */
export async function runImport(state: DynamoState, record: ImportRecord, table: Table): Promise<void> {
  const counts = { errors: 0, processed: 0, imported: 0, bytes: 0 };
  let change: Partial<ImportRecord>;
  try {
    await readAll(state, table, record, counts);
    change = counts.errors ? { status: 'FAILED', failure: INVALID_ITEMS } : { status: 'COMPLETED' };
  } catch (error) {
    change = { status: 'FAILED', failure: failureOf(error) };
    // An import without readable items leaves no table.
    if (!state.closed && !counts.imported && state.table(table.name) === table) await state.removeTable(table.name);
  }
  // If the state has closed, the next one continues the work.
  if (state.closed) return;
  if (state.table(table.name) === table) table.endImport();
  endImport(state, record, { ...change, ...counts });
}

function endImport(state: DynamoState, { arn }: ImportRecord, change: Partial<ImportRecord>): void {
  // A reset may have deleted the import.
  if (state.closed || !state.imports.has(arn)) return;
  state.imports.update(arn, (draft) => {
    Object.assign(draft, change, { endedAt: state.scope.clock.now() });
  });
}

/** Restarts an import that was interrupted by a restart, into the emptied table. */
export async function resumeImport(state: DynamoState, interrupted: DeepReadonly<ImportRecord>): Promise<void> {
  const record = interrupted as ImportRecord;
  const table = state.tableOfId(record.tableId);
  if (table) return runImport(state, record, table);
  const failure = { code: 'TableNotFoundException', message: `Table not found: ${record.tableArn}` };
  endImport(state, record, { status: 'FAILED', failure });
}

/** Ends an interrupted import as failed; the table keeps the items that it has. */
export function failImport(state: DynamoState, record: DeepReadonly<ImportRecord>, message: string): void {
  state.tableOfId(record.tableId)?.endImport();
  endImport(state, record as ImportRecord, { status: 'FAILED', failure: { code: 'InternalServerError', message } });
}

type Counts = Pick<ImportRecord, 'errors' | 'processed' | 'imported' | 'bytes'>;

async function readAll(state: DynamoState, table: Table, record: ImportRecord, counts: Counts): Promise<void> {
  const { input } = record;
  const caller = { ...record.caller, authorize: {} };
  const { call } = state.scope;
  const { S3Bucket: Bucket, S3KeyPrefix: Prefix, S3BucketOwner } = input.S3BucketSource;
  const owner = S3BucketOwner === undefined ? {} : { ExpectedBucketOwner: S3BucketOwner };
  let ContinuationToken: string | undefined;
  do {
    const listing = await call('s3', 'ListObjectsV2', { Bucket, Prefix, ContinuationToken, ...owner }, caller);
    for (const { Key } of listing.Contents ?? []) {
      const { Body: body } = await call('s3', 'GetObject', { Bucket, Key: Key!, ...owner }, caller);
      await readObject(piecesOf(body), record, { state, table, counts });
    }
    ContinuationToken = listing.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

async function readObject(
  body: AsyncIterable<Uint8Array>,
  record: ImportRecord,
  { state, table, counts }: { state: DynamoState; table: Table; counts: Counts },
): Promise<void> {
  const { input, caller } = record;
  const types = input.TableCreationParameters.AttributeDefinitions;
  const keyTypes = new Map(types.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  const onBytes = (count: number): void => {
    counts.bytes += count;
  };
  // Reading only yields between pieces of the body, which may contain many records.
  const slices = new Slices();
  for await (const read of readRecords(body, { input, keyTypes, onBytes })) {
    counts.processed++;
    // An invalid item is counted, and the import continues.
    const item = read && itemOf(read, table);
    if (item === undefined) counts.errors++;
    else {
      table.put(item, { cause: caller.cause });
      counts.imported++;
    }
    const pause = slices.pause();
    if (pause) await pause;
    if (pause && (state.closed || state.table(table.name) !== table)) return;
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
