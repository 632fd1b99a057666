import type { Worker } from '@emu/core';
import { awsError } from '@emu/wire';
import { lambdaError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type ResolvedFunction, routeInvocation } from '../names.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import type { Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import type { EnvironmentLog } from './environment-log.ts';
import { FunctionLogs } from './function-logs.ts';
import { FunctionPool, initializationType, type Slot } from './function-pool.ts';
import { ExecutionHost } from './host.ts';
import type { Invocation, Outcome, ResponseSink } from './invocation.ts';
import { InvocationRecords } from './invocation-records.ts';
import { endReport, startLine } from './report.ts';
import { extendTrace, RECURSION_LIMIT } from './trace-header.ts';

/** An invocation to run. */
export interface ExecutionRequest extends Omit<Invocation, 'traceHeader' | 'functionArn'> {
  /** Id of what caused it; undefined for a request from outside. */
  cause?: string | undefined;
  /** Trace header of the caller, if any. */
  traceHeader: string | undefined;
  invocationType: 'RequestResponse' | 'Event';
  /** What caused it, e.g. `lambda:Invoke`. */
  source: string;
  /** Whether the end of the log is wanted. */
  tail: boolean;
  /** Takes a streamed response. */
  sink?: ResponseSink;
  /** Makes the signal that gives up waiting for an environment; asked for it only where it must wait. */
  signal: () => AbortSignal;
}

/** What an invocation came to. */
export interface Execution extends Outcome {
  executedVersion: string;
  /** The last 4 KB of the log, where wanted. */
  tail?: Buffer;
  traceHeader: string;
}

/**
 * A moment in which a runtime that has answered usually asks for more, so that the next invocation of a client that
 * makes one after the other finds its environment free.
 */
const breath = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 5).unref();
  });

const executors = new WeakMap<LambdaState, Executor>();

/** Runs the functions of one account and region. */
export class Executor implements Worker {
  readonly records = new InvocationRecords();
  readonly logs: FunctionLogs;
  private readonly pools = new Map<string, FunctionPool>();
  private readonly running = new Map<string, number>();
  private readonly host: ExecutionHost;
  private total = 0;

  private constructor(private readonly state: LambdaState) {
    this.host = ExecutionHost.of(state.service);
    this.logs = new FunctionLogs(state.call, state.log);
    state.onVersionsChanged = (name) => void this.evict(name, true);
  }

  /** The executor of a state. */
  static of(state: LambdaState): Executor {
    let executor = executors.get(state);
    if (!executor) {
      executor = new Executor(state);
      executors.set(state, executor);
    }
    return executor;
  }

  /** The environments that are up, by function. */
  *environments(): Iterable<{ functionName: string; slot: Slot }> {
    for (const [functionName, pool] of this.pools) for (const slot of pool.slots) yield { functionName, slot };
  }

  /** Ends the idle environments of a function, all or those whose version has changed. @returns how many */
  async evict(functionName: string, outdatedOnly = false): Promise<number> {
    return (await this.pools.get(functionName)?.evict(outdatedOnly)) ?? 0;
  }

  /** Ends every environment; invocations that run or wait fail. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
    this.pools.clear();
  }

  /**
   * Runs a function.
   * @throws AwsError `TooManyRequestsException`, `RecursiveInvocationException`, `InvalidRuntimeException`,
   *   `ServiceException`
   */
  async execute(resolved: ResolvedFunction, request: ExecutionRequest): Promise<Execution> {
    const { state } = this;
    const { name, record } = resolved;
    const { runs, header } = extendTrace(request.traceHeader, state.functionArn(name), state.clock, state.ids);
    if (runs > RECURSION_LIMIT && record.recursiveLoop === 'Terminate')
      throw lambdaError(
        'RecursiveInvocationException',
        'AWS Lambda has detected your function being invoked in a recursive loop with other AWS resources and has stopped it.',
      );
    const version = routeInvocation(resolved);
    const finish = this.begin(name, record.reservedConcurrency);
    let settled: Promise<void> | undefined;
    try {
      const run = await this.runVersion(resolved, version, request, header);
      settled = run.settled;
      await (request.tail ? settled : Promise.race([settled, breath()]));
      const { log, outcome } = run;
      return {
        ...outcome,
        executedVersion: version.version,
        traceHeader: header,
        ...(request.tail && { tail: log.takeTail() }),
      };
    } finally {
      if (settled) void settled.then(finish);
      else finish();
    }
  }

  /** The provisioned concurrency that an invocation uses: that of its version or alias, as long as some of it is free. */
  private provisionOf({ name, qualifier }: ResolvedFunction, pool: FunctionPool): string | undefined {
    const key = `${name}:${qualifier}`;
    const provisioned = this.state.provisioned.get(key);
    return provisioned && pool.busyOf(key) < provisioned.requested ? key : undefined;
  }

  private async runVersion(
    resolved: ResolvedFunction,
    version: Version,
    request: ExecutionRequest,
    traceHeader: string,
  ): Promise<{ outcome: Outcome; settled: Promise<void>; log: EnvironmentLog }> {
    const { state, logs, host } = this;
    const { name, qualifier } = resolved;
    const { requestId, sink, payload } = request;
    const timestamp = state.clock.now();
    const pool = this.poolOf(name);
    const { clientContext, cognitoIdentity, tenantId } = request;
    const key = {
      version: version.version,
      contentId: version.contentId,
      provision: this.provisionOf(resolved, pool),
    };
    const start = () => host.start(state, version, { logs, requestId, initialization: initializationType(key) });
    const lease = await pool.acquire(key, start, request.signal);
    const started = performance.now();
    const functionArn = state.functionArn(name, qualifier);
    const record = (outcome: Outcome, coldStart: boolean): void =>
      this.records.add({
        requestId,
        cause: request.cause,
        functionName: name,
        functionArn,
        version: version.version,
        invocationType: request.invocationType,
        source: request.source,
        payload,
        response: outcome.streamed ? undefined : outcome.payload,
        functionError: outcome.errorType === undefined ? undefined : 'Unhandled',
        duration: performance.now() - started,
        coldStart,
        timestamp,
      });
    const report = { requestId, memorySize: version.config.memorySize };
    if ('failure' in lease) {
      const { failure: outcome, log } = lease;
      log.platform(startLine(requestId, version.version));
      const time = state.clock.now();
      endReport(log, { ...report, outcome, duration: 0, peakMemory: undefined, initDuration: undefined, time });
      record(outcome, true);
      return { outcome, settled: Promise.resolve(), log };
    }
    const { environment, slot, cold } = lease;
    const { log } = environment;
    const invocation: Invocation = { requestId, functionArn, payload, traceHeader };
    if (clientContext !== undefined) invocation.clientContext = clientContext;
    if (cognitoIdentity !== undefined) invocation.cognitoIdentity = cognitoIdentity;
    if (tenantId !== undefined) invocation.tenantId = tenantId;
    const run = environment.run(invocation, sink, () => {
      log.begin(requestId, request.tail);
      log.platform(startLine(requestId, version.version));
    });
    const outcome = await run.outcome;
    if (!run.delivered() && !cold) {
      // It died while it was warm and before it knew of this invocation: another one takes it.
      await run.settled;
      pool.release(slot);
      return this.runVersion(resolved, version, request, traceHeader);
    }
    const settled = run.settled.then(() => {
      log.flush();
      endReport(log, {
        ...report,
        outcome,
        duration: performance.now() - started,
        peakMemory: environment.peakMemory(),
        initDuration: cold ? environment.initDuration : undefined,
        time: state.clock.now(),
      });
      pool.release(slot);
    });
    record(outcome, cold);
    return { outcome, settled, log };
  }

  /** Counts an invocation. @returns what to call at its end */
  private begin(name: string, reserved: number | undefined): () => void {
    const running = this.running.get(name) ?? 0;
    const throttled = (Reason: string): Error =>
      awsError('TooManyRequestsException', 'Rate Exceeded.', { members: { Type: 'User', Reason } });
    if (reserved !== undefined && running >= reserved)
      throw throttled('ReservedFunctionConcurrentInvocationLimitExceeded');
    if (this.total >= LIMITS.concurrentExecutions) throw throttled('ConcurrentInvocationLimitExceeded');
    this.running.set(name, running + 1);
    this.total++;
    return () => {
      this.total--;
      const left = this.running.get(name)! - 1;
      if (left > 0) this.running.set(name, left);
      else this.running.delete(name);
    };
  }

  private poolOf(name: string): FunctionPool {
    let pool = this.pools.get(name);
    if (!pool) {
      const { state } = this;
      const limit = state.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_MAX_CONCURRENCY;
      pool = new FunctionPool(
        state.clock,
        () => Math.min(limit, Math.max(1, state.functions.get(name)?.reservedConcurrency ?? limit)),
        ({ version, contentId, provision }) =>
          state.versions.get(`${name}:${version}`)?.contentId === contentId &&
          (provision === undefined || state.provisioned.has(provision)),
      );
      this.pools.set(name, pool);
    }
    return pool;
  }
}
