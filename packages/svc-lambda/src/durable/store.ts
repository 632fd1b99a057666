import type { ErrorObject, Event } from '@emu/service-types/lambda';
import type { LambdaState } from '../state.ts';
import type { DurableExecution, DurableExecutionRecord, DurableOperation, DurableOperationRecord } from './records.ts';

/** Id of the operation that stands for the execution itself. */
const ROOT = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

/** The records of durable executions, and which operations belong to which. */
export class DurableStore {
  private readonly ids = new Map<string, string[]>();

  constructor(private readonly state: LambdaState) {
    for (const { execution, id } of state.durableOperations.values()) this.index(execution, id);
  }

  get(arn: string): DurableExecution | undefined {
    return this.state.durableExecutions.get(arn);
  }

  all(): Iterable<DurableExecution> {
    return this.state.durableExecutions.values();
  }

  update(arn: string, change: (draft: DurableExecutionRecord) => void): DurableExecution {
    return this.state.durableExecutions.update(arn, change);
  }

  /** Adds an execution with the operation that stands for it. */
  add(record: DurableExecutionRecord): DurableExecution {
    const execution = this.state.durableExecutions.put(record.arn, record);
    const { arn, startedAt } = record;
    this.putOperation({ execution: arn, id: ROOT(arn), type: 'EXECUTION', status: 'STARTED', startedAt });
    return execution;
  }

  /** Removes an execution with everything of it. */
  remove(arn: string): void {
    for (const id of this.ids.get(arn) ?? []) this.state.durableOperations.delete(`${arn}#${id}`);
    this.ids.delete(arn);
    const events = this.get(arn)?.events ?? 0;
    for (let number = 1; number <= events; number++) this.state.durableEvents.delete(`${arn}#${number}`);
    this.state.durableExecutions.delete(arn);
  }

  /** The operations of an execution, in the order in which they were begun; the execution's own comes first. */
  operations(arn: string): DurableOperation[] {
    return (this.ids.get(arn) ?? []).map((id) => this.operation(arn, id)!);
  }

  operation(arn: string, id: string): DurableOperation | undefined {
    return this.state.durableOperations.get(`${arn}#${id}`);
  }

  count(arn: string): number {
    return this.ids.get(arn)?.length ?? 0;
  }

  putOperation(record: DurableOperationRecord): DurableOperation {
    if (!this.operation(record.execution, record.id)) this.index(record.execution, record.id);
    return this.state.durableOperations.put(`${record.execution}#${record.id}`, record);
  }

  updateOperation(arn: string, id: string, change: (draft: DurableOperationRecord) => void): DurableOperation {
    return this.state.durableOperations.update(`${arn}#${id}`, change);
  }

  /**
   * What puts operations and the history back to how they are now.
   * @param ids of the operations that may change, be there or be begun
   */
  savepoint(arn: string, ids: ReadonlySet<string>): () => void {
    const before = [...ids].map((id) => ({ id, operation: this.operation(arn, id) }));
    const { events = 0 } = this.get(arn) ?? {};
    return () => {
      for (const { id, operation } of before)
        if (operation)
          this.state.durableOperations.put(`${arn}#${id}`, structuredClone(operation) as DurableOperationRecord);
        else if (this.state.durableOperations.delete(`${arn}#${id}`))
          this.ids.set(
            arn,
            this.ids.get(arn)!.filter((other) => other !== id),
          );
      for (let number = this.get(arn)!.events; number > events; number--)
        this.state.durableEvents.delete(`${arn}#${number}`);
      this.update(arn, (draft) => {
        draft.events = events;
      });
    };
  }

  /** Writes an event into the history. */
  event(arn: string, event: Omit<Event, 'EventId' | 'EventTimestamp'>): void {
    const { events: number } = this.update(arn, (draft) => {
      draft.events++;
    });
    this.state.durableEvents.put(`${arn}#${number}`, { execution: arn, number, at: this.state.clock.now(), event });
  }

  /** What happened to an operation, for the history. */
  operationEvent(operation: DurableOperation, event: Omit<Event, 'EventId' | 'EventTimestamp' | 'Id'>): void {
    const { id, name, subType, parentId } = operation;
    this.event(operation.execution, {
      Id: id,
      ...(name !== undefined && { Name: name }),
      ...(subType !== undefined && { SubType: subType }),
      ...(parentId !== undefined && { ParentId: parentId }),
      ...event,
    });
  }

  /** What an invocation has to know: without what is below contexts that have ended and do not want it. */
  visible(arn: string): DurableOperation[] {
    const hidden = new Set<string>();
    return this.operations(arn).filter((operation) => {
      const { parentId, id, type, endedAt, replayChildren } = operation;
      const below = parentId !== undefined && hidden.has(parentId);
      if (below || (type === 'CONTEXT' && endedAt !== undefined && !replayChildren)) hidden.add(id);
      return !below;
    });
  }

  private index(arn: string, id: string): void {
    const ids = this.ids.get(arn);
    if (ids) ids.push(id);
    else this.ids.set(arn, [id]);
  }
}

/** A result as events have it. */
export const eventResult = (payload: string | undefined) => ({
  Result: { ...(payload !== undefined && { Payload: payload }), Truncated: false },
});

/** An error as events have it. */
export const eventError = (error: ErrorObject | undefined) => ({
  Error: { Payload: error ?? {}, Truncated: false },
});
