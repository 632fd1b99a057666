import { defineCollection } from '@emu/core/service';

/** An event that waits for its function, kept by the id of its request. Times are epoch milliseconds. */
export interface AsyncEventRecord {
  requestId: string;
  functionName: string;
  /** As it was invoked. */
  qualifier?: string;
  /** Base64. */
  payload: string;
  traceHeader?: string;
  /** Id of what caused the request. */
  cause?: string;
  clientContext?: string;
  tenantId?: string;
  source: string;
  receivedAt: number;
  /** When it is tried next. */
  dueAt: number;
  /** Runs that ended with an error of the function. */
  failures: number;
  /** Times in a row that it found no room to run. */
  throttles: number;
}

/** Accepted events that have not run to their end; they survive a restart. */
export const asyncEventCollection = defineCollection<AsyncEventRecord>('async-events', 'region', {
  content: ['payload', 'clientContext'],
});
