import type { ErrorObject, Event } from '@emu/service-types/lambda';
import type { LambdaState } from '../state.ts';
import type { DurableExecution, DurableExecutionRecord, DurableOperation, DurableOperationRecord } from './records.ts';

/** Returns the id of the operation that represents the execution itself. */
const ROOT = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

/** Records of durable executions, with an index of operations by execution. */
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

  /** Adds an execution with its own operation. */
  add(record: DurableExecutionRecord): DurableExecution {
    const execution = this.state.durableExecutions.put(record.arn, record);
    const { arn, startedAt } = record;
    this.putOperation({ execution: arn, id: ROOT(arn), type: 'EXECUTION', status: 'STARTED', startedAt });
    return execution;
  }

  /** Removes an execution and all of its records. */
  remove(arn: string): void {
    for (const id of this.ids.get(arn) ?? []) this.state.durableOperations.delete(`${arn}#${id}`);
    this.ids.delete(arn);
    const events = this.get(arn)?.events ?? 0;
    for (let number = 1; number <= events; number++) this.state.durableEvents.delete(`${arn}#${number}`);
    this.state.durableExecutions.delete(arn);
  }

  /** Returns the operations of an execution in order of start, beginning with the execution's own. */
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
   * Returns a function that restores operations and history to the current state.
   * @param ids operations that may be changed or created
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

  /** Appends an event to the history. */
  event(arn: string, event: Omit<Event, 'EventId' | 'EventTimestamp'>): void {
    const { events: number } = this.update(arn, (draft) => {
      draft.events++;
    });
    this.state.durableEvents.put(`${arn}#${number}`, { execution: arn, number, at: this.state.clock.now(), event });
  }

  /** Returns the change of an operation, as history event. */
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

  /** Returns the operations for an invocation, without descendants of ended contexts unless these request them. */
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

/** Returns the result as in events. */
export const eventResult = (payload: string | undefined) => ({
  Result: { ...(payload !== undefined && { Payload: payload }), Truncated: false },
});

/** Returns the error as in events. */
export const eventError = (error: ErrorObject | undefined) => ({
  Error: { Payload: error ?? {}, Truncated: false },
});
