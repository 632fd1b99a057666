import { defineCollection } from '@emu/core/service';

/** An event waiting for its function, keyed by request id. Times are epoch milliseconds. */
export interface AsyncEventRecord {
  requestId: string;
  functionName: string;
  /** Original invocation target. */
  qualifier?: string;
  /** Base64. */
  payload: string;
  traceHeader?: string;
  /** Id of the request's cause. */
  cause?: string;
  clientContext?: string;
  tenantId?: string;
  source: string;
  receivedAt: number;
  /** Time of the next attempt. */
  dueAt: number;
  /** Attempts that failed with a function error. */
  failures: number;
  /** Consecutive throttled attempts. */
  throttles: number;
}

/** Accepted events that are not yet completed; they survive a restart. */
export const asyncEventCollection = defineCollection<AsyncEventRecord>('async-events', 'region', {
  content: ['payload', 'clientContext'],
});
