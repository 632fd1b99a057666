import { type DeepReadonly, defineCollection } from '@emu/core/service';
import type { ErrorObject, Event, ExecutionStatus, OperationStatus, OperationType } from '@emu/service-types/lambda';

/** A durable execution, keyed by ARN. Times are epoch milliseconds. */
export interface DurableExecutionRecord {
  arn: string;
  name: string;
  functionName: string;
  /** Version that runs it to its end. */
  version: string;
  status: ExecutionStatus;
  input: string;
  /** Id of the request or execution that started it. */
  cause?: string;
  result?: string;
  error?: ErrorObject;
  startedAt: number;
  endedAt?: number;
  /** Deadline. */
  timeoutAt: number;
  /** Deletion time after its end. */
  expiresAt?: number;
  /** Number of the valid checkpoint token; each checkpoint and invocation increases it. */
  token: number;
  /** Consecutive failed invocations. */
  failures: number;
  /** Number of events in its history. */
  events: number;
}

/** An operation of a durable execution, keyed by `<ARN>#<id>`. Times are epoch milliseconds. */
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
  /** For steps: started attempts. */
  attempt?: number;
  /** Time of its next automatic event: the end of a wait, a step's next attempt, a callback's timeout. */
  dueAt?: number;
  /** For waits: seconds. */
  seconds?: number;
  callbackId?: string;
  /** For callbacks: seconds between heartbeats, and the deadline of the next one. */
  heartbeatSeconds?: number;
  heartbeatAt?: number;
  /** For contexts: whether to return their children after they end. */
  replayChildren?: boolean;
  /** For chained invocations: function and payload. */
  functionName?: string;
  payload?: string;
}

/** An event of an execution's history, keyed by `<ARN>#<number>`; its time is in epoch milliseconds. */
export interface DurableEventRecord {
  execution: string;
  number: number;
  at: number;
  event: Omit<Event, 'EventId' | 'EventTimestamp'>;
}

/** A stored execution. */
export type DurableExecution = DeepReadonly<DurableExecutionRecord>;
/** A stored operation. */
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

/** Returns the event details with times as text for JSON. */
function withDates<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const revived = Object.entries(value).map(([key, member]) => [
    key,
    key.endsWith('Timestamp') && typeof member === 'string' ? new Date(member) : withDates(member as unknown),
  ]);
  return (Array.isArray(value) ? value : Object.fromEntries(revived)) as T;
}
