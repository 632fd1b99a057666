import {
  type Collection,
  type DeepReadonly,
  DueTimers,
  type InterruptedWork,
  interruptedRecords,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { plainError } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { type ResolvedFunction, resolveFunction } from '../names.ts';
import type { LambdaState } from '../state.ts';
import type { AsyncEventRecord } from './async-events.ts';
import { type Condition, deliverResult } from './destinations.ts';
import { type Execution, type ExecutionRequest, Executor } from './executor.ts';
import { ExecutionHost } from './host.ts';

type AsyncEvent = DeepReadonly<AsyncEventRecord>;

/** Milliseconds before the first and second retry after a function error. */
const RETRY_DELAYS = [60_000, 120_000];
/** Milliseconds before the retry of a throttled event: initial and maximum. */
const THROTTLE_DELAY = { first: 1000, most: 300_000 };
const DEFAULT_RETRIES = 2;
/** Seconds. */
const DEFAULT_AGE = 21_600;
/** Maximum number and bytes of waiting events. */
const MAX_WAITING = 100_000;
const MAX_BYTES = 256 * 1024 * 1024;

const queues = new WeakMap<LambdaState, AsyncQueue>();

/**
 * Queue of asynchronous invocations: retries them as AWS does, then sends them to destinations or dead-letter queues.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async.html
 */
export class AsyncQueue implements Worker {
  private readonly events: Collection<AsyncEventRecord>;
  private readonly timers: DueTimers;
  private bytes = 0;
  private closed = false;

  private constructor(private readonly state: LambdaState) {
    this.events = state.asyncEvents;
    this.timers = new DueTimers(state.clock);
  }

  /** Returns the queue of a state. */
  static of(state: LambdaState): AsyncQueue {
    let queue = queues.get(state);
    if (!queue) {
      queue = new AsyncQueue(state);
      queues.set(state, queue);
    }
    return queue;
  }

  resume(): void {
    for (const event of this.events.values()) this.bytes += event.payload.length;
  }

  /** Continues with events accepted before a restart. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.events, {
      name: ({ requestId, functionName }) => `event ${requestId} for function ${functionName}`,
      resume: (event) => this.schedule(event),
      fail: (event) => this.giveUp(event),
    });
  }

  /** Drops an event, which goes to the destination for failures. */
  private async giveUp(event: AsyncEvent): Promise<void> {
    const { functionName, qualifier, failures } = event;
    let resolved: ResolvedFunction;
    try {
      resolved = resolveFunction(this.state, functionName, qualifier);
    } catch {
      this.remove(event);
      return;
    }
    await this.finish({ ...event, failures: failures + 1 }, resolved, 'RetriesExhausted', undefined);
  }

  close(): void {
    this.closed = true;
  }

  /**
   * Accepts an event for a function.
   * @throws AwsError `TooManyRequestsException` if the queue is full
   */
  accept(
    { name, qualifier }: ResolvedFunction,
    request: Omit<ExecutionRequest, 'invocationType' | 'tail' | 'signal' | 'sink' | 'cognitoIdentity'>,
  ): void {
    const { traceHeader, clientContext, tenantId, source, requestId, cause } = request;
    const payload = Buffer.from(request.payload).toString('base64');
    if (this.events.size >= MAX_WAITING || this.bytes + payload.length > MAX_BYTES)
      throw plainError('TooManyRequestsException', 'Rate Exceeded.', {
        members: { Type: 'User', Reason: 'FunctionInvocationRateLimitExceeded' },
      });
    const now = this.state.clock.now();
    this.bytes += payload.length;
    const event = this.events.put(requestId, {
      requestId,
      functionName: name,
      payload,
      source,
      receivedAt: now,
      dueAt: now,
      failures: 0,
      throttles: 0,
      ...(qualifier !== undefined && { qualifier }),
      ...(traceHeader !== undefined && { traceHeader }),
      ...(cause !== undefined && { cause }),
      ...(clientContext !== undefined && { clientContext }),
      ...(tenantId !== undefined && { tenantId }),
    });
    void this.schedule(event);
  }

  /** Resolves when a due event has been handled, and at once for others. */
  private schedule(event: AsyncEvent): Promise<void> {
    const { requestId, dueAt } = event;
    // Immediately, even if the clock stands still.
    if (dueAt <= this.state.clock.now()) return this.attempt(requestId);
    this.timers.set(requestId, dueAt, () => this.attempt(requestId));
    return Promise.resolve();
  }

  private async attempt(requestId: string): Promise<void> {
    const event = this.events.get(requestId);
    if (!event || this.closed) return;
    const { functionName, qualifier } = event;
    let resolved: ResolvedFunction;
    try {
      resolved = resolveFunction(this.state, functionName, qualifier);
    } catch {
      // The function, version or alias was deleted, so its events are dropped.
      this.remove(event);
      return;
    }
    const config = this.state.eventInvokeConfigs.get(`${functionName}:${qualifier ?? LATEST}`);
    const maxAge = (config?.maximumEventAgeInSeconds ?? DEFAULT_AGE) * 1000;
    if (this.state.clock.now() - event.receivedAt > maxAge)
      return this.finish(event, resolved, 'EventAgeExceeded', undefined);
    if (resolved.record.reservedConcurrency === 0)
      return this.finish(event, resolved, 'ZeroReservedConcurrency', undefined);
    const execution = await this.execute(event, resolved, maxAge);
    if (!execution || this.closed || !this.events.has(requestId)) return;
    if (execution.errorType === undefined) return this.finish(event, resolved, 'Success', execution);
    ExecutionHost.of(this.state.service).missingModules.failed(this.state, functionName, execution);
    const failures = event.failures + 1;
    const dueAt = this.state.clock.now() + (RETRY_DELAYS[event.failures] ?? RETRY_DELAYS.at(-1)!);
    const failed = { ...event, failures };
    if (failures > (config?.maximumRetryAttempts ?? DEFAULT_RETRIES))
      return this.finish(failed, resolved, 'RetriesExhausted', execution);
    if (dueAt - event.receivedAt > maxAge) return this.finish(failed, resolved, 'EventAgeExceeded', execution);
    this.postpone(event, { failures, throttles: 0, dueAt });
  }

  /** Invokes the function; undefined if it could not run, in which case the event is handled. */
  private async execute(event: AsyncEvent, resolved: ResolvedFunction, maxAge: number): Promise<Execution | undefined> {
    const { requestId, payload, traceHeader, clientContext, tenantId, source, cause } = event;
    try {
      return await Executor.of(this.state).execute(resolved, {
        requestId,
        cause,
        payload: Buffer.from(payload, 'base64'),
        traceHeader,
        source,
        invocationType: 'Event',
        tail: false,
        signal: () => NEVER_ABORTED,
        ...(clientContext !== undefined && { clientContext }),
        ...(tenantId !== undefined && { tenantId }),
      });
    } catch (error) {
      if (this.closed) return undefined;
      const code = error instanceof AwsError ? error.code : undefined;
      if (code === 'RecursiveInvocationException') {
        await this.finish(event, resolved, 'RecursiveInvocation', undefined);
        return undefined;
      }
      if (code !== 'TooManyRequestsException')
        this.state.log.warn(`an event for the function ${event.functionName} could not be handed to it`, { error });
      const delay = Math.min(THROTTLE_DELAY.most, THROTTLE_DELAY.first * 2 ** Math.min(event.throttles, 16));
      const dueAt = this.state.clock.now() + delay;
      if (dueAt - event.receivedAt > maxAge) await this.finish(event, resolved, 'EventAgeExceeded', undefined);
      else this.postpone(event, { throttles: event.throttles + 1, dueAt });
      return undefined;
    }
  }

  private postpone(event: AsyncEvent, change: Partial<AsyncEventRecord>): void {
    void this.schedule(this.events.put(event.requestId, { ...event, ...change }));
  }

  /** Delivers the result and removes the event. */
  private async finish(
    event: AsyncEvent,
    resolved: ResolvedFunction,
    condition: Condition,
    execution: Execution | undefined,
  ): Promise<void> {
    await deliverResult(this.state, resolved, event, condition, execution);
    this.remove(event);
  }

  private remove({ requestId, payload }: AsyncEvent): void {
    if (this.closed || !this.events.has(requestId)) return;
    this.events.delete(requestId);
    this.bytes -= payload.length;
  }
}

const NEVER_ABORTED = new AbortController().signal;
