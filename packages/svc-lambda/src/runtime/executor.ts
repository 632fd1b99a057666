import { logWriter, metricsOf, type RegionMetrics, type Worker } from '@emu/core/service';
import { awsError } from '@emu/wire';
import { functionNotFound, lambdaError } from '../errors.ts';
import { stampOf } from '../hot-reload.ts';
import { type ResolvedFunction, resolveFunction, routeInvocation } from '../names.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import { CONCURRENCY } from '../quotas.ts';
import type { Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import type { RunningInvocation } from './chains.ts';
import type { EnvironmentLog } from './environment-log.ts';
import { FunctionLogs } from './function-logs.ts';
import { FunctionPool, initializationType, type Slot } from './function-pool.ts';
import { ExecutionHost } from './host.ts';
import type { Invocation, Outcome, ResponseSink } from './invocation.ts';
import { invocationRecords } from './invocation-records.ts';
import { endReport, startLine } from './report.ts';
import { Sampling } from './sampling.ts';
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

/** Where an invocation is in a chain of requests. */
interface Chain {
  traceHeader: string;
  /** Where X-Ray would have it; undefined where it is not sampled. */
  trace: { root: string; segment: string } | undefined;
  /** Whether it is waited for by one that keeps an environment of the same function. */
  mayExceed: () => boolean;
}

/** The start of environments that were provisioned. */
interface Provisioning {
  done: boolean;
  /** Why not all of them are there. */
  failure?: string;
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

/** Versions whose directories are remembered at most. */
const MOST_CONTENTS = 1000;

const executors = new WeakMap<LambdaState, Executor>();

/** Runs the functions of one account and region. */
export class Executor implements Worker {
  readonly records = invocationRecords();
  readonly logs: FunctionLogs;
  private readonly pools = new Map<string, FunctionPool>();
  private readonly running = new Map<string, number>();
  private readonly provisioning = new Map<string, Provisioning>();
  /** Of versions whose code is in a directory, by their content's id: what it was when they ran last. */
  private readonly contents = new Map<string, string>();
  private readonly host: ExecutionHost;
  private readonly reported: RegionMetrics | undefined;
  private readonly sampling: Sampling;
  private total = 0;

  private constructor(private readonly state: LambdaState) {
    this.host = ExecutionHost.of(state.service);
    this.reported = metricsOf(state.service, state.accountId, state.region);
    this.logs = new FunctionLogs(state, () => state.service.capability(logWriter), state.log);
    this.sampling = new Sampling(state.clock, state.ids);
    state.onVersionsChanged = (name) => {
      void this.evict(name, true);
      for (const [key, { functionName }] of state.provisioned.entries()) if (functionName === name) this.provision(key);
    };
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

  resume(): void {
    for (const key of this.state.provisioned.keys()) this.provision(key);
  }

  /** Starts the environments of a provisioned concurrency, as many as are not there yet. @param key of its record */
  provision(key: string): void {
    const { state, logs, host } = this;
    const record = state.provisioned.get(key);
    if (!record) return;
    const { name, version } = resolveFunction(state, record.functionName, record.qualifier);
    const wanted = { version: version.version, contentId: this.contentOf(version), provision: key };
    const initialization = initializationType(wanted);
    const start = () => host.start(state, version, { logs, requestId: state.ids.uuid(), initialization });
    const progress: Provisioning = { done: false };
    this.provisioning.set(key, progress);
    void this.poolOf(name)
      .keep(wanted, record.requested, start)
      .then((failure) => {
        if (failure) progress.failure = 'FUNCTION_ERROR_INIT_FAILURE';
      })
      .catch((error: Error) => {
        progress.failure = error.message;
      })
      .finally(() => {
        progress.done = true;
      });
  }

  /** How far a provisioned concurrency has come. @param key of its record */
  provisionedState(key: string, functionName: string): { ready: number; done: boolean; failure?: string } {
    const ready = this.pools.get(functionName)?.readyOf(key) ?? 0;
    return { ready, done: false, ...this.provisioning.get(key) };
  }

  /** Ends the idle environments of a function, all or those whose version has changed. @returns how many */
  async evict(functionName: string, outdatedOnly = false): Promise<number> {
    return (await this.pools.get(functionName)?.evict(outdatedOnly)) ?? 0;
  }

  /** Ends every environment; invocations that run or wait fail. */
  async close(): Promise<void> {
    // At once: what is not with CloudWatch Logs when that closes is lost.
    const flushed = this.logs.flushed();
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
    await flushed;
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
    const functionArn = state.functionArn(name);
    const { chains } = this.host;
    const version = routeInvocation(resolved);
    const sample = version.config.tracingMode === 'Active' ? () => this.sampling.sample() : undefined;
    const { runs, header, root, segment } = extendTrace(request.traceHeader, functionArn, state, sample);
    // Clients that do not hand the header on are known by their credentials.
    const depth = Math.max(runs, chains.runsOf(functionArn, request.cause) + 1);
    if (depth > RECURSION_LIMIT && record.recursiveLoop === 'Terminate')
      throw lambdaError(
        'RecursiveInvocationException',
        'AWS Lambda has detected your function being invoked in a recursive loop with other AWS resources and has stopped it.',
      );
    const finish = this.begin(resolved);
    const awaited = request.invocationType === 'RequestResponse';
    const link: RunningInvocation = { functionArn, cause: request.cause, trace: root, again: runs > 1, awaited };
    const leave = chains.begin(request.requestId, link);
    let settled: Promise<void> | undefined;
    try {
      const run = await this.runVersion(resolved, version, request, {
        traceHeader: header,
        trace: segment === undefined ? undefined : { root, segment },
        mayExceed: () => chains.waitsFor(link),
      });
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
      leave();
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
    chain: Chain,
  ): Promise<{ outcome: Outcome; settled: Promise<void>; log: EnvironmentLog }> {
    const { state, logs, host } = this;
    const { name, qualifier } = resolved;
    const { requestId, sink, payload } = request;
    const { traceHeader, trace, mayExceed } = chain;
    const timestamp = state.clock.now();
    const pool = this.poolOf(name);
    await this.noticeChanges(version);
    const { clientContext, cognitoIdentity, tenantId } = request;
    const key = {
      version: version.version,
      contentId: this.contentOf(version),
      provision: this.provisionOf(resolved, pool),
    };
    const start = () =>
      host.start(state, version, { logs, requestId, initialization: initializationType(key) }).catch((error) => {
        // Its package goes with a function that is deleted while it starts.
        throw state.functions.has(name) ? error : functionNotFound(state.functionArn(name, qualifier));
      });
    const lease = await pool.acquire(key, start, { signal: request.signal, mayExceed });
    const started = performance.now();
    const functionArn = state.functionArn(name, qualifier);
    const record = (outcome: Outcome, coldStart: boolean): void => {
      const duration = performance.now() - started;
      this.report(resolved, { duration, failed: outcome.errorType !== undefined });
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
        duration,
        coldStart,
        timestamp,
      });
    };
    const report = { requestId, memorySize: version.config.memorySize, trace };
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
      return this.runVersion(resolved, version, request, chain);
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
  private begin(resolved: ResolvedFunction): () => void {
    const { name, record } = resolved;
    const { reservedConcurrency: reserved } = record;
    const running = this.running.get(name) ?? 0;
    const throttled = (Reason: string): Error => {
      this.report(resolved, 'throttled');
      return awsError('TooManyRequestsException', 'Rate Exceeded.', { members: { Type: 'User', Reason } });
    };
    if (reserved !== undefined && running >= reserved)
      throw throttled('ReservedFunctionConcurrentInvocationLimitExceeded');
    const { service, accountId, region } = this.state;
    if (this.total >= service.quotaLimit(CONCURRENCY, accountId, region))
      throw throttled('ConcurrentInvocationLimitExceeded');
    this.running.set(name, running + 1);
    this.total++;
    return () => {
      this.total--;
      const left = this.running.get(name)! - 1;
      if (left > 0) this.running.set(name, left);
      else this.running.delete(name);
    };
  }

  /**
   * Reports an invocation's metrics, of the function and of the version or alias that was called.
   * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
   */
  private report(
    { name, qualifier }: ResolvedFunction,
    run: { duration: number; failed: boolean } | 'throttled',
  ): void {
    if (!this.reported) return;
    const now = this.state.clock.now();
    const resource = qualifier === undefined || qualifier === '$LATEST' ? name : `${name}:${qualifier}`;
    for (const dimensions of [{ FunctionName: name }, { FunctionName: name, Resource: resource }]) {
      const metrics = this.reported.resource('AWS/Lambda', dimensions);
      metrics.add('Throttles', run === 'throttled' ? 1 : 0, now);
      if (run === 'throttled') continue;
      metrics.add('Invocations', 1, now);
      metrics.add('Errors', run.failed ? 1 : 0, now);
      metrics.add('Duration', run.duration, now, 'Milliseconds');
      metrics.add('ConcurrentExecutions', this.running.get(name) ?? 0, now);
    }
  }

  /** Whether an alias or version leads to a version. @param key of its record */
  private leadsTo(key: string, version: string): boolean {
    const alias = this.state.aliases.get(key);
    return !alias || alias.version === version || version in alias.weights;
  }

  /** What tells the code and configuration of a version from others; the files of a directory count as well. */
  private contentOf({ contentId }: Version): string {
    return this.contents.get(contentId) ?? contentId;
  }

  /** Looks whether the files of a directory have changed, from which a version has its code. */
  private async noticeChanges({ functionName, contentId, code: { directory } }: Version): Promise<void> {
    if (directory === undefined) return;
    // Where it is gone, the start of an environment says so.
    const stamp = await stampOf(directory).catch(() => 'gone');
    const known = this.contents.get(contentId);
    const content = `${contentId} ${stamp}`;
    if (known === content) return;
    // What is forgotten here only costs a new environment.
    if (this.contents.size > MOST_CONTENTS) this.contents.clear();
    this.contents.set(contentId, content);
    if (known !== undefined) await this.evict(functionName, true);
  }

  private poolOf(name: string): FunctionPool {
    let pool = this.pools.get(name);
    if (!pool) {
      const { state } = this;
      const limit = state.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_MAX_CONCURRENCY;
      pool = new FunctionPool(
        state.clock,
        () => Math.min(limit, Math.max(1, state.functions.get(name)?.reservedConcurrency ?? limit)),
        ({ version, contentId, provision }) => {
          const current = state.versions.get(`${name}:${version}`);
          if (!current || this.contentOf(current) !== contentId) return false;
          return provision === undefined || (state.provisioned.has(provision) && this.leadsTo(provision, version));
        },
      );
      this.pools.set(name, pool);
    }
    return pool;
  }
}
