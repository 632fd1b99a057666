import { RecordBuffer } from '@emu/core/service';

/** Bytes of payloads and responses that are kept. */
const LIMIT = 64 * 1024 * 1024;
const MAX_RECORDS = 10_000;

/** A recorded invocation; times are epoch milliseconds, durations milliseconds. */
export interface InvocationRecord {
  requestId: string;
  /** Id of the request or delivery that caused it; undefined for a request from outside. */
  cause: string | undefined;
  functionName: string;
  functionArn: string;
  version: string;
  invocationType: 'RequestResponse' | 'Event' | 'DryRun';
  source: string;
  payload: Uint8Array;
  response: Uint8Array | undefined;
  functionError: 'Unhandled' | undefined;
  duration: number;
  coldStart: boolean;
  timestamp: number;
}

/** What ran, for the introspection route: the oldest give way by number and by size. */
export const invocationRecords = (): RecordBuffer<InvocationRecord> =>
  new RecordBuffer(MAX_RECORDS, {
    limit: LIMIT,
    of: ({ payload, response }) => payload.length + (response?.length ?? 0),
  });
