import {
  type InterruptedWork,
  interruptedRecords,
  logWriter,
  metricsOf,
  type RegionMetrics,
  type Worker,
} from '@emu/core/service';
import type { StateReasonCode } from '@emu/service-types/lambda';
import { AwsError, asString, isObject, jsonOrText } from '@emu/wire';
import { stampOf } from '../code/hot-reload.ts';
import { conflict, functionNotFound, lambdaError, plainError, snapStartNotReady } from '../errors.ts';
import { type ResolvedFunction, resolveFunction, routeInvocation } from '../names.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import { CONCURRENCY } from '../quotas.ts';
import type { SnapshotRecord, Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import type { RunningInvocation } from './chains.ts';
import type { Environment, InitializationType } from './environment.ts';
import type { EnvironmentLog } from './environment-log.ts';
import { FunctionLogs } from './function-logs.ts';
import { type EnvironmentKey, FunctionPool, type Slot } from './function-pool.ts';
import { ExecutionHost } from './host.ts';
import type { Invocation, Outcome, ResponseSink } from './invocation.ts';
import { invocationRecords } from './invocation-records.ts';
import { endReport, startLine } from './report.ts';
import { Sampling } from './sampling.ts';
import { extendTrace, RECURSION_LIMIT } from './trace-header.ts';

/** An invocation request. */
export interface ExecutionRequest extends Omit<Invocation, 'traceHeader' | 'functionArn'> {
  /** Id of its cause; undefined for an external request. */
  cause?: string | undefined;
  /** The caller's trace header, if any. */
  traceHeader: string | undefined;
  invocationType: 'RequestResponse' | 'Event';
  /** Its origin, e.g. `lambda:Invoke`. */
  source: string;
  /** Whether to return the tail of the log. */
  tail: boolean;
  /** Receives a streamed response. */
  sink?: ResponseSink;
  /** Creates the signal that cancels waiting for an environment; called only if it must wait. */
  signal: () => AbortSignal;
}

/** Position of an invocation in a chain of requests. */
interface Chain {
  traceHeader: string;
  /** Trace segment for X-Ray; undefined if not sampled. */
  trace: { root: string; segment: string } | undefined;
  /** Whether a waiting caller occupies an environment of the same function. */
  mayExceed: () => boolean;
}

/** Startup of provisioned environments. */
interface Provisioning {
  done: boolean;
  /** Reason why some are missing. */
  failure?: string;
}

/** Result of an invocation. */
export interface Execution extends Outcome {
  executedVersion: string;
  /** Last 4 KB of the log, if requested. */
  tail?: Buffer;
  traceHeader: string;
}

/**
 * Waits for a moment in which a runtime usually requests its next invocation, so that a client with sequential
 * invocations finds its environment free.
 */
const breath = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 5).unref();
  });

/** Milliseconds for which requests wait for the snapshot of a published version. */
const SNAPSHOT_PATIENCE = 10_000;

/** Reason codes of failed snapshots by the type of the error; others are errors of the runtime's initialization. */
const SNAPSHOT_FAILURES: Readonly<Record<string, StateReasonCode>> = {
  'Sandbox.Timedout': 'FunctionError.InitTimeout',
  'Runtime.InvalidEntrypoint': 'FunctionError.InvalidEntryPoint',
  'Runtime.OutOfMemory': 'FunctionError.InitResourceExhausted',
};

/** Returns the initialization type of an environment. */
function initializationOf({ snapshot }: Version, { provision }: EnvironmentKey): InitializationType {
  if (provision !== undefined) return 'provisioned-concurrency';
  return snapshot ? 'snap-start' : 'on-demand';
}

/** Maximum number of versions whose directory fingerprints are stored. */
const MAX_CONTENTS = 1000;

/** Maximum number of characters of a failure's reason. */
const MAX_REASON = 1000;

/** Returns the failure of a snapshot because of a failed initialization. */
function failedSnapshot({ errorType = '', payload }: Outcome): SnapshotRecord {
  const error = jsonOrText(payload.toString());
  const message = (isObject(error) && asString(error.errorMessage)) || errorType;
  const reasonCode = SNAPSHOT_FAILURES[errorType] ?? 'FunctionError.RuntimeInitError';
  return { state: 'Failed', reason: `Function initialization failed: ${message}`.slice(0, MAX_REASON), reasonCode };
}

/** Resolves after real time, as code runs on the real machine. */
const patience = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

const executors = new WeakMap<LambdaState, Executor>();

/** Runs the functions of one account and region. */
export class Executor implements Worker {
  readonly records = invocationRecords();
  readonly logs: FunctionLogs;
  private readonly pools = new Map<string, FunctionPool>();
  private readonly running = new Map<string, number>();
  private readonly provisioning = new Map<string, Provisioning>();
  /** Snapshots that are being taken, by the key of the version. */
  private readonly snapshots = new Map<string, Promise<void>>();
  /** Last fingerprints of code directories, by content id of the version. */
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
    state.onSnapshotNeeded = (key) => void this.takeSnapshot(key);
    state.onVersionsChanged = (name) => {
      void this.evict(name, true);
      for (const [key, { functionName }] of state.provisioned.entries()) if (functionName === name) this.provision(key);
    };
  }

  /** Returns the executor of a state. */
  static of(state: LambdaState): Executor {
    let executor = executors.get(state);
    if (!executor) {
      executor = new Executor(state);
      executors.set(state, executor);
    }
    return executor;
  }

  /** Yields the running environments by function. */
  *environments(): Iterable<{ functionName: string; slot: Slot }> {
    for (const [functionName, pool] of this.pools) for (const slot of pool.slots) yield { functionName, slot };
  }

  interrupted(): InterruptedWork[] {
    return [...this.interruptedSnapshots(), ...this.interruptedProvisioning()];
  }

  private interruptedSnapshots(): InterruptedWork[] {
    return interruptedRecords(this.state.versions, {
      name: (_, key) => `snapshot of the version ${key}`,
      isLeft: ({ snapshot }, key) => snapshot?.state === 'Pending' && !this.snapshots.has(key),
      resume: (_, key) => this.takeSnapshot(key),
      fail: (_, failure, key) =>
        this.endSnapshot(key, { state: 'Failed', reason: failure, reasonCode: 'FunctionError' }),
    });
  }

  private interruptedProvisioning(): InterruptedWork[] {
    return interruptedRecords(this.state.provisioned, {
      name: (_, key) => `provisioned concurrency ${key}`,
      isLeft: (_, key) => !this.provisioning.has(key),
      resume: (_, key) => {
        this.provision(key);
        return undefined;
      },
      fail: (_, failure, key) => void this.provisioning.set(key, { done: true, failure }),
    });
  }

  /**
   * Starts missing environments of a provisioned concurrency.
   * @param key key of its record
   */
  provision(key: string): void {
    const { state, logs, host } = this;
    const record = state.provisioned.get(key);
    if (!record) return;
    const { name, version } = resolveFunction(state, record.functionName, record.qualifier);
    const wanted = { version: version.version, contentId: this.contentOf(version), provision: key };
    const initialization = initializationOf(version, wanted);
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

  /**
   * Initializes a published version with SnapStart. The environment serves its first invocation; later ones are
   * initialized again, because emu restores no memory.
   * @param key key of the version
   * @returns a promise that resolves when the version is active or has failed
   */
  private takeSnapshot(key: string): Promise<void> {
    const taken = this.snapshotOf(key).finally(() => {
      if (this.snapshots.get(key) === taken) this.snapshots.delete(key);
    });
    this.snapshots.set(key, taken);
    return taken;
  }

  private async snapshotOf(key: string): Promise<void> {
    const { state, logs, host } = this;
    const version = state.versions.get(key);
    if (!version) return;
    await this.detectChanges(version);
    const wanted = { version: version.version, contentId: this.contentOf(version), provision: undefined };
    const reason = { logs, requestId: state.ids.uuid(), initialization: 'snap-start' as const, snapshot: true };
    try {
      const failure = await this.poolOf(version.functionName).prepare(wanted, () => host.start(state, version, reason));
      if (!this.snapshots.has(key)) return;
      this.endSnapshot(key, failure ? failedSnapshot(failure) : { state: 'Active' });
    } catch (error) {
      if (!this.snapshots.has(key)) return;
      // A version that cannot run here is active nevertheless, as without SnapStart: its invocations explain it.
      const cannotRun = error instanceof AwsError && error.code === 'InvalidRuntimeException';
      if (!cannotRun) this.state.log.error(`the snapshot of ${key} failed`, { error });
      const failed = { state: 'Failed', reason: (error as Error).message, reasonCode: 'InternalError' } as const;
      this.endSnapshot(key, cannotRun ? { state: 'Active' } : failed);
    }
  }

  private endSnapshot(key: string, snapshot: SnapshotRecord): void {
    if (!this.state.versions.has(key)) return;
    this.state.versions.update(key, (draft) => {
      draft.snapshot = snapshot;
    });
  }

  /** Waits until the snapshot of a version is taken, for a limited time. */
  async snapshotTaken({ functionName, version }: Version): Promise<void> {
    const taken = this.snapshots.get(`${functionName}:${version}`);
    if (taken) await Promise.race([taken, patience(SNAPSHOT_PATIENCE)]);
  }

  /**
   * Waits for the snapshot of a version to invoke.
   * @throws AwsError `SnapStartNotReadyException`, `ResourceConflictException` for a failed one
   */
  private async requireSnapshot(version: Version): Promise<void> {
    if (version.snapshot?.state === 'Active') return;
    await this.snapshotTaken(version);
    const snapshot = this.state.versions.get(`${version.functionName}:${version.version}`)?.snapshot;
    if (snapshot?.state === 'Pending') throw snapStartNotReady();
    if (snapshot?.state === 'Failed')
      throw conflict(
        'The operation cannot be performed at this time. The function is currently in the following state: Failed',
      );
  }

  /**
   * Restores an environment of a version with SnapStart before its first invocation.
   * @throws AwsError `SnapStartException`, `SnapStartTimeoutException`
   */
  private async restore(environment: Environment, slot: Slot, pool: FunctionPool): Promise<void> {
    const failure = await environment.restore();
    if (!failure) return;
    pool.release(slot);
    if (failure.timedOut)
      throw lambdaError('SnapStartTimeoutException', "Lambda couldn't restore the snapshot within the timeout limit.");
    throw lambdaError(
      'SnapStartException',
      'The afterRestore() runtime hook encountered an error. For more information, check the Amazon CloudWatch logs.',
    );
  }

  /**
   * Returns the state of a provisioned concurrency.
   * @param key key of its record
   */
  provisionedState(key: string, functionName: string): { ready: number; done: boolean; failure?: string } {
    const ready = this.pools.get(functionName)?.readyOf(key) ?? 0;
    return { ready, done: false, ...this.provisioning.get(key) };
  }

  /**
   * Ends the idle environments of a function, all or only outdated ones.
   * @returns their number
   */
  async evict(functionName: string, outdatedOnly = false): Promise<number> {
    return (await this.pools.get(functionName)?.evict(outdatedOnly)) ?? 0;
  }

  /** Ends all environments; running and waiting invocations fail. */
  async close(): Promise<void> {
    // Flushed now, because CloudWatch Logs closes next.
    const flushed = this.logs.flushed();
    // Snapshots that are being taken remain pending, for the next start.
    this.snapshots.clear();
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
    // Clients that do not forward the trace header are identified by their credentials.
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

  /** Returns the provisioned concurrency for an invocation: that of its version or alias, while some is free. */
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
    await this.detectChanges(version);
    if (version.snapshot) await this.requireSnapshot(version);
    const { clientContext, cognitoIdentity, tenantId } = request;
    const key = {
      version: version.version,
      contentId: this.contentOf(version),
      provision: this.provisionOf(resolved, pool),
    };
    const start = () =>
      host.start(state, version, { logs, requestId, initialization: initializationOf(version, key) }).catch((error) => {
        // A function deleted during the start loses its package.
        throw state.functions.has(name) ? error : functionNotFound(state.functionArn(name, qualifier));
      });
    const lease = await pool.acquire(key, start, { signal: request.signal, mayExceed });
    if (version.snapshot && 'environment' in lease) await this.restore(lease.environment, lease.slot, pool);
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
      const before = { peakMemory: undefined, initDuration: undefined, restoreDuration: undefined };
      endReport(log, { ...report, ...before, outcome, duration: 0, time });
      record(outcome, true);
      return { outcome, settled: Promise.resolve(), log };
    }
    const { environment, slot } = lease;
    const restoreDuration = environment.takeRestoreDuration();
    const cold = lease.cold || restoreDuration !== undefined;
    const { log } = environment;
    const invocation: Invocation = { requestId, functionArn, payload, traceHeader };
    if (clientContext !== undefined) invocation.clientContext = clientContext;
    if (cognitoIdentity !== undefined) invocation.cognitoIdentity = cognitoIdentity;
    if (tenantId !== undefined) invocation.tenantId = tenantId;
    const run = environment.run(invocation, sink, () => {
      log.begin(requestId, request.tail);
      log.platform(startLine(requestId, version.version));
    });
    const outcome = host.advised(state, version, await run.outcome);
    if (!run.delivered() && !cold) {
      // It ended while idle, before it received this invocation: another environment runs it.
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
        initDuration: cold && restoreDuration === undefined ? environment.initDuration : undefined,
        restoreDuration,
        time: state.clock.now(),
      });
      pool.release(slot);
    });
    record(outcome, cold);
    return { outcome, settled, log };
  }

  /**
   * Counts an invocation.
   * @returns a function to call at its end
   */
  private begin(resolved: ResolvedFunction): () => void {
    const { name, record } = resolved;
    const { reservedConcurrency: reserved } = record;
    const running = this.running.get(name) ?? 0;
    const throttled = (Reason: string): Error => {
      this.report(resolved, 'throttled');
      return plainError('TooManyRequestsException', 'Rate Exceeded.', { members: { Type: 'User', Reason } });
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
   * Reports the metrics of an invocation, for the function and for the called version or alias.
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

  /**
   * Whether an alias or version refers to a version.
   * @param key key of its record
   */
  private leadsTo(key: string, version: string): boolean {
    const alias = this.state.aliases.get(key);
    return !alias || alias.version === version || version in alias.weights;
  }

  /** Identifies code and configuration of a version, including the files of a directory. */
  private contentOf({ contentId }: Version): string {
    return this.contents.get(contentId) ?? contentId;
  }

  /** Checks whether the code directory of a version has changed. */
  private async detectChanges({ functionName, contentId, code: { directory } }: Version): Promise<void> {
    if (directory === undefined) return;
    // If it is missing, the start of an environment reports it.
    const stamp = await stampOf(directory).catch(() => 'gone');
    const known = this.contents.get(contentId);
    const content = `${contentId} ${stamp}`;
    if (known === content) return;
    // An evicted entry only costs a new environment.
    if (this.contents.size > MAX_CONTENTS) this.contents.clear();
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
