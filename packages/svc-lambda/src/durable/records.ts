import { type DeepReadonly, defineCollection } from '@emu/core/service';
import type { ErrorObject, Event, ExecutionStatus, OperationStatus, OperationType } from '@emu/service-types/lambda';

/** A durable execution, kept by its ARN. Times are epoch milliseconds. */
export interface DurableExecutionRecord {
  arn: string;
  name: string;
  functionName: string;
  /** The version that runs it to its end. */
  version: string;
  status: ExecutionStatus;
  input: string;
  /** Id of the request that began it, or of the execution that did. */
  cause?: string;
  result?: string;
  error?: ErrorObject;
  startedAt: number;
  endedAt?: number;
  /** When it is given up. */
  timeoutAt: number;
  /** When it is forgotten, once it has ended. */
  expiresAt?: number;
  /** Number of the checkpoint token that is valid; each checkpoint and each invocation makes another. */
  token: number;
  /** Invocations in a row that failed. */
  failures: number;
  /** Events of its history so far. */
  events: number;
}

/** An operation of a durable execution, kept by `<ARN>#<id>`. Times are epoch milliseconds. */
export interface DurableOperationRecord {
  execution: string;
  id: string;
  parentId?: string;
  name?: string;
  type: OperationType;
  subType?: string;
  status: OperationStatus;
  startedAt: number;
  endedAt?: number;
  result?: string;
  error?: ErrorObject;
  /** Of steps: attempts that were begun. */
  attempt?: number;
  /** When something happens to it by itself: the end of a wait, a step's next attempt, a callback's timeout. */
  dueAt?: number;
  /** Of waits: seconds. */
  seconds?: number;
  callbackId?: string;
  /** Of callbacks: seconds between heartbeats, and when the next one is missed. */
  heartbeatSeconds?: number;
  heartbeatAt?: number;
  /** Of contexts: whether their children are wanted when they have ended. */
  replayChildren?: boolean;
  /** Of chained invocations: what to call, with what. */
  functionName?: string;
  payload?: string;
}

/** An event of an execution's history, kept by `<ARN>#<number>`; its time is epoch milliseconds. */
export interface DurableEventRecord {
  execution: string;
  number: number;
  at: number;
  event: Omit<Event, 'EventId' | 'EventTimestamp'>;
}

/** An execution as collections return it. */
export type DurableExecution = DeepReadonly<DurableExecutionRecord>;
/** An operation as collections return it. */
export type DurableOperation = DeepReadonly<DurableOperationRecord>;

export const executionCollection = defineCollection<DurableExecutionRecord>('durable-executions', 'region', {
  content: ['input', 'result', 'error'],
});
export const operationCollection = defineCollection<DurableOperationRecord>('durable-operations', 'region', {
  content: ['payload', 'result', 'error'],
});
export const eventCollection = defineCollection<DurableEventRecord>('durable-events', 'region', {
  content: ['Payload', 'Error'],
  decode: (json) => ({ ...(json as DurableEventRecord), event: withDates((json as DurableEventRecord).event) }),
});

/** Details of an event with their points in time, which JSON has as text. */
function withDates<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const revived = Object.entries(value).map(([key, member]) => [
    key,
    key.endsWith('Timestamp') && typeof member === 'string' ? new Date(member) : withDates(member as unknown),
  ]);
  return (Array.isArray(value) ? value : Object.fromEntries(revived)) as T;
}
