import { exceedsBytes } from '@emu/core/service';
import type { ErrorObject, OperationUpdate } from '@emu/service-types/lambda';
import { invalidParameterValue } from '../errors.ts';
import type { LambdaState } from '../state.ts';
import type { DurableOperation, DurableOperationRecord } from './records.ts';
import { type DurableStore, eventError, eventResult } from './store.ts';

/** AWS's limits of an execution. */
const MAX_OPERATIONS = 3000;
const MAX_PAYLOAD = 262_144;

/** Returns the callback id for external systems. */
const callbackIdOf = (arn: string, id: string): string => Buffer.from(`${arn}#${id}`).toString('base64');

/** Parses a callback id; undefined if it is invalid. */
export function parseCallbackId(callbackId: string): { arn: string; id: string } | undefined {
  const text = Buffer.from(callbackId, 'base64').toString();
  const hash = text.lastIndexOf('#');
  return hash < 0 ? undefined : { arn: text.slice(0, hash), id: text.slice(hash + 1) };
}

/** Applies the updates of a checkpoint to an execution's operations. */
export class UpdateWriter {
  constructor(
    private readonly state: LambdaState,
    private readonly store: DurableStore,
    private readonly arn: string,
  ) {}

  /**
   * Applies one update.
   * @returns the resulting operation
   * @throws AwsError `InvalidParameterValueException` if the operation's state does not allow it
   */
  apply(update: OperationUpdate): DurableOperation {
    const { Id: id, Type: type, Action: action } = update;
    if (exceedsBytes(update.Payload ?? '', MAX_PAYLOAD) && type !== 'EXECUTION')
      throw invalidParameterValue(`The payload of operation ${id} exceeds the limit of ${MAX_PAYLOAD} bytes.`);
    if (type === 'EXECUTION') return this.completeExecution(update);
    const current = this.store.operation(this.arn, id);
    if (current && current.type !== type)
      throw invalidParameterValue(`Operation ${id} is of type ${current.type} and cannot be updated as ${type}.`);
    if (current?.endedAt !== undefined)
      throw invalidParameterValue(`Operation ${id} has completed and cannot be updated.`);
    if (action === 'START') return this.start(update, current);
    if (type === 'WAIT' && action === 'CANCEL' && current) return this.cancel(current);
    const completes = action === 'SUCCEED' || action === 'FAIL';
    if ((type === 'STEP' && (completes || action === 'RETRY')) || (type === 'CONTEXT' && completes))
      return this.finish(update, current ?? this.begin(update));
    throw invalidParameterValue(`Action ${action} is not valid for operation ${id} of type ${type}.`);
  }

  private begin(update: OperationUpdate): DurableOperation {
    if (this.store.count(this.arn) > MAX_OPERATIONS)
      throw invalidParameterValue(`The durable execution exceeds the limit of ${MAX_OPERATIONS} operations.`);
    if (update.ParentId !== undefined && this.store.operation(this.arn, update.ParentId)?.type !== 'CONTEXT')
      throw invalidParameterValue(`The parent ${update.ParentId} of operation ${update.Id} is not a context.`);
    const record: DurableOperationRecord = {
      execution: this.arn,
      id: update.Id,
      ...(update.ParentId !== undefined && { parentId: update.ParentId }),
      ...(update.Name !== undefined && { name: update.Name }),
      ...(update.SubType !== undefined && { subType: update.SubType }),
      type: update.Type,
      status: 'STARTED',
      startedAt: this.state.clock.now(),
      ...this.options(update),
    };
    return this.store.putOperation(record);
  }

  /** Returns the initial members of operations by type. */
  private options(update: OperationUpdate): Partial<DurableOperationRecord> {
    const now = this.state.clock.now();
    switch (update.Type) {
      case 'WAIT': {
        const seconds = update.WaitOptions?.WaitSeconds;
        if (seconds === undefined) throw invalidParameterValue(`WaitOptions are required for operation ${update.Id}.`);
        return { seconds, dueAt: now + seconds * 1000 };
      }
      case 'CALLBACK': {
        const { TimeoutSeconds: timeout = 0, HeartbeatTimeoutSeconds: heartbeat = 0 } = update.CallbackOptions ?? {};
        return {
          callbackId: callbackIdOf(this.arn, update.Id),
          ...(timeout && { seconds: timeout, dueAt: now + timeout * 1000 }),
          ...(heartbeat && { heartbeatSeconds: heartbeat, heartbeatAt: now + heartbeat * 1000 }),
        };
      }
      case 'CHAINED_INVOKE': {
        const name = update.ChainedInvokeOptions?.FunctionName;
        if (name === undefined)
          throw invalidParameterValue(`ChainedInvokeOptions are required for operation ${update.Id}.`);
        return { functionName: name, payload: update.Payload ?? '{}' };
      }
      case 'STEP':
        return { attempt: 1 };
      default:
        return {};
    }
  }

  private start(update: OperationUpdate, current: DurableOperation | undefined): DurableOperation {
    if (current && !(current.type === 'STEP' && current.status === 'READY'))
      throw invalidParameterValue(`Operation ${update.Id} has been started already.`);
    const operation = current
      ? this.store.updateOperation(this.arn, update.Id, (draft) => {
          draft.status = 'STARTED';
          draft.attempt = (draft.attempt ?? 0) + 1;
          delete draft.dueAt;
        })
      : this.begin(update);
    this.recordStart(operation, update);
    return operation;
  }

  private recordStart(operation: DurableOperation, update: OperationUpdate): void {
    const { store } = this;
    const { type, seconds = 0, dueAt, heartbeatSeconds } = operation;
    if (type === 'STEP') store.operationEvent(operation, { EventType: 'StepStarted', StepStartedDetails: {} });
    if (type === 'CONTEXT') store.operationEvent(operation, { EventType: 'ContextStarted', ContextStartedDetails: {} });
    if (type === 'WAIT')
      store.operationEvent(operation, {
        EventType: 'WaitStarted',
        WaitStartedDetails: { Duration: seconds, ScheduledEndTimestamp: new Date(dueAt!) },
      });
    if (type === 'CALLBACK')
      store.operationEvent(operation, {
        EventType: 'CallbackStarted',
        CallbackStartedDetails: {
          CallbackId: operation.callbackId!,
          ...(seconds && { Timeout: seconds }),
          ...(heartbeatSeconds && { HeartbeatTimeout: heartbeatSeconds }),
        },
      });
    if (type === 'CHAINED_INVOKE')
      store.operationEvent(operation, {
        EventType: 'ChainedInvokeStarted',
        ChainedInvokeStartedDetails: {
          FunctionName: operation.functionName!,
          Input: { Payload: update.Payload ?? '{}', Truncated: false },
        },
      });
  }

  private cancel(current: DurableOperation): DurableOperation {
    const operation = this.store.updateOperation(this.arn, current.id, (draft) => {
      draft.status = 'CANCELLED';
      draft.endedAt = this.state.clock.now();
    });
    this.store.operationEvent(operation, { EventType: 'WaitCancelled', WaitCancelledDetails: {} });
    return operation;
  }

  /** Ends a step or context, or schedules a step's next attempt. */
  private finish(update: OperationUpdate, current: DurableOperation): DurableOperation {
    const { Action: action, Payload: payload, Error: error } = update;
    const now = this.state.clock.now();
    const delay = update.StepOptions?.NextAttemptDelaySeconds ?? 1;
    const operation = this.store.updateOperation(this.arn, current.id, (draft) => {
      delete draft.error;
      delete draft.result;
      if (payload !== undefined) draft.result = payload;
      if (error) draft.error = error;
      if (update.ContextOptions?.ReplayChildren) draft.replayChildren = true;
      if (action === 'RETRY') {
        draft.status = 'PENDING';
        draft.dueAt = now + delay * 1000;
      } else {
        draft.status = action === 'SUCCEED' ? 'SUCCEEDED' : 'FAILED';
        draft.endedAt = now;
      }
    });
    this.recordEnd(operation, action === 'RETRY' ? delay : undefined, error);
    return operation;
  }

  private recordEnd(operation: DurableOperation, retryIn: number | undefined, error: ErrorObject | undefined): void {
    const { type, status, result, attempt = 1 } = operation;
    const succeeded = status === 'SUCCEEDED' || (retryIn !== undefined && !error);
    if (type === 'CONTEXT') {
      this.store.operationEvent(
        operation,
        succeeded
          ? { EventType: 'ContextSucceeded', ContextSucceededDetails: eventResult(result) }
          : { EventType: 'ContextFailed', ContextFailedDetails: eventError(error) },
      );
      return;
    }
    const RetryDetails = {
      CurrentAttempt: attempt,
      ...(retryIn !== undefined && { NextAttemptDelaySeconds: retryIn }),
    };
    this.store.operationEvent(
      operation,
      succeeded
        ? { EventType: 'StepSucceeded', StepSucceededDetails: { ...eventResult(result), RetryDetails } }
        : { EventType: 'StepFailed', StepFailedDetails: { ...eventError(error), RetryDetails } },
    );
  }

  /** Stores the result of the execution, which ends when its function returns. */
  private completeExecution({ Id, Action, Payload, Error: error }: OperationUpdate): DurableOperation {
    const [root] = this.store.operations(this.arn);
    if (Action !== 'SUCCEED' && Action !== 'FAIL')
      throw invalidParameterValue(`Action ${Action} is not valid for operation ${Id} of type EXECUTION.`);
    return this.store.updateOperation(this.arn, root!.id, (draft) => {
      draft.status = Action === 'SUCCEED' ? 'SUCCEEDED' : 'FAILED';
      if (Payload !== undefined) draft.result = Payload;
      if (error) draft.error = error;
      draft.endedAt = this.state.clock.now();
    });
  }
}
