import type { ErrorObject, Event, Operation } from '@emu/service-types/lambda';
import type { DurableEventRecord, DurableOperation } from './records.ts';

const date = (at: number): Date => new Date(at);
const errorOf = ({ error }: DurableOperation): { Error?: ErrorObject } =>
  error ? { Error: structuredClone(error) as ErrorObject } : {};
const resultOf = ({ result }: DurableOperation): { Result?: string } =>
  result === undefined ? {} : { Result: result };

/** Returns the operation as the API returns it. */
export function shownOperation(operation: DurableOperation, input: string): Operation {
  const { type, endedAt, dueAt, status } = operation;
  return {
    Id: operation.id,
    ...(operation.parentId !== undefined && { ParentId: operation.parentId }),
    ...(operation.name !== undefined && { Name: operation.name }),
    Type: type,
    ...(operation.subType !== undefined && { SubType: operation.subType }),
    StartTimestamp: date(operation.startedAt),
    ...(endedAt !== undefined && { EndTimestamp: date(endedAt) }),
    Status: status,
    ...(type === 'EXECUTION' && { ExecutionDetails: { InputPayload: input } }),
    ...(type === 'CONTEXT' && {
      ContextDetails: {
        ReplayChildren: operation.replayChildren ?? false,
        ...resultOf(operation),
        ...errorOf(operation),
      },
    }),
    ...(type === 'STEP' && {
      StepDetails: {
        Attempt: operation.attempt ?? 0,
        ...(status === 'PENDING' && dueAt !== undefined && { NextAttemptTimestamp: date(dueAt) }),
        ...resultOf(operation),
        ...errorOf(operation),
      },
    }),
    ...(type === 'WAIT' && dueAt !== undefined && { WaitDetails: { ScheduledEndTimestamp: date(dueAt) } }),
    ...(type === 'CALLBACK' && {
      CallbackDetails: { CallbackId: operation.callbackId, ...resultOf(operation), ...errorOf(operation) },
    }),
    ...(type === 'CHAINED_INVOKE' && { ChainedInvokeDetails: { ...resultOf(operation), ...errorOf(operation) } }),
  };
}

/** Returns the input of a durable function; its times are epoch milliseconds. */
export const invocationInput = (arn: string, token: string, operations: readonly Operation[]): string =>
  JSON.stringify({
    DurableExecutionArn: arn,
    CheckpointToken: token,
    InitialExecutionState: { Operations: operations.map(withMilliseconds) },
  });

function withMilliseconds(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(withMilliseconds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withMilliseconds(member)]));
}

/**
 * Returns the event as the API returns it.
 * @param data whether to include inputs, results and errors
 */
export function shownEvent(
  { number, at, event }: Pick<DurableEventRecord, 'number' | 'at' | 'event'>,
  data: boolean,
): Event {
  const copy = structuredClone(event);
  return { ...(data ? copy : (withoutData(copy) as typeof copy)), EventId: number, EventTimestamp: date(at) };
}

const DATA = new Set(['Input', 'Result', 'Error']);

function withoutData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, DATA.has(key) ? {} : withoutData(member)]),
  );
}
