import type { NamesAddress, NamesPeers, NamesPort } from '@emu/containers/names';
import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerRuntime,
  type ContainerSandbox,
  type ContainerSpec,
  callbackPeers,
  type EmulatorSettings,
  type Ids,
} from '@emu/core/service';
import { LIMITS } from '../limits.ts';
import type { EnvironmentLog } from './environment-log.ts';
import { ExtensionsApi, type FunctionDescription } from './extensions-api.ts';
import { exitOutcome, timeoutOutcome } from './failures.ts';
import type { Invocation, Outcome, ResponseSink } from './invocation.ts';
import { OutputPause } from './output-pause.ts';
import { type OtherRoutes, RuntimeApi } from './runtime-api.ts';
import { InstancePeers } from './runtime-peers.ts';
import { Telemetry } from './telemetry.ts';

/** Milliseconds for extensions to shut down. */
const SHUTDOWN_GRACE = 2000;
/**
 * Milliseconds for hooks after a restore. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-python.html
 */
const RESTORE_LIMIT = 10_000;

/** A process or container of an environment, ready to start. */
export type EnvironmentProcess = Pick<
  ContainerSpec,
  'image' | 'platform' | 'entrypoint' | 'command' | 'environment' | 'workingDirectory' | 'mounts' | 'hosts'
>;

/** Initialization types in AWS's words. */
export type InitializationType = 'on-demand' | 'provisioned-concurrency' | 'snap-start';

/** Failed restore: a timeout, or the error of a hook or of the runtime. */
export interface RestoreFailure {
  readonly timedOut: boolean;
}

/** Options of an environment. */
export interface EnvironmentOptions {
  runtime: ContainerRuntime;
  /** Sandbox of its processes, which ends with it; undefined if they share the machine's file system. */
  sandbox: ContainerSandbox | undefined;
  settings: EmulatorSettings;
  ids: Ids;
  description: FunctionDescription;
  log: EnvironmentLog;
  /** Writes to emu's own log what the function's log does not contain. */
  warn(message: string): void;
  /** MB. */
  memorySize: number;
  /** Timeout of an invocation in seconds. */
  timeout: number;
  /** Serves requests to emu's built-in extension, if the function uses it. */
  other?: OtherRoutes | undefined;
  /** Called with the current invocation's request id, and at its end. */
  onInvocation(requestId: string | undefined): void;
  /** Request id that the environment is started for. */
  requestId: string;
  initialization: InitializationType;
  /** For SnapStart: whether it is initialized to be restored later, as when its version is published. */
  snapshot?: boolean | undefined;
  /**
   * Initialization timeout in milliseconds, and its phase: within an invocation it counts towards the invocation's
   * timeout.
   */
  init: { phase: 'init' | 'invoke'; limit: number };
  /** Runtime version in the log. */
  runtimeVersion: { name: string; arn: string };
  /** Opens the port for AWS's host names, which only its processes may use; undefined if the names lead to AWS. */
  openNames?:
    | ((listener: { bind: string; host: string; peers: NamesPeers | undefined }) => Promise<NamesPort>)
    | undefined;
  /**
   * Creates the runtime's process once the Runtime API's address is known, and those of external extensions by name;
   * undefined for extensions that the runtime's container starts.
   * @param names address of the port for AWS's host names, if one is open
   */
  processes(
    runtimeApi: string,
    names: NamesAddress | undefined,
  ): Promise<{ main: EnvironmentProcess; extensions: Map<string, EnvironmentProcess | undefined> }>;
}

/** One invocation in an environment. */
export interface Run {
  /** Resolves with the response or the failure. Never rejects. */
  outcome: Promise<Outcome>;
  /** Resolves when the environment is available for the next invocation, or has ended. */
  settled: Promise<void>;
  /** Whether the runtime has received it; if not, another environment may run it. */
  delivered(): boolean;
}

/**
 * One execution environment: the processes of a function's runtime and extensions, with the APIs they use. It serves
 * one invocation at a time.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export class Environment {
  /** Resolves when everything has been cleaned up. */
  readonly ended: Promise<void>;
  /** Duration of the initialization in milliseconds. */
  initDuration = 0;
  /** Whether it must be restored before its first invocation. */
  private checkpointed = false;
  /** Start of the restore. */
  private restoring: number | undefined;
  /** Duration of the restore in milliseconds, for the report of the first invocation. */
  private restoreDuration: number | undefined;
  /** Milliseconds already used of the next invocation's timeout. */
  private spent = 0;
  private readonly api: RuntimeApi;
  private extensions!: ExtensionsApi;
  private telemetry!: Telemetry;
  private main: ContainerInstance | undefined;
  /** Permitted peers of the Runtime API, if instances have their own addresses. */
  private peers: InstancePeers | undefined;
  /** The port for AWS's host names. */
  private names: NamesPort | undefined;
  private readonly others: ContainerInstance[] = [];
  /** Exit of the runtime's process; undefined while it runs. */
  private exit: ContainerExit | undefined;
  private readonly output = new OutputPause();
  private onExit: ((exit: ContainerExit) => void) | undefined;
  private markEnded!: () => void;
  private stopping: Promise<void> | undefined;

  private constructor(private readonly options: EnvironmentOptions) {
    this.api = new RuntimeApi(
      (request, response, path) =>
        options.other?.(request, response, path) || this.extensions.serve(request, response, path),
      () => void this.stop(),
      options.initialization === 'snap-start',
    );
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve;
    });
  }

  /**
   * Starts an environment and waits until it accepts invocations.
   * @returns the environment, or the outcome of the first invocation if the initialization failed, and whether that was
   * too late
   * @throws AwsError if this machine cannot run the function
   */
  static async start(
    options: EnvironmentOptions,
  ): Promise<{ environment: Environment } | { failure: Outcome; late: boolean }> {
    const environment = new Environment(options);
    try {
      const failure = await environment.initialize();
      if (!failure) {
        // An environment that ends while idle is unavailable.
        void environment.main!.exited.then(() => environment.stop());
        return { environment };
      }
      await environment.stop();
      return { failure, late: failure.errorType === 'Sandbox.Timedout' };
    } catch (error) {
      await environment.stop();
      throw error;
    }
  }

  /** Id of its container or process. */
  get id(): string {
    return this.main?.id ?? '';
  }

  get log(): EnvironmentLog {
    return this.options.log;
  }

  /** Whether it is ending or has ended. */
  get stopped(): boolean {
    return this.stopping !== undefined;
  }

  /** Returns the peak memory use in bytes; undefined if unknown. */
  peakMemory(): number | undefined {
    return this.main?.peakMemory();
  }

  /**
   * Runs an invocation; one at a time.
   * @param begun called when the runtime has received it
   */
  run(invocation: Invocation, sink: ResponseSink | undefined, begun: () => void): Run {
    const { timeout, log } = this.options;
    // An initialization within the first invocation has used part of its timeout.
    const limit = Math.max(1, timeout * 1000 - this.spent);
    this.spent = 0;
    const id = invocation.requestId;
    let timer: NodeJS.Timeout | undefined;
    let delivered = false;
    let fail!: (outcome: Outcome) => void;
    // Promises that live as long as the environment must not refer to an invocation, which would leak it.
    const broken = new Promise<Outcome>((resolve) => {
      fail = resolve;
    });
    this.onExit = (exit) => fail(exitOutcome(exit, id));
    if (this.exit) this.onExit(this.exit);
    const answered = this.api.deliver(invocation, limit, sink, () => {
      delivered = true;
      this.options.onInvocation(id);
      begun();
      // Real time instead of emulated time, because the code runs on the real machine.
      timer = setTimeout(() => fail(timeoutOutcome(id, timeout)), limit);
      this.extensions.send('INVOKE', {
        deadlineMs: Date.now() + limit,
        requestId: id,
        invokedFunctionArn: invocation.functionArn,
        tracing: { type: 'X-Amzn-Trace-Id', value: invocation.traceHeader },
      });
    });
    const outcome = Promise.race([answered, broken]).then((result) => this.withOutput(result));
    const settled = (async () => {
      await outcome;
      // The response has arrived, but the runtime or an extension may still be busy, within the same timeout.
      const idle = Promise.all([this.api.untilIdle(), this.extensions.untilIdle()]).then(() => true);
      const isIdle = await Promise.race([broken.then(() => false), idle]);
      clearTimeout(timer);
      this.onExit = undefined;
      this.options.onInvocation(undefined);
      if (isIdle) return this.options.runtime.isolated ? this.output.quiet() : undefined;
      log.flush();
      this.api.abandon();
      await this.stop();
    })();
    return { outcome, settled, delivered: () => delivered };
  }

  /** Returns the duration of the restore since the last call, in milliseconds; undefined without one. */
  takeRestoreDuration(): number | undefined {
    const { restoreDuration } = this;
    this.restoreDuration = undefined;
    return restoreDuration;
  }

  /**
   * Restores it before its first invocation, if its version has SnapStart: runs the hooks of the runtime. Ends it if that
   * fails.
   * @returns the failure; undefined if it accepts invocations
   */
  async restore(): Promise<RestoreFailure | undefined> {
    if (!this.checkpointed) return undefined;
    this.checkpointed = false;
    const { log } = this.options;
    if (this.restoring === undefined) this.beginRestore();
    const result = await Promise.race([
      this.api.restore(),
      this.main!.exited.then((exit) => ({ ready: false as const, outcome: exitOutcome(exit, '') })),
      sleep(RESTORE_LIMIT).then(() => ({ ready: false as const, outcome: undefined })),
    ]);
    const duration = performance.now() - this.restoring!;
    const errorType = result.ready ? undefined : result.outcome?.errorType;
    const status = result.ready ? 'success' : result.outcome ? 'error' : 'timeout';
    await drained();
    log.flush();
    log.platform({
      type: 'restoreReport',
      record: {
        status,
        ...(errorType !== undefined && { errorType }),
        metrics: { durationMs: Number(duration.toFixed(3)) },
      },
      text: [
        `RESTORE_REPORT Restore Duration: ${duration.toFixed(2)} ms`,
        ...(status === 'success' ? [] : [`Status: ${status}`]),
        ...(errorType === undefined ? [] : [`Error Type: ${errorType}`]),
      ].join('\t'),
    });
    if (result.ready) {
      this.restoreDuration = duration;
      return undefined;
    }
    await this.stop();
    return { timedOut: status === 'timeout' };
  }

  private beginRestore(): void {
    this.restoring = performance.now();
    const { description, runtimeVersion, log } = this.options;
    const { name, arn } = runtimeVersion;
    log.platform({
      type: 'restoreStart',
      record: {
        runtimeVersion: name,
        runtimeVersionArn: arn,
        functionName: description.functionName,
        functionVersion: description.functionVersion,
      },
      text: `RESTORE_START Runtime Version: ${name}\tRuntime Version ARN: ${arn}`,
    });
  }

  private beginInit(): void {
    const { description, runtimeVersion, log } = this.options;
    const { name, arn } = runtimeVersion;
    log.platform({
      type: 'initStart',
      record: {
        initializationType: this.options.initialization,
        phase: this.options.init.phase,
        runtimeVersion: name,
        runtimeVersionArn: arn,
        functionName: description.functionName,
        functionVersion: description.functionVersion,
      },
      text: `INIT_START Runtime Version: ${name}\tRuntime Version ARN: ${arn}`,
    });
  }

  /** Ends it, notifying extensions with a shutdown subscription. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    const instances = [this.main, ...this.others].filter((instance) => instance !== undefined);
    if (this.extensions?.wantsShutdown) {
      this.extensions.send('SHUTDOWN', { shutdownReason: 'spindown', deadlineMs: Date.now() + SHUTDOWN_GRACE });
      await Promise.all(instances.map((instance) => instance.stop({ grace: SHUTDOWN_GRACE })));
    } else await Promise.all(instances.map((instance) => instance.stop({ grace: 0 })));
    await this.options.sandbox?.close();
    this.log.flush();
    this.log.listener = undefined;
    await this.telemetry?.close();
    this.api.close();
    this.names?.close();
    this.markEnded();
  }

  private async initialize(): Promise<Outcome | undefined> {
    const { runtime, description, log, ids } = this.options;
    const callback = await runtime.callback();
    const { bind, host } = callback;
    const peers = callback.ofInstances ? new InstancePeers() : undefined;
    this.peers = peers;
    this.api.onRefused = (address) =>
      this.options.warn(
        `a request to the Runtime API of ${description.functionName} was refused: it comes from ${address}, and none of the function's instances has that address`,
      );
    const permitted = peers ?? (await callbackPeers(callback, this.options.settings));
    const port = await this.api.listen(bind, permitted, host);
    this.names = await this.options.openNames?.({ bind, host, peers: permitted });
    const { main, extensions } = await this.options.processes(`${host}:${port}`, this.names?.address);
    this.telemetry = new Telemetry(runtime.isolated, (name, types) =>
      log.platform({
        type: 'telemetrySubscription',
        record: { name, state: 'Subscribed', types },
        text: `TELEMETRY\tName: ${name}\tState: Subscribed\tTypes: [${types.join(', ')}]`,
      }),
    );
    this.extensions = new ExtensionsApi(description, this.telemetry, new Set(extensions.keys()), ids);
    log.listener = (event) => this.telemetry.add(event);
    const started = performance.now();
    // A new environment of a version with SnapStart is initialized again, as emu restores no memory.
    if (this.options.initialization === 'snap-start' && !this.options.snapshot) this.beginRestore();
    else this.beginInit();
    for (const [extension, process] of extensions) if (process) this.others.push(await this.launch(process, extension));
    this.main = await this.launch(main, undefined);
    peers?.end();
    void this.main.exited.then((exit) => {
      this.exit = exit;
      this.onExit?.(exit);
    });
    const ready = Promise.all([this.api.initialized, this.extensions.untilReady()]).then(([result]) => result);
    const failed = this.api.initialized.then((result) => (result.ready ? ready : result));
    const exits = [this.main, ...this.others].map(({ exited }) => exited);
    const result = await Promise.race([
      failed,
      ...exits.map((exit) => exit.then((value) => ({ ready: false as const, exit: value }))),
      sleep(this.options.init.limit).then(() => ({ ready: false as const, exit: undefined })),
    ]);
    this.initDuration = performance.now() - started;
    for (const extension of this.extensions.list())
      log.platform({
        type: 'extension',
        record: { name: extension.name, state: 'Ready', events: extension.events },
        text: `EXTENSION\tName: ${extension.name}\tState: Ready\tEvents: [${extension.events.join(', ')}]`,
      });
    if (!result.ready) return this.initFailure(result);
    if (this.options.init.phase === 'invoke') this.spent = this.initDuration;
    if (this.options.initialization !== 'snap-start') return undefined;
    this.checkpointed = true;
    if (this.options.snapshot) this.reportInit(undefined);
    return undefined;
  }

  private async initFailure(result: { outcome: Outcome } | { exit: ContainerExit | undefined }): Promise<Outcome> {
    const { timeout, log, requestId: id } = this.options;
    await drained();
    const outcome =
      'outcome' in result ? result.outcome : result.exit ? exitOutcome(result.exit, id) : timeoutOutcome(id, timeout);
    log.flush();
    this.reportInit(outcome);
    return outcome;
  }

  /** Logs the end of the initialization, which other reports do not contain. @param failure its error, if any */
  private reportInit(failure: Outcome | undefined): void {
    const { initialization, log } = this.options;
    const duration = this.initDuration.toFixed(2);
    const { phase } = this.options.init;
    const late = failure?.errorType === 'Sandbox.Timedout';
    const status = !failure ? 'success' : late ? 'timeout' : 'error';
    const errorType = late ? undefined : failure?.errorType;
    log.platform({
      type: 'initReport',
      record: {
        initializationType: initialization,
        phase,
        status,
        ...(errorType !== undefined && { errorType }),
        metrics: { durationMs: Number(duration) },
      },
      text: [
        `INIT_REPORT Init Duration: ${duration} ms`,
        ...(failure ? [`Phase: ${phase}`, `Status: ${status}`] : []),
        ...(errorType === undefined ? [] : [`Error Type: ${errorType}`]),
      ].join('\t'),
    });
  }

  private async launch(process: EnvironmentProcess, extension: string | undefined): Promise<ContainerInstance> {
    const { runtime, sandbox, description, log, memorySize } = this.options;
    const source = extension === undefined ? 'function' : 'extension';
    const instance = await runtime.start({
      service: 'lambda',
      name: `lambda-${description.functionName.toLowerCase().replace(/[^a-z0-9-]/g, '-')}`,
      ...process,
      ...(sandbox && { sandbox }),
      limits: {
        memory: memorySize * 1024 * 1024,
        output: 64 * 1024,
        ...(runtime.isolated && { processes: LIMITS.processes }),
      },
      labels: { 'emulator-function': description.functionName },
      onOutput: (chunk, stream) => {
        this.output.received();
        log.output(chunk, `${extension ?? ''} ${stream}`, source);
      },
    });
    this.peers?.add(instance.addresses ?? []);
    return instance;
  }

  /** Waits for output that the runtime wrote before its response. */
  private async withOutput(outcome: Outcome): Promise<Outcome> {
    await drained();
    return outcome;
  }
}

/** Waits for two event loop turns, after which data written to a pipe has been read. */
async function drained(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
