import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerRuntime,
  type ContainerSpec,
  callbackPeers,
  type EmulatorSettings,
  type Ids,
} from '@emu/core/service';
import type { EnvironmentLog } from './environment-log.ts';
import { ExtensionsApi, type FunctionDescription } from './extensions-api.ts';
import { exitOutcome, timeoutOutcome } from './failures.ts';
import type { Invocation, Outcome, ResponseSink } from './invocation.ts';
import { OutputPause } from './output-pause.ts';
import { type OtherRoutes, RuntimeApi } from './runtime-api.ts';
import { InstancePeers } from './runtime-peers.ts';
import { Telemetry } from './telemetry.ts';

/** Processes and threads of one environment, as AWS has it. */
const PROCESSES = 1024;
/** Milliseconds that extensions get to end. */
const SHUTDOWN_GRACE = 2000;

/** A process or container of an environment, ready to be started. */
export type EnvironmentProcess = Pick<
  ContainerSpec,
  'image' | 'platform' | 'entrypoint' | 'command' | 'environment' | 'workingDirectory' | 'mounts' | 'hosts'
>;

/** What an environment is made of. */
export interface EnvironmentOptions {
  runtime: ContainerRuntime;
  settings: EmulatorSettings;
  ids: Ids;
  description: FunctionDescription;
  log: EnvironmentLog;
  /** Tells emu's own log of something that the function's says nothing of. */
  warn(message: string): void;
  /** MB. */
  memorySize: number;
  /** Seconds that one invocation may take. */
  timeout: number;
  /** Answers requests of an extension that is the emulator's own, where the function has it. */
  other?: OtherRoutes | undefined;
  /** Told of the invocation that runs, by its id, and of its end. */
  onInvocation(requestId: string | undefined): void;
  /** Id of the request that it is started for. */
  requestId: string;
  initialization: 'on-demand' | 'provisioned-concurrency';
  /** Milliseconds that the initialization may take, and what it is a part of: it then takes of an invocation's own time. */
  init: { phase: 'init' | 'invoke'; limit: number };
  /** Words that the log tells of the runtime's version. */
  runtimeVersion: { name: string; arn: string };
  /**
   * Makes the runtime's process, once the Runtime API's address is known, and those of external extensions by name;
   * undefined for those that the runtime's own container starts.
   */
  processes(
    runtimeApi: string,
  ): Promise<{ main: EnvironmentProcess; extensions: Map<string, EnvironmentProcess | undefined> }>;
}

/** One run in an environment. */
export interface Run {
  /** Resolves with the response, or with what went wrong. Never rejects. */
  outcome: Promise<Outcome>;
  /** Resolves when the environment is free for the next, or has ended. */
  settled: Promise<void>;
  /** Whether the runtime ever took it; where not, another environment may. */
  delivered(): boolean;
}

/**
 * One execution environment: the processes of a function's runtime and its extensions, with the APIs they talk to. It
 * serves one invocation at a time. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export class Environment {
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  /** Milliseconds the initialization took. */
  initDuration = 0;
  /** Milliseconds of the next invocation that are gone before it begins. */
  private spent = 0;
  private readonly api: RuntimeApi;
  private extensions!: ExtensionsApi;
  private telemetry!: Telemetry;
  private main: ContainerInstance | undefined;
  /** Who may use the Runtime API, where instances come from addresses of their own. */
  private peers: InstancePeers | undefined;
  private readonly others: ContainerInstance[] = [];
  /** How the runtime's process ended; undefined while it runs. */
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
    );
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve;
    });
  }

  /**
   * Starts an environment and waits until it takes invocations.
   * @returns it, or what the function's first invocation is answered because it could not be initialized, if only in time
   * @throws AwsError where the machine cannot run the function at all
   */
  static async start(
    options: EnvironmentOptions,
  ): Promise<{ environment: Environment } | { failure: Outcome; late: boolean }> {
    const environment = new Environment(options);
    try {
      const failure = await environment.initialize();
      if (!failure) {
        // One that dies while it waits is no longer there for the next.
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

  /** Id of the container or process behind it. */
  get id(): string {
    return this.main?.id ?? '';
  }

  get log(): EnvironmentLog {
    return this.options.log;
  }

  /** Whether it is ending, or has ended. */
  get stopped(): boolean {
    return this.stopping !== undefined;
  }

  /** Most bytes of memory it had in use; undefined where nobody knows. */
  peakMemory(): number | undefined {
    return this.main?.peakMemory();
  }

  /**
   * Runs an invocation; one at a time.
   * @param begun called when the runtime has taken it
   */
  run(invocation: Invocation, sink: ResponseSink | undefined, begun: () => void): Run {
    const { timeout, log } = this.options;
    // An initialization within the first invocation has taken some of its time.
    const limit = Math.max(1, timeout * 1000 - this.spent);
    this.spent = 0;
    const id = invocation.requestId;
    let timer: NodeJS.Timeout | undefined;
    let delivered = false;
    let fail!: (outcome: Outcome) => void;
    // Nothing of a run may hang on promises that live as long as the environment: it would be kept as long as they.
    const broken = new Promise<Outcome>((resolve) => {
      fail = resolve;
    });
    this.onExit = (exit) => fail(exitOutcome(exit, id));
    if (this.exit) this.onExit(this.exit);
    const answered = this.api.deliver(invocation, limit, sink, () => {
      delivered = true;
      this.options.onInvocation(id);
      begun();
      // The machine's time, whatever the emulated one: it is the machine that runs the code.
      timer = setTimeout(() => fail(timeoutOutcome(id, timeout)), limit);
      this.extensions.tell('INVOKE', {
        deadlineMs: Date.now() + limit,
        requestId: id,
        invokedFunctionArn: invocation.functionArn,
        tracing: { type: 'X-Amzn-Trace-Id', value: invocation.traceHeader },
      });
    });
    const outcome = Promise.race([answered, broken]).then((result) => this.withOutput(result));
    const settled = (async () => {
      await outcome;
      // The response is there, but the runtime or an extension may still be busy, within the same time.
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

  /** Ends it, telling extensions that asked for it. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    const instances = [this.main, ...this.others].filter((instance) => instance !== undefined);
    if (this.extensions?.wantsShutdown) {
      this.extensions.tell('SHUTDOWN', { shutdownReason: 'spindown', deadlineMs: Date.now() + SHUTDOWN_GRACE });
      await Promise.all(instances.map((instance) => instance.stop({ grace: SHUTDOWN_GRACE })));
    } else await Promise.all(instances.map((instance) => instance.stop({ grace: 0 })));
    this.log.flush();
    this.log.listener = undefined;
    await this.telemetry?.close();
    this.api.close();
    this.markEnded();
  }

  private async initialize(): Promise<Outcome | undefined> {
    const { runtime, description, log, runtimeVersion, ids } = this.options;
    const callback = await runtime.callback();
    const { bind, host } = callback;
    const peers = callback.ofInstances ? new InstancePeers() : undefined;
    this.peers = peers;
    this.api.onRefused = (address) =>
      this.options.warn(
        `a request to the Runtime API of ${description.functionName} was refused: it comes from ${address}, and none of the function's instances has that address`,
      );
    const port = await this.api.listen(bind, peers ?? (await callbackPeers(callback, this.options.settings)), host);
    const { main, extensions } = await this.options.processes(`${host}:${port}`);
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
    return undefined;
  }

  private async initFailure(result: { outcome: Outcome } | { exit: ContainerExit | undefined }): Promise<Outcome> {
    const { timeout, log, requestId: id } = this.options;
    await drained();
    const outcome =
      'outcome' in result ? result.outcome : result.exit ? exitOutcome(result.exit, id) : timeoutOutcome(id, timeout);
    const duration = this.initDuration.toFixed(2);
    const { phase } = this.options.init;
    const late = outcome.errorType === 'Sandbox.Timedout';
    const status = late ? 'timeout' : 'error';
    log.flush();
    log.platform({
      type: 'initReport',
      record: {
        initializationType: this.options.initialization,
        phase,
        status,
        ...(!late && { errorType: outcome.errorType }),
        metrics: { durationMs: Number(duration) },
      },
      text: `INIT_REPORT Init Duration: ${duration} ms\tPhase: ${phase}\tStatus: ${status}${late ? '' : `\tError Type: ${outcome.errorType}`}`,
    });
    return outcome;
  }

  private async launch(process: EnvironmentProcess, extension: string | undefined): Promise<ContainerInstance> {
    const { runtime, description, log, memorySize } = this.options;
    const source = extension === undefined ? 'function' : 'extension';
    const instance = await runtime.start({
      service: 'lambda',
      name: `lambda-${description.functionName.toLowerCase().replace(/[^a-z0-9-]/g, '-')}`,
      ...process,
      limits: {
        memory: memorySize * 1024 * 1024,
        output: 64 * 1024,
        ...(runtime.isolated && { processes: PROCESSES }),
      },
      labels: { 'emulator-function': description.functionName },
      onOutput: (chunk, stream) => {
        this.output.heard();
        log.output(chunk, `${extension ?? ''} ${stream}`, source);
      },
    });
    this.peers?.add(instance.addresses ?? []);
    return instance;
  }

  /** What the runtime wrote before it answered is on its way already: it is taken first. */
  private async withOutput(outcome: Outcome): Promise<Outcome> {
    await drained();
    return outcome;
  }
}

/** Two turns of the event loop: what was written to a pipe before has been read then. */
async function drained(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
