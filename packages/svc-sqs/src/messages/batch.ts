import { AwsError } from '@emu/wire';
import { missingParameter, sqsError } from '../errors.ts';

const MAX_ENTRIES = 10;
/** Maximum total bytes of a batch's messages. */
const MAX_SIZE = 1_048_576;
const ID = /^[A-Za-z0-9_-]{1,80}$/;

/** A failed batch entry. */
export interface FailedEntry {
  Id: string;
  SenderFault: boolean;
  Code: string;
  Message: string;
}

/**
 * Validates a batch as a whole: one to ten entries with valid, distinct ids.
 * @param entryType AWS's shape name of the entries, for errors
 * @throws AwsError `EmptyBatchRequest`, `TooManyEntriesInBatchRequest`, `MissingParameter`, `InvalidBatchEntryId`,
 * `BatchEntryIdsNotDistinct`
 */
export function checkBatch(entries: readonly { Id: string }[] | undefined, entryType: string): void {
  if (!entries?.length)
    throw sqsError('EmptyBatchRequest', `There should be at least one ${entryType} in the request.`);
  if (entries.length > MAX_ENTRIES)
    throw sqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${entries.length}.`,
    );
  const ids = new Set<string>();
  for (const [index, { Id }] of entries.entries()) {
    if (Id === undefined) throw missingParameter(`${entryType}.${index + 1}.Id`);
    if (!ID.test(Id))
      throw sqsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    if (ids.has(Id)) throw sqsError('BatchEntryIdsNotDistinct', `Id ${Id} repeated.`);
    ids.add(Id);
  }
}

/**
 * Checks the size of a message batch.
 * @param size total bytes of the messages
 * @throws AwsError `BatchRequestTooLong`
 */
export function checkBatchSize(size: number): void {
  if (size > MAX_SIZE)
    throw sqsError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${MAX_SIZE} bytes. You have sent ${size} bytes.`,
    );
}

/** Results of batch entries; AWS omits empty lists. */
export interface BatchOutcome<Success> {
  Successful: Success[];
  Failed: FailedEntry[];
}

/**
 * Runs each entry of a batch independently.
 * @param run throws an `AwsError` for a failed entry
 */
export function runBatch<Entry extends { Id: string }, Success>(
  entries: readonly Entry[],
  run: (entry: Entry, index: number) => Success,
): BatchOutcome<Success> {
  const successful: Success[] = [];
  const failed: FailedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      successful.push(run(entry, index));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  const outcome = { ...(successful.length && { Successful: successful }), ...(failed.length && { Failed: failed }) };
  return outcome as BatchOutcome<Success>;
}
