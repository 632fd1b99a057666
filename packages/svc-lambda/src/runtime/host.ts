import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installNames, type NameFollowing, NamesPort, nameVariables } from '@emu/containers/names';
import {
  ContainerError,
  type ContainerRuntime,
  type ContainerSandbox,
  issueSession,
  roleSessionPrincipal,
  type ServiceHandle,
  type SessionCredential,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { hotReloadDirectory } from '../code/hot-reload.ts';
import { runtimeVersionArn } from '../code/runtimes.ts';
import { actingRole } from '../configuration/role.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import { ParametersExtension } from '../parameters-extension/extension.ts';
import { ExtensionPorts, serveExtension } from '../parameters-extension/ports.ts';
import { extensionSettings, isParametersExtension } from '../parameters-extension/settings.ts';
import type { Version } from '../records.ts';
import { runtimeDirectory } from '../sdk/runtime-directory.ts';
import type { LambdaState } from '../state.ts';
import { Chains } from './chains.ts';
import { type CodeDirectory, CodeStore } from './code-store.ts';
import {
  Environment,
  type EnvironmentOptions,
  type EnvironmentProcess,
  type InitializationType,
} from './environment.ts';
import { EnvironmentLog } from './environment-log.ts';
import { environmentVariables, layerModules, nodeMajor } from './environment-variables.ts';
import { MissingProgram } from './failures.ts';
import type { FunctionLogs } from './function-logs.ts';
import type { Started } from './function-pool.ts';
import { type Outcome, platformError } from './invocation.ts';
import { containerPlan, type LaunchPlan, processPlan } from './launch-plan.ts';
import { MissingModules } from './missing-modules.ts';
import { linkSdks } from './node-sdk.ts';
import { cannotRun, installBootstraps, otherArchitecture, WITHOUT_ENGINE } from './process-launch.ts';
import type { OtherRoutes } from './runtime-api.ts';
import { type ModuleSource, moduleLinks } from './sandbox/module-links.ts';
import { sandboxPlan } from './sandbox/sandbox-plan.ts';
import { sdkAdvice, withSdkAdvice } from './sdk-advice.ts';

/**
 * Lifetime of a function's credentials in seconds, and milliseconds before their expiry when their environment is no
 * longer used.
 */
const SESSION_DURATION = 12 * 3600;
const SESSION_MARGIN = 15 * 60 * 1000;

/** Maximum milliseconds of an initialization before an invocation. */
const INIT_LIMIT = 10_000;
/**
 * Maximum milliseconds of an initialization for provisioned concurrency or SnapStart, unless the function's timeout is
 * longer.
 */
const PROVISIONED_INIT_LIMIT = 130_000;

/**
 * Returns the initialization timeout in milliseconds.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
 */
const initLimit = ({ config: { timeout } }: Version, { initialization }: StartReason): number =>
  initialization === 'on-demand' ? INIT_LIMIT : Math.max(PROVISIONED_INIT_LIMIT, timeout * 1000);

/** Resources shared by an emulator's environments. */
interface Equipment {
  runtime: ContainerRuntime;
  codes: CodeStore;
  /** Directory of the programs that run handlers, and of the files for AWS's host names. */
  bootstraps: string;
  /** Whether AWS's host names lead functions to emu. */
  leadsNames: boolean;
}

/** Purpose of an environment. */
export interface StartReason {
  logs: FunctionLogs;
  /** Request id that it is started for, or a generated id. */
  requestId: string;
  initialization: InitializationType;
  /** Whether a version with SnapStart is published. */
  snapshot?: boolean;
}

/** Launch inputs of an environment besides its version. */
interface LaunchParts {
  equipment: Equipment;
  /** Creates or reuses credentials: a version that cannot run here needs none. */
  issue(): SessionCredential;
  /** Layers and package. */
  held: CodeDirectory[];
  log: EnvironmentLog;
  reason: StartReason;
}

/** An extension reachable from an environment. */
interface RunningExtension {
  /** Its port, if it differs from the function's configuration. */
  readonly elsewhere: number | undefined;
  /** Handles requests through the Runtime API; undefined if it has a local port. */
  readonly routes: OtherRoutes | undefined;
  close(): void;
  during(requestId: string | undefined): void;
}

/** Paths of the extension, which the environment's APIs do not use. */
const EXTENSION_PATH = /^\/(systemsmanager|secretsmanager)\//;

/** Serves an extension beside the Runtime API. */
function routesOf(extension: ParametersExtension): OtherRoutes {
  const own = new Map([[extension.token, extension]]);
  return (request, response, path) => {
    if (!EXTENSION_PATH.test(path)) return false;
    void serveExtension(request, response, own);
    return true;
  };
}

/** Whether a version has the layer of the extension that emu implements. */
const hasParametersExtension = ({ config: { layers } }: Version, { accountId }: LambdaState): boolean =>
  layers.some(({ arn, body }) => body === undefined && isParametersExtension(arn, accountId));

/** Number of messages after which they are logged again. */
const MAX_WARNED = 1000;

const hosts = new WeakMap<ServiceHandle, ExecutionHost>();

/** Starts execution environments on the configured backend. */
export class ExecutionHost {
  /** Functions that failed to load their code. */
  readonly missingModules = new MissingModules();
  /** Invocation chains of all accounts and regions. */
  readonly chains = new Chains();
  private equipped: { readonly runtime: ContainerRuntime; readonly made: Promise<Equipment> } | undefined;
  private readonly warned = new Set<string>();
  private readonly ports = new ExtensionPorts();

  private constructor(private readonly service: ServiceHandle) {}

  /** Returns the host of an emulator. */
  static of(service: ServiceHandle): ExecutionHost {
    let host = hosts.get(service);
    if (!host) {
      host = new ExecutionHost(service);
      hosts.set(service, host);
    }
    return host;
  }

  /**
   * Returns the backend for functions.
   * @throws ContainerError
   */
  async backend(): Promise<ContainerRuntime['backend']> {
    return (await this.equip()).runtime.backend;
  }

  /** Returns the emulator URL as functions reach it; the local URL if no function can run here. */
  async emulatorUrl(): Promise<string> {
    const own = await this.service.selfUrl();
    try {
      return await this.service.containers.urlInside((await this.equip()).runtime, own);
    } catch (error) {
      if (!(error instanceof ContainerError)) throw error;
      return own;
    }
  }

  /** Returns the reason why container images cannot run here; undefined if they can. */
  async imageRefusal(): Promise<string | undefined> {
    try {
      return (await this.equip()).runtime.isolated ? undefined : WITHOUT_ENGINE;
    } catch (error) {
      if (!(error instanceof ContainerError)) throw error;
      return error.message.replace(/\.$/, '');
    }
  }

  /**
   * Starts an environment of a version. The log has the reason if it cannot run here, because callers such as API
   * Gateway respond without one.
   * @throws AwsError `InvalidRuntimeException` if it cannot run here
   */
  async start(state: LambdaState, version: Version, reason: StartReason): Promise<Started> {
    try {
      return await this.startAnywhere(state, version, reason);
    } catch (error) {
      if (error instanceof AwsError && error.code === 'InvalidRuntimeException') this.warnOnce(state, error.message);
      throw error;
    }
  }

  /** Returns an outcome of a local process; a missing SDK is explained in it, and once in emu's log. */
  advised(state: LambdaState, version: Version, outcome: Outcome): Outcome {
    if (outcome.errorType === undefined || this.equipped?.runtime.isolated !== false) return outcome;
    const advised = withSdkAdvice(outcome, version.config.runtime, runtimeDirectory(this.service.settings));
    if (advised.advice !== undefined) this.warnOnce(state, `${version.functionName}: ${advised.advice}`);
    return advised;
  }

  /** Returns how to install the missing module of a message, if local processes of AWS's runtimes would find it. */
  missingModuleAdvice(message: string): string | undefined {
    if (this.equipped?.runtime.isolated !== false) return undefined;
    return sdkAdvice(message, undefined, runtimeDirectory(this.service.settings));
  }

  /** Starts an environment, on another backend if the last one has stopped. @throws AwsError as `start` */
  private async startAnywhere(state: LambdaState, version: Version, reason: StartReason): Promise<Started> {
    const equipment = await this.equipmentFor(version);
    try {
      return await this.startOn(equipment, state, version, reason);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const next = await this.equipmentFor(version);
      if (next.runtime === equipment.runtime) throw cannotRun(version, error.message);
      return this.startOn(next, state, version, reason).catch((again: unknown) => {
        throw isUnavailable(again) ? cannotRun(version, again.message) : again;
      });
    }
  }

  /** @throws ContainerError `unavailable` if the backend no longer responds; otherwise as `start` */
  private async startOn(
    equipment: Equipment,
    state: LambdaState,
    version: Version,
    reason: StartReason,
  ): Promise<Started> {
    const { requestId } = reason;
    let credential: SessionCredential | undefined;
    const issue = (): SessionCredential => {
      credential ??= this.issue(state, version);
      return credential;
    };
    const held: CodeDirectory[] = [];
    const free = (): void => {
      for (const directory of held) directory.release();
      if (credential) this.service.credentials.delete(credential.accessKeyId);
    };
    const log = logOf(state, version, reason);
    let kept = false;
    try {
      await this.unpack(state, version, equipment, held);
      const parts = { equipment, issue, held, log, reason };
      let started = await this.launch(state, version, parts, { phase: 'init', limit: initLimit(version, reason) });
      // A timed-out initialization is retried once, within the invocation and its timeout.
      if ('failure' in started && started.late && reason.initialization !== 'snap-start')
        started = await this.launch(state, version, parts, { phase: 'invoke', limit: version.config.timeout * 1000 });
      if ('failure' in started) return { failure: this.advised(state, version, started.failure), log };
      kept = true;
      void started.environment.ended.then(free);
      return { environment: started.environment, expiresAt: issue().expiresAt - SESSION_MARGIN };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const why = startFailure(version, error);
      log.output(Buffer.from(`${why}\n`), 'stderr', 'platform');
      const failure = platformError('Runtime.InvalidEntrypoint', `RequestId: ${requestId} Error: ${why}`);
      return { failure, log };
    } finally {
      if (!kept) free();
    }
  }

  /** Unpacks a version's layers into one directory, and its package; adds both to `held`. */
  private async unpack(
    state: LambdaState,
    version: Version,
    { codes, runtime }: Equipment,
    held: CodeDirectory[],
  ): Promise<void> {
    const { code, config } = version;
    const bodies = config.layers.flatMap(({ body }) => body ?? []);
    const layers = await codes.acquire({ key: keyOf('layers', bodies), state, bodies });
    held.push(layers);
    if (code.directory !== undefined) {
      if (runtime.backend === 'k8s') throw cannotRun(version, 'a cluster does not have the directory of its code');
      held.push({ path: await hotReloadDirectory(state.service.settings, code.directory), release: () => undefined });
      return;
    }
    const packages = code.body === undefined ? [] : [code.body];
    const major = runtime.isolated || bodies.length === 0 ? undefined : nodeMajor(config.runtime);
    const modules = major === undefined ? [] : layerModules(layers.path, major);
    const key = keyOf('code', modules.length === 0 ? packages : [...packages, ...modules]);
    held.push(await codes.acquire({ key, state, bodies: packages, modules }));
  }

  private async launch(
    state: LambdaState,
    version: Version,
    { equipment, issue, held, log, reason: { requestId, initialization, snapshot } }: LaunchParts,
    init: EnvironmentOptions['init'],
  ): ReturnType<typeof Environment.start> {
    const { runtime } = equipment;
    const isExtended = hasParametersExtension(version, state);
    const extensionPort = isExtended ? extensionSettings(version.config.environment).port : undefined;
    const selfUrl = await this.service.selfUrl();
    const endpoint = await this.service.containers.urlInside(runtime, selfUrl);
    const [{ path: layerRoot }, { path: taskRoot }] = held as [CodeDirectory, CodeDirectory];
    const { bootstraps, leadsNames } = equipment;
    const namesDirectory = leadsNames ? bootstraps : undefined;
    const machinePlan = runtime.isolated
      ? await containerPlan({ state, version, runtime, taskRoot, layerRoot, selfUrl, extensionPort, namesDirectory })
      : await processPlan(version, taskRoot, layerRoot, bootstraps, runtimeDirectory(this.service.settings));
    this.warnOnce(state, machinePlan.difference);
    if (!runtime.isolated) this.warnOnce(state, otherArchitecture(version));
    const credential = issue();
    const { config } = version;
    const extension = isExtended ? await this.extend(state, version, credential, log, runtime.isolated) : undefined;
    const following = nameFollowing(version);
    if (leadsNames && following === 'proxy') this.warnOnce(state, proxyWarning(version));
    if (this.service.names.enabled && !leadsNames) this.warnOnce(state, POD_WARNING);
    let current: string | undefined = requestId;
    const program = { arn: state.functionArn(version.functionName), cause: () => current };
    const { names } = this.service;
    const { sandbox, plan } = await this.openSandbox(state, version, equipment, held, machinePlan).catch(
      (error: unknown) => {
        extension?.close();
        throw error;
      },
    );
    const started = Environment.start({
      runtime,
      sandbox,
      settings: this.service.settings,
      ids: state.ids,
      description: {
        functionName: version.functionName,
        functionVersion: version.version,
        handler: config.handler ?? '',
        accountId: state.accountId,
      },
      log,
      warn: (message) => this.service.log.warn(message),
      memorySize: config.memorySize,
      timeout: config.timeout,
      other: extension?.routes,
      openNames: leadsNames
        ? (listener) => NamesPort.open({ names, program, isolated: runtime.isolated, ...listener })
        : undefined,
      onInvocation: (id) => {
        current = id;
        this.service.credentials.act(credential.accessKeyId, id);
        extension?.during(id);
      },
      requestId,
      initialization,
      snapshot,
      init,
      runtimeVersion: versionWords(state, version),
      processes: async (runtimeApi, address) => {
        const { group: logGroup, stream: logStream } = log.options;
        const sources = {
          state,
          version,
          initialization,
          credential,
          logGroup,
          logStream,
          runtimeApi,
          endpoint,
          extensionPort: extension?.elsewhere,
          ...plan.places,
          names: address
            ? nameVariables({
                names,
                following,
                address,
                directory: plan.places.namesDirectory,
                ownInterpreter: !runtime.isolated && following === 'python',
                given: config.environment,
              })
            : {},
        };
        const environment = environmentVariables({ ...sources, isolated: runtime.isolated });
        const extensions = new Map<string, EnvironmentProcess | undefined>();
        for (const [name, process] of plan.extensions) extensions.set(name, process && { ...process, environment });
        return { main: { ...plan.main, environment }, extensions };
      },
    });
    if (extension)
      void started.then(
        (result) => ('environment' in result ? result.environment.ended.then(extension.close) : extension.close()),
        extension.close,
      );
    return started;
  }

  /**
   * Opens the sandbox of an environment, unless the backend has none, the machine does not allow it, or the settings
   * forbid it.
   * @param machinePlan plan for the machine's own file system
   * @throws AwsError `InvalidRuntimeException` if the settings require one, or this one fails where others work
   */
  private async openSandbox(
    state: LambdaState,
    version: Version,
    { runtime, codes, bootstraps }: Equipment,
    held: CodeDirectory[],
    machinePlan: LaunchPlan,
  ): Promise<{ sandbox?: ContainerSandbox; plan: LaunchPlan }> {
    const { sandboxes } = runtime;
    const mode = this.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_SANDBOX;
    if (!sandboxes || mode === 'off') return { plan: machinePlan };
    const refusal = await sandboxes.refusal();
    if (refusal !== undefined) {
      if (mode === 'required') throw cannotRun(version, `EMULATOR_LAMBDA_SANDBOX is required: ${refusal}`);
      this.warnOnce(state, `functions run without a sandbox and reach the files of this machine: ${refusal}`);
      return { plan: machinePlan };
    }
    const [{ path: layerRoot }, { path: taskRoot }] = held as [CodeDirectory, CodeDirectory];
    const makeLinks = async (sources: readonly ModuleSource[]): Promise<string> => {
      const links = await moduleLinks(sources);
      const key = keyOf('links', [...links].flat());
      const directory = await codes.acquire({ key, state, bodies: [], links });
      held.push(directory);
      return directory.path;
    };
    const { spec, plan } = await sandboxPlan({
      version,
      plan: machinePlan,
      taskRoot,
      layerRoot,
      bootstraps,
      makeLinks,
    });
    try {
      return { sandbox: await sandboxes.open(spec), plan };
    } catch (error) {
      // A package or a busy machine must not make a function run without one.
      if (error instanceof ContainerError && error.reason === 'engine')
        throw cannotRun(version, `its sandbox failed, which EMULATOR_LAMBDA_SANDBOX=off turns off: ${error.message}`);
      throw error;
    }
  }

  /**
   * Starts the AWS Parameters and Secrets Lambda Extension of an environment.
   * @throws AwsError `InvalidRuntimeException` if the configured port is not available
   */
  private async extend(
    state: LambdaState,
    version: Version,
    credential: SessionCredential,
    log: EnvironmentLog,
    isolated: boolean,
  ): Promise<RunningExtension> {
    const { environment } = version.config;
    const extension = new ParametersExtension(
      state,
      extensionSettings(environment),
      credential.sessionToken,
      this.principal(state, version).principal,
      (line) =>
        log.output(Buffer.from(`[AWS Parameters and Secrets Lambda Extension] ${line}\n`), 'stderr', 'extension'),
    );
    const during = (requestId: string | undefined): void => extension.during(requestId);
    // A relay inside forwards requests to the port.
    if (isolated) return { elsewhere: undefined, routes: routesOf(extension), during, close: () => undefined };
    const { port: wanted } = extension.settings;
    const { port, close } = await this.ports.add(extension).catch((error: unknown) => {
      throw cannotRun(version, `port ${wanted} of its Parameters and Secrets extension: ${(error as Error).message}`);
    });
    if (port !== wanted)
      this.warnOnce(
        state,
        `port ${wanted} is taken: the Parameters and Secrets extension has others, which functions find in PARAMETERS_SECRETS_EXTENSION_HTTP_PORT`,
      );
    return { elsewhere: port === wanted ? undefined : port, routes: undefined, close, during };
  }

  /** Logs a difference from the function's expectations, or why it cannot run, once. */
  private warnOnce(state: LambdaState, difference: string | undefined): void {
    if (difference === undefined || this.warned.has(difference)) return;
    if (this.warned.size >= MAX_WARNED) this.warned.clear();
    this.warned.add(difference);
    state.log.warn(difference);
  }

  private issue(state: LambdaState, version: Version): SessionCredential {
    const { role, name, principal } = this.principal(state, version);
    return issueSession(this.service, principal, SESSION_DURATION, { roleArn: role, name });
  }

  /** Returns the identity of a version. */
  private principal(state: LambdaState, version: Version) {
    const role = actingRole(version.config.role, state);
    const name = version.functionName.slice(0, 64);
    return { role, name, principal: roleSessionPrincipal(role, name) };
  }

  /** @throws AwsError `InvalidRuntimeException` without a backend for a version */
  private equipmentFor(version: Version): Promise<Equipment> {
    return this.equip().catch((error: unknown) => {
      throw error instanceof ContainerError ? cannotRun(version, error.message) : error;
    });
  }

  private async equip(): Promise<Equipment> {
    // Another one after the engine has stopped.
    const runtime = await this.service.containers.of('lambda', { processes: true });
    if (this.equipped?.runtime === runtime) return this.equipped.made;
    const equipped = { runtime, made: makeEquipment(runtime, this.service) };
    this.equipped = equipped;
    equipped.made.catch(() => {
      if (this.equipped === equipped) this.equipped = undefined;
    });
    return equipped.made;
  }
}

/** Whether a backend does not respond. */
const isUnavailable = (error: unknown): error is ContainerError =>
  error instanceof ContainerError && error.reason === 'unavailable';

async function makeEquipment(
  runtime: ContainerRuntime,
  { names, settings }: Pick<ServiceHandle, 'names' | 'settings'>,
): Promise<Equipment> {
  const home = await runtime.scratch();
  const packages = join(home, 'packages');
  await mkdir(packages, { recursive: true });
  const bootstraps = await installBootstraps(home);
  if (!runtime.isolated) await linkSdks({ home, packages, bootstraps, runtimeDirectory: runtimeDirectory(settings) });
  // Pods do not share the directories of this machine.
  const leadsNames = names.enabled && runtime.backend !== 'k8s';
  if (leadsNames) await installNames(bootstraps, names);
  return { runtime, codes: new CodeStore(packages), bootstraps, leadsNames };
}

/**
 * Returns the message for a start failure caused by the function: a missing or non-executable program.
 * @throws AwsError `InvalidRuntimeException` if its image is unavailable or the engine rejects it; other errors
 * unchanged
 */
function startFailure(version: Version, error: unknown): string {
  if (error instanceof MissingProgram) return error.message;
  if (!(error instanceof ContainerError)) throw error;
  if (error.reason === 'command') return error.message;
  const why = error.message.replace(/\.$/, '');
  throw cannotRun(version, error.reason === 'image' ? `${why}. ${WITHOUT_IMAGES}` : why);
}

/** Hint for users without images. */
const WITHOUT_IMAGES = 'EMULATOR_LAMBDA_BACKEND=process runs functions of runtimes without images';

/** Returns how the programs of a version follow AWS's host names to emu. */
function nameFollowing({ config: { runtime, packageType } }: Version): NameFollowing {
  if (packageType === 'Image' || runtime === undefined) return 'proxy';
  if (runtime.startsWith('nodejs')) return 'node';
  return runtime.startsWith('python') ? 'python' : 'proxy';
}

/** Message about functions that cannot reach emu by the names. */
const POD_WARNING = "functions in Pods reach AWS itself at AWS's host names; AWS_ENDPOINT_URL leads to emu";

/** Returns the message about the names that programs of a runtime may reach at AWS. */
const proxyWarning = ({ config: { runtime } }: Version): string =>
  `functions of ${runtime ?? 'container images'} reach emu at AWS's host names through HTTPS_PROXY; clients that ignore it reach AWS itself there`;

/** Returns the directory name for packages unpacked on top of each other. */
const keyOf = (kind: string, bodies: readonly string[]): string =>
  `${kind}-${createHash('sha256').update(bodies.join()).digest('hex')}`;

/** Returns the log of a new environment, in its own stream. */
function logOf(state: LambdaState, version: Version, { logs, requestId }: StartReason): EnvironmentLog {
  const { loggingConfig } = version.config;
  return new EnvironmentLog({
    functionName: version.functionName,
    version: version.version,
    requestId,
    group: loggingConfig.LogGroup ?? `/aws/lambda/${version.functionName}`,
    stream: `${logDate(state.clock.now())}/[${version.version}]${state.ids.hex(32)}`,
    format: loggingConfig.LogFormat === 'JSON' ? 'JSON' : 'Text',
    systemLevel: loggingConfig.SystemLogLevel ?? 'INFO',
    logs,
    now: () => state.clock.now(),
  });
}

/** Returns the date in log stream names. */
const logDate = (now: number): string => new Date(now).toISOString().slice(0, 10).replaceAll('-', '/');

function versionWords(state: LambdaState, version: Version): { name: string; arn: string } {
  const { runtime = 'provided', architectures } = version.config;
  const [, language, number] = /^([a-z]+)(.*)$/.exec(runtime) ?? [];
  const label = number ? `${language}:${number.replace(/\.x$/, '').replace(/^\./, '')}` : language;
  return { name: `${label}.v1`, arn: runtimeVersionArn(state.region, runtime, architectures[0] ?? 'x86_64') };
}
