import { type InterruptedWork, interruptedRecords, recordsBy, type Worker } from '@emu/core/service';
import type { ErrorObject, ExecutionStatus, Operation, OperationUpdate } from '@emu/service-types/lambda';
import { lambdaError } from '../errors.ts';
import { type ResolvedFunction, resolveFunction, routeInvocation } from '../names.ts';
import { durableExecutionType } from '../resources.ts';
import { type Execution, Executor } from '../runtime/executor.ts';
import type { LambdaState } from '../state.ts';
import { ActiveExecution } from './active.ts';
import {
  endEvent,
  errorOf,
  INVALID_OUTPUT,
  isPending,
  NOTHING_PENDING,
  readOutput,
  retentionOf,
  thrown,
} from './outcome.ts';
import type { DurableExecution, DurableOperation } from './records.ts';
import { invocationInput, shownOperation } from './shapes.ts';
import { DurableStore, eventError, eventResult } from './store.ts';
import { UpdateWriter } from './updates.ts';

const DAY = 86_400_000;
/** Default execution timeout in seconds. */
const DEFAULT_TIMEOUT = 86_400;
/** Maximum milliseconds between failed invocations. */
const MAX_BACKOFF = 300_000;
/** Immediate retries after a failure of the environment, rather than the handler. */
const IMMEDIATE_RETRIES = 3;

/** Returns the id at the end of an execution's ARN. */
const idOf = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

const engines = new WeakMap<LambdaState, DurableEngine>();

/**
 * Runs durable executions: invokes their functions, stores checkpoints, and invokes the functions again when awaited
 * operations complete.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-functions.html
 */
export class DurableEngine implements Worker {
  readonly store: DurableStore;
  private readonly active = new Map<string, ActiveExecution>();

  private constructor(private readonly state: LambdaState) {
    this.store = new DurableStore(state);
    state.onFunctionRemoved = (name) => this.discard(name);
  }

  /** Returns the engine of a state. */
  static of(state: LambdaState): DurableEngine {
    let engine = engines.get(state);
    if (!engine) {
      engine = new DurableEngine(state);
      engines.set(state, engine);
    }
    return engine;
  }

  /** Resumes executions of a previous process. */
  resume(): void {
    for (const execution of this.store.all()) if (execution.status !== 'RUNNING') this.scheduleExpiry(execution);
  }

  interrupted(): InterruptedWork[] {
    const { store } = this;
    return interruptedRecords(
      recordsBy(
        () => store.all(),
        ({ arn }) => arn,
        (arn) => store.get(arn),
      ),
      {
        name: ({ arn }) => `durable execution ${arn}`,
        isLeft: ({ status, arn }) => status === 'RUNNING' && !this.active.has(arn),
        resume: (execution) => {
          this.resumeExecution(execution);
          return undefined;
        },
        fail: ({ arn }, reason) =>
          this.finish(arn, 'FAILED', { error: { ErrorType: 'ExecutionFailed', ErrorMessage: reason } }),
      },
    );
  }

  close(): void {
    for (const active of this.active.values()) active.release();
    this.active.clear();
  }

  /**
   * Starts an execution, or returns the existing one with its name.
   * @param cause id of the request or execution that starts it
   * @throws AwsError `DurableExecutionAlreadyStartedException` for a different payload
   */
  start(resolved: ResolvedFunction, payload: string, wantedName: string | undefined, cause: string): DurableExecution {
    const { state, store } = this;
    const version = routeInvocation(resolved);
    const name = wantedName ?? state.ids.uuid();
    const functionName = resolved.record.name;
    const existing =
      wantedName === undefined
        ? undefined
        : [...store.all()].find((other) => other.functionName === functionName && other.name === name);
    if (existing) {
      if (existing.input === payload) return existing;
      throw lambdaError(
        'DurableExecutionAlreadyStartedException',
        `A durable execution with the name ${name} and another payload has already been started.`,
      );
    }
    const { ExecutionTimeout: timeout = DEFAULT_TIMEOUT } = version.config.durable!;
    const now = state.clock.now();
    const key = { name: functionName, version: version.version, execution: name, id: state.ids.uuid() };
    const arn = durableExecutionType.arn(key, state);
    const execution = store.add({
      arn,
      name,
      functionName,
      version: version.version,
      status: 'RUNNING',
      input: payload,
      cause,
      startedAt: now,
      timeoutAt: now + timeout * 1000,
      token: 0,
      failures: 0,
      events: 0,
    });
    store.event(arn, {
      EventType: 'ExecutionStarted',
      Name: name,
      ExecutionStartedDetails: { Input: { Payload: payload, Truncated: false }, ExecutionTimeout: timeout },
    });
    this.activate(execution);
    void this.invoke(arn);
    return execution;
  }

  /** Resolves when an execution has ended. */
  async ended(arn: string): Promise<DurableExecution | undefined> {
    const active = this.active.get(arn);
    await active?.ended();
    return this.store.get(arn);
  }

  /** Returns the currently valid checkpoint token. */
  tokenOf({ arn, token }: DurableExecution): string {
    return Buffer.from(`${idOf(arn)}:${token}`).toString('base64');
  }

  /**
   * Stores a checkpoint.
   * @returns the next token and the operations changed since the function's last update
   */
  checkpoint(arn: string, updates: readonly OperationUpdate[]): { token: string; operations: Operation[] } {
    const active = this.active.get(arn)!;
    for (const operation of this.write(arn, updates)) {
      active.unreported.add(operation.id);
      this.schedule(operation, active);
    }
    const execution = this.store.update(arn, (draft) => {
      draft.token++;
    });
    const operations = [...active.unreported].map((id) =>
      shownOperation(this.store.operation(arn, id)!, execution.input),
    );
    active.unreported.clear();
    active.wake = false;
    return { token: this.tokenOf(execution), operations };
  }

  /** Applies all updates atomically. */
  private write(arn: string, updates: readonly OperationUpdate[]): DurableOperation[] {
    const writer = new UpdateWriter(this.state, this.store, arn);
    const undo = this.store.savepoint(arn, new Set(updates.map(({ Id }) => Id)));
    try {
      // One batch may start and end an operation.
      const ids = new Set(updates.map((update) => writer.apply(update).id));
      return [...ids].map((id) => this.store.operation(arn, id)!);
    } catch (error) {
      undo();
      throw error;
    }
  }

  /**
   * Stops an execution.
   * @returns the time in epoch milliseconds
   */
  stop(arn: string, error: ErrorObject | undefined): number {
    const given = error ?? { ErrorType: 'ExecutionStopped', ErrorMessage: 'The durable execution was stopped.' };
    this.finish(arn, 'STOPPED', { error: given });
    return this.store.get(arn)!.endedAt!;
  }

  /** Completes an operation that waits for an external event, and continues the execution. */
  complete(
    { execution: arn, id }: DurableOperation,
    status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT',
    outcome: { result?: string; error?: ErrorObject },
  ): void {
    const active = this.active.get(arn);
    if (!active) return;
    const operation = this.store.updateOperation(arn, id, (draft) => {
      draft.status = status;
      draft.endedAt = this.state.clock.now();
      if (outcome.result !== undefined) draft.result = outcome.result;
      if (outcome.error) draft.error = outcome.error;
    });
    this.recordEnd(operation, outcome.error);
    this.changed(operation, active);
  }

  /** Records a heartbeat for a callback. */
  heartbeat({ execution: arn, id }: DurableOperation): void {
    const active = this.active.get(arn);
    if (!active) return;
    const operation = this.store.updateOperation(arn, id, (draft) => {
      if (draft.heartbeatSeconds !== undefined)
        draft.heartbeatAt = this.state.clock.now() + draft.heartbeatSeconds * 1000;
    });
    this.schedule(operation, active);
  }

  /** Removes the executions of a deleted function. */
  private discard(functionName: string): void {
    for (const { arn, functionName: other } of [...this.store.all()])
      if (other === functionName) {
        this.release(arn);
        this.store.remove(arn);
      }
  }

  private activate(execution: DurableExecution): ActiveExecution {
    const active = new ActiveExecution(this.state.clock);
    this.active.set(execution.arn, active);
    active.at(execution.timeoutAt, 'timeout', () => {
      const seconds = (execution.timeoutAt - execution.startedAt) / 1000;
      const error = {
        ErrorType: 'ExecutionTimedOut',
        ErrorMessage: `The execution timed out after ${seconds} seconds.`,
      };
      this.finish(execution.arn, 'TIMED_OUT', { error });
    });
    return active;
  }

  private resumeExecution(execution: DurableExecution): void {
    const active = this.activate(execution);
    for (const operation of this.store.operations(execution.arn)) this.schedule(operation, active);
    // Runs after all states of the service are loaded: executions invoke functions of other accounts.
    active.at(this.state.clock.now(), 'retry', () => void this.invoke(execution.arn));
  }

  /** Releases the transient state of an ended execution. */
  private release(arn: string): void {
    const active = this.active.get(arn);
    if (!active) return;
    this.active.delete(arn);
    active.release();
  }

  /** Sets the timers of an operation, or starts its invocation. */
  private schedule(operation: DurableOperation, active: ActiveExecution): void {
    const { id, type, status, dueAt, heartbeatAt, endedAt } = operation;
    active.cancel(id);
    if (endedAt !== undefined || type === 'EXECUTION') return;
    if (type === 'CHAINED_INVOKE') {
      void this.chain(operation);
      return;
    }
    const due = Math.min(dueAt ?? Number.POSITIVE_INFINITY, heartbeatAt ?? Number.POSITIVE_INFINITY);
    if (due !== Number.POSITIVE_INFINITY && !(type === 'STEP' && status !== 'PENDING'))
      active.at(due, id, () => this.due(operation));
  }

  private due(operation: DurableOperation): void {
    const { execution: arn, id, type, dueAt } = operation;
    const active = this.active.get(arn);
    if (!active) return;
    if (type === 'WAIT') this.complete(operation, 'SUCCEEDED', {});
    else if (type === 'STEP') {
      const ready = this.store.updateOperation(arn, id, (draft) => {
        draft.status = 'READY';
      });
      this.changed(ready, active);
    } else {
      const heartbeat = dueAt === undefined || dueAt > this.state.clock.now();
      const error = {
        ErrorType: heartbeat ? 'Callback.Heartbeat' : 'Callback.Timeout',
        ErrorMessage: heartbeat ? 'The callback missed its heartbeat.' : 'The callback timed out.',
      };
      this.complete(operation, 'TIMED_OUT', { error });
    }
  }

  /** Notifies the function of an operation: at its next checkpoint, or by invoking it. */
  private changed({ execution: arn, id }: DurableOperation, active: ActiveExecution): void {
    active.cancel(id);
    active.unreported.add(id);
    active.wake = true;
    if (!active.invoking && !active.retries) void this.invoke(arn);
  }

  /** Invokes the function of a chained operation. */
  private async chain(operation: DurableOperation): Promise<void> {
    // Runs after the response to the checkpoint that requests it.
    await Promise.resolve();
    try {
      const target = resolveFunction(this.state, operation.functionName!);
      const payload = operation.payload!;
      if (routeInvocation(target).config.durable) {
        const engine = DurableEngine.of(target.state);
        // With the same name, a retry after a restart finds the first execution.
        const name = `${idOf(operation.execution)}-${operation.id}`.slice(-64);
        const ended = await engine.ended(engine.start(target, payload, name, idOf(operation.execution)).arn);
        const succeeded = ended?.status === 'SUCCEEDED';
        this.complete(operation, succeeded ? 'SUCCEEDED' : 'FAILED', {
          ...(ended?.result !== undefined && { result: ended.result }),
          ...(ended?.error && { error: structuredClone(ended.error) as ErrorObject }),
        });
        return;
      }
      const { errorType, payload: answer } = await this.execute(target, payload, idOf(operation.execution));
      if (errorType === undefined) this.complete(operation, 'SUCCEEDED', { result: Buffer.from(answer).toString() });
      else this.complete(operation, 'FAILED', { error: errorOf(Buffer.from(answer).toString(), errorType) });
    } catch (error) {
      this.complete(operation, 'FAILED', { error: thrown(error) });
    }
  }

  private execute(target: ResolvedFunction, payload: string, cause: string | undefined): Promise<Execution> {
    return Executor.of(target.state).execute(target, {
      requestId: this.state.ids.uuid(),
      cause,
      payload: Buffer.from(payload),
      traceHeader: undefined,
      source: 'lambda:DurableExecution',
      invocationType: 'RequestResponse',
      tail: false,
      signal: () => new AbortController().signal,
    });
  }

  /** Invokes an execution's function with the current operations. */
  private async invoke(arn: string): Promise<void> {
    const active = this.active.get(arn);
    if (!active || active.invoking) return;
    active.invoking = true;
    active.wake = false;
    active.unreported.clear();
    const started = this.state.clock.now();
    const execution = this.store.update(arn, (draft) => {
      draft.token++;
    });
    const operations = this.store.visible(arn).map((operation) => shownOperation(operation, execution.input));
    let outcome: { answer: string; error?: ErrorObject };
    try {
      const target = resolveFunction(this.state, execution.functionName, execution.version);
      const { payload, errorType } = await this.execute(
        target,
        invocationInput(arn, this.tokenOf(execution), operations),
        execution.cause,
      );
      const answer = Buffer.from(payload).toString();
      outcome = errorType === undefined ? { answer } : { answer, error: errorOf(answer, errorType) };
    } catch (error) {
      outcome = { answer: '', error: thrown(error) };
    }
    if (this.active.get(arn) !== active) return;
    active.invoking = false;
    this.store.event(arn, {
      EventType: 'InvocationCompleted',
      InvocationCompletedDetails: {
        StartTimestamp: new Date(started),
        EndTimestamp: new Date(this.state.clock.now()),
        RequestId: this.state.ids.uuid(),
        ...(outcome.error && eventError(outcome.error)),
      },
    });
    if (outcome.error) this.retry(arn, active, outcome.error);
    else this.conclude(arn, active, outcome.answer);
  }

  /** Schedules an invocation after a failure, with increasing delays. */
  private retry(arn: string, active: ActiveExecution, { ErrorType: type = '' }: ErrorObject): void {
    const { failures } = this.store.update(arn, (draft) => {
      draft.failures++;
    });
    const environment = /^(?:Runtime|Sandbox|Extension)\./.test(type) && type !== 'Sandbox.Timedout';
    const wait =
      environment && failures <= IMMEDIATE_RETRIES ? 0 : Math.min(1000 * 2 ** Math.min(failures, 20), MAX_BACKOFF);
    active.at(this.state.clock.now() + wait, 'retry', () => void this.invoke(arn));
  }

  /** Applies the function's response. */
  private conclude(arn: string, active: ActiveExecution, answer: string): void {
    const output = readOutput(answer);
    const [root] = this.store.operations(arn);
    if (output?.Status === 'SUCCEEDED') {
      const result = output.Result || root?.result;
      this.finish(arn, 'SUCCEEDED', result === undefined ? {} : { result });
    } else if (output?.Status === 'FAILED')
      this.finish(arn, 'FAILED', { error: output.Error ?? (root?.error as ErrorObject | undefined) ?? {} });
    else if (output?.Status === 'PENDING') {
      if (active.wake) void this.invoke(arn);
      else if (!this.store.operations(arn).some(isPending)) this.finish(arn, 'FAILED', { error: NOTHING_PENDING });
      else
        this.store.update(arn, (draft) => {
          draft.failures = 0;
        });
    } else this.finish(arn, 'FAILED', { error: INVALID_OUTPUT });
  }

  private finish(arn: string, status: ExecutionStatus, outcome: { result?: string; error?: ErrorObject }): void {
    const { result, error } = outcome;
    const now = this.state.clock.now();
    const current = this.store.get(arn);
    if (current?.status !== 'RUNNING') return;
    const version = this.state.versions.get(`${current.functionName}:${current.version}`);
    const execution = this.store.update(arn, (draft) => {
      draft.status = status;
      draft.endedAt = now;
      draft.expiresAt = now + retentionOf(version) * DAY;
      draft.token++;
      if (result !== undefined) draft.result = result;
      if (error) draft.error = error;
    });
    this.store.event(arn, endEvent(status, result, error));
    this.release(arn);
    this.scheduleExpiry(execution);
  }

  private scheduleExpiry({ arn, expiresAt }: DurableExecution): void {
    if (expiresAt === undefined) return;
    this.state.clock.at(expiresAt, () => {
      if (this.store.get(arn)?.expiresAt === expiresAt) this.store.remove(arn);
    });
  }

  private recordEnd(operation: DurableOperation, error: ErrorObject | undefined): void {
    const { type, status, result, seconds } = operation;
    if (type === 'WAIT')
      this.store.operationEvent(operation, { EventType: 'WaitSucceeded', WaitSucceededDetails: { Duration: seconds } });
    const kind = type === 'CALLBACK' ? 'Callback' : 'ChainedInvoke';
    if (type !== 'CALLBACK' && type !== 'CHAINED_INVOKE') return;
    if (status === 'SUCCEEDED')
      this.store.operationEvent(operation, {
        EventType: `${kind}Succeeded`,
        [`${kind}SucceededDetails`]: eventResult(result),
      });
    else {
      const end = status === 'TIMED_OUT' ? 'TimedOut' : 'Failed';
      this.store.operationEvent(operation, {
        EventType: `${kind}${end}`,
        [`${kind}${end}Details`]: eventError(error),
      });
    }
  }
}
