import { RecordBuffer } from '@emu/core/service';

/** Maximum bytes of stored payloads and responses. */
const LIMIT = 64 * 1024 * 1024;
const MAX_RECORDS = 10_000;

/** A recorded invocation; times are epoch milliseconds, durations milliseconds. */
export interface InvocationRecord {
  requestId: string;
  /** Id of the causing request or delivery; undefined for an external request. */
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

/** Invocations for the introspection route; the oldest are evicted by number and size. */
export const invocationRecords = (): RecordBuffer<InvocationRecord> =>
  new RecordBuffer(MAX_RECORDS, {
    limit: LIMIT,
    of: ({ payload, response }) => payload.length + (response?.length ?? 0),
  });
