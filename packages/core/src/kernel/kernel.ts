import { type AwsError, awsError, compileService, type ServiceCodec, validationError } from '@emu/wire';
import { partitionOf } from '../aws/partitions.ts';
import type { AccessPointDirectory } from '../capabilities/access-points.ts';
import { Containers } from '../containers/index.ts';
import type { Principal } from '../identity/principal.ts';
import { StoredCredentials } from '../identity/stored-credentials.ts';
import type { BodyStore, Persistence } from '../persistence/persistence.ts';
import {
  type AnsweredRequest,
  type AnyServicePlugin,
  type CallOptions,
  type ClosableState,
  ControlError,
  type EmulatorSettings,
  type HttpFacts,
  type OperationContext,
  type ReplyFacts,
  type ServiceHandle,
  type ServiceManifest,
  type StateScope,
} from '../plugin/plugin.ts';
import type { CallAuthorization, ControlPolicies, IdentityDirectory } from '../policy/authorization.ts';
import type { Enforcement } from '../policy/enforcement.ts';
import type { CollectionDefinition } from '../state/collection.ts';
import { ServiceStore } from '../state/store.ts';
import { EmulatorClock } from '../time/clock.ts';
import { OperationContextImpl } from './context.ts';
import { createIds, type Ids } from './ids.ts';
import type { Logger } from './log.ts';

/** What a kernel is made of. */
export interface KernelOptions {
  manifests: readonly ServiceManifest[];
  settings: EmulatorSettings;
  log: Logger;
  /** The data directory in persistent mode. */
  persistence?: Persistence;
  /** Where bodies go, by service. */
  bodies: (service: string) => BodyStore;
  /** Makes ids reproducible. */
  seed?: string;
  /** Version of the emulator, which data directories are marked with. */
  version?: string;
}

/** How programs on this machine reach the emulator. */
export interface SelfAccess {
  /** URL of a port of the loopback interface, which is opened where none is open. */
  url(): Promise<string>;
  /** Closes the port if it was opened for this. */
  close(): Promise<void>;
}

/** An operation to run, from a request or from another service. */
export interface Invocation {
  service: string;
  operation: string;
  input: unknown;
  accountId: string;
  region: string;
  principal: Principal;
  requestId: string;
  endpoint: string;
  http?: HttpFacts;
  /** Trace header of a call between services; requests have theirs among the headers. */
  traceHeader?: string;
  /** Made when the handler has something to add to the HTTP answer. */
  reply?: ReplyFacts;
  /**
   * Whether policies are evaluated, where they are enforced: for every request, and for calls between services that say
   * on whose behalf they are made.
   */
  authorize?: true | (CallAuthorization & { via: string });
  /** Made when the handler asks for it. */
  signal: () => AbortSignal;
}

type StateMap = Map<string, { accountId: string; region: string; state: unknown }>;

/** A service that has been loaded: its plugin, codec, records and states. */
export class LoadedService implements ServiceHandle {
  readonly codec: ServiceCodec;
  readonly store: ServiceStore;
  readonly log: Logger;
  private readonly stateMap: StateMap = new Map();
  private latest: { accountId: string; region: string; state: unknown } | undefined;
  private directory: IdentityDirectory | undefined;
  private accessPointsKnown: AccessPointDirectory | undefined;

  constructor(
    private readonly kernel: Kernel,
    readonly plugin: AnyServicePlugin,
    /** The service whose state this one works on, where it has none of its own. */
    private readonly owner?: LoadedService,
  ) {
    const { errorNamespace: namespace } = plugin;
    this.codec = compileService(plugin.model, namespace === undefined ? {} : { namespace });
    this.store = new ServiceStore(plugin.name, plugin.collections, () => kernel.bodiesOf(plugin.name));
    this.log = kernel.log;
  }

  get name(): string {
    return this.plugin.name;
  }
  get clock(): EmulatorClock {
    return this.kernel.clock;
  }
  get ids(): Ids {
    return this.kernel.ids;
  }
  get settings(): EmulatorSettings {
    return this.kernel.settings;
  }
  get credentials(): StoredCredentials {
    return this.kernel.credentials;
  }
  get containers(): Containers {
    return this.kernel.containers;
  }

  selfUrl(): Promise<string> {
    return this.kernel.selfUrl();
  }

  /** What the service knows of users and roles, if it is IAM. */
  get identities(): IdentityDirectory | undefined {
    this.directory ??= this.plugin.identityDirectory?.(this as never);
    return this.directory;
  }

  /** See `ServiceHandle.accessPoints`. */
  accessPoints(): AccessPointDirectory | undefined | Promise<AccessPointDirectory | undefined> {
    return this.kernel.accessPoints();
  }

  /** What the service knows of access points, if it is S3 Control. */
  get accessPointDirectory(): AccessPointDirectory | undefined {
    this.accessPointsKnown ??= this.plugin.accessPoints?.(this as never);
    return this.accessPointsKnown;
  }

  /** What the service knows of control policies, if it is Organizations. */
  get controlPolicies(): ControlPolicies | undefined {
    return this.plugin.controlPolicies?.(this as never);
  }

  state(accountId: string, region: string): never {
    if (this.owner) return this.owner.state(accountId, region);
    const { stateScope } = this.plugin;
    const account = stateScope === 'global' ? '' : accountId;
    const place = stateScope === 'region' ? region : '';
    // Most requests are for the scope of the one before: comparing costs less than making and hashing a key.
    const { latest } = this;
    if (latest?.accountId === account && latest.region === place) return latest.state as never;
    const key = `${account}/${place}`;
    let entry = this.stateMap.get(key);
    if (!entry) {
      entry = { accountId: account, region: place, state: this.plugin.createState?.(this.scope(account, place)) };
      this.stateMap.set(key, entry);
    }
    this.latest = entry;
    return entry.state as never;
  }

  *states(): Iterable<{ accountId: string; region: string; state: never }> {
    if (this.owner) return yield* this.owner.states();
    const keys = [...this.stateMap.keys()].sort();
    for (const key of keys) yield this.stateMap.get(key) as { accountId: string; region: string; state: never };
  }

  call<Output>(service: string, operation: string, input: unknown, options: CallOptions = {}): Promise<Output> {
    return this.kernel.call<Output>(service, operation, input, { ...options, via: this.name });
  }

  async saveSnapshot(directory?: string): Promise<boolean> {
    if (this.owner) return this.owner.saveSnapshot(directory);
    if (directory === undefined) {
      if (!this.kernel.persistent) return false;
      await this.store.rewrite();
      return true;
    }
    // Loaded here only: the memory mode starts without it.
    const { saveSnapshot } = await import('../persistence/snapshot-save.ts');
    await saveSnapshot(directory, this.kernel.version, this.name, this.store.picture());
    return true;
  }

  committed(): Promise<void> {
    return this.kernel.committed();
  }

  /** Makes the states of every scope that has persisted records, so that their timers run. */
  wake(): void {
    const { stateScope } = this.plugin;
    for (const { accountId, region } of this.store.scopes()) {
      // Records of a wider scope than a state's belong to no state in particular.
      if (stateScope === 'global' || (accountId && (stateScope === 'account' || region))) this.state(accountId, region);
    }
  }

  /** Drops the states of an account, or all, telling them to end what they wait for. */
  dropStates(accountId: string | undefined): void {
    for (const [key, entry] of this.stateMap) {
      if (accountId !== undefined && entry.accountId !== accountId) continue;
      (entry.state as ClosableState | undefined)?.close?.();
      this.stateMap.delete(key);
      this.latest = undefined;
    }
  }

  /** Tells every state that requests are to wait no longer. */
  endWaits(): void {
    for (const { state } of this.stateMap.values()) (state as ClosableState | undefined)?.endWaits?.();
  }

  private scope(accountId: string, region: string): StateScope {
    const { kernel, store } = this;
    return {
      accountId,
      region,
      partition: partitionOf(region || kernel.settings.region),
      service: this,
      clock: kernel.clock,
      ids: kernel.ids,
      log: kernel.log,
      bodies: kernel.bodiesOf(this.name),
      settings: kernel.settings,
      collection: <T>(definition: CollectionDefinition<T>) => store.collection(definition, accountId, region),
      call: (service, operation, input, options) =>
        kernel.call(service, operation, input, { accountId, region, ...options, via: this.name }),
    };
  }
}

type AnyHandler = (input: unknown, ctx: OperationContext) => unknown;

/** What a service does for others only: no operation of requests. */
function internalHandler({ internal }: AnyServicePlugin, { operation, http }: Invocation): AnyHandler | undefined {
  if (!internal || http !== undefined || !Object.hasOwn(internal, operation)) return undefined;
  return internal[operation] as AnyHandler;
}

/** Loads services, runs their operations and owns their state: everything of an emulator but its listeners. */
export class Kernel {
  readonly clock: EmulatorClock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly settings: EmulatorSettings;
  readonly manifests: readonly ServiceManifest[];
  /** Names of the services that are told of their answered requests. */
  readonly observing: ReadonlySet<string>;
  readonly credentials = new StoredCredentials();
  readonly containers: Containers;
  /** Whether requests need permissions. */
  readonly enforces: boolean;
  private enforcement: Enforcement | undefined;
  /** Set by the gateway. */
  self: SelfAccess | undefined;
  private readonly options: KernelOptions;
  private readonly loading = new Map<string, Promise<LoadedService>>();
  private readonly loaded = new Map<string, LoadedService>();
  private readonly bodyStores = new Map<string, BodyStore>();

  constructor(options: KernelOptions) {
    this.options = options;
    this.log = options.log;
    this.settings = options.settings;
    this.manifests = options.manifests;
    const observing = this.manifests.filter(({ observes }) => observes?.(this.settings));
    this.observing = new Set(observing.map(({ name }) => name));
    this.enforces = options.settings.values.EMULATOR_ENFORCE_IAM;
    this.ids = createIds(options.seed);
    this.containers = new Containers(options);
    this.clock = new EmulatorClock((error) => this.log.error('a scheduled task failed', { error }));
  }

  /** Opens what the data directory holds; services with state are loaded so that their timers run. */
  async start(): Promise<void> {
    this.clock.every(SESSION_SWEEP, () => this.credentials.dropExpired(this.clock.now() - EXPIRED_SESSION_RETENTION));
    await this.openPersisted();
    // The first use of a data directory gives it the id by which its volumes are told from those of others.
    if (this.persistent) await this.containers.volumeScope();
    for (const { name, eager } of this.manifests)
      if (eager?.(this.settings)) {
        const service = await this.service(name);
        await service.plugin.onStart?.(service as never);
      }
    await this.committed();
  }

  private async openPersisted(): Promise<void> {
    const { persistence } = this.options;
    if (!persistence) return;
    await this.openStore(this.credentials.store);
    const known = new Set(this.manifests.map((manifest) => manifest.name));
    for (const name of persistence.services()) {
      if (known.has(name)) await this.service(name);
      else if (name !== this.credentials.store.service)
        this.log.warn(`the data directory holds state of ${name}, which this version does not have; it is left alone`);
    }
  }

  /** Names of the services, whether loaded or not. */
  get services(): string[] {
    return this.manifests.map((manifest) => manifest.name).sort();
  }

  /** Tells a service of an answered request; undefined where it does not want to be told, or is not loaded. */
  observer(name: string): ((request: AnsweredRequest) => Promise<void>) | undefined {
    const service = this.observing.has(name) ? this.loaded.get(name) : undefined;
    const observe = service?.plugin.observe;
    return observe && ((request) => observe(request, service as never));
  }

  /** The service if it is loaded. */
  loadedService(name: string): LoadedService | undefined {
    return this.loaded.get(name);
  }

  /** Loads a service at its first use. @throws AwsError `NotImplemented` where emu does not have it */
  service(name: string): Promise<LoadedService> {
    let service = this.loading.get(name);
    if (!service) {
      service = this.load(name);
      this.loading.set(name, service);
      // A failed load is tried again by the next request instead of being remembered.
      service.catch(() => this.loading.delete(name));
    }
    return service;
  }

  /** IAM's users and roles; undefined where the emulator has no IAM. */
  async identities(): Promise<IdentityDirectory | undefined> {
    if (!this.manifests.some(({ name }) => name === 'iam')) return undefined;
    return (await this.service('iam')).identities;
  }

  /** See `ServiceHandle.accessPoints`. */
  accessPoints(): AccessPointDirectory | undefined | Promise<AccessPointDirectory | undefined> {
    const loaded = this.loaded.get('s3control');
    if (loaded) return loaded.accessPointDirectory;
    if (!this.manifests.some(({ name }) => name === 's3control')) return undefined;
    return this.service('s3control').then(({ accessPointDirectory }) => accessPointDirectory);
  }

  /** Body store of a service, made at its first use. */
  bodiesOf(service: string): BodyStore {
    let store = this.bodyStores.get(service);
    if (!store) {
      store = this.options.bodies(service);
      this.bodyStores.set(service, store);
    }
    return store;
  }

  /**
   * Validates the input and runs the operation's handler.
   * @returns the output, or a promise of it
   * @throws AwsError whatever the caller did wrong; anything else is a defect of the handler
   */
  invoke(invocation: Invocation): unknown {
    const service = this.loaded.get(invocation.service);
    // Where changes wait to be written faster than the disk takes them, or it takes none, more would only pile up.
    if (!service || this.options.persistence?.congested) return this.invokeLater(invocation);
    return this.run(service, invocation);
  }

  private async invokeLater(invocation: Invocation): Promise<unknown> {
    const service = await this.service(invocation.service);
    if (this.options.persistence?.congested) await this.committed();
    return this.run(service, invocation);
  }

  /** As far as it can, without a promise: each costs turns of their queue, on every request. */
  private run(service: LoadedService, invocation: Invocation): unknown {
    const { plugin } = service;
    const { operation, input } = invocation;
    const operations = plugin.operations as Record<string, AnyHandler>;
    const modelled = Object.hasOwn(operations, operation);
    const handler = modelled ? operations[operation] : internalHandler(plugin, invocation);
    if (!handler) throw notImplemented(invocation.service, operation);
    const failures = modelled ? service.codec.validate(operation, input) : [];
    if (failures.length) {
      const custom = plugin.validationError?.(failures, operation);
      if (custom !== null) throw custom ?? validationError(failures);
    }
    const ctx = new OperationContextImpl(this, service, invocation);
    const prepared = plugin.prepare?.(operation, input, ctx as never);
    if (typeof invocation.authorize === 'object' && invocation.authorize.dryRun)
      return Promise.resolve(prepared).then(() => this.authorize(service, invocation, ctx));
    if (prepared) return prepared.then(() => this.authorize(service, invocation, ctx)).then(() => handler(input, ctx));
    const authorized = this.authorize(service, invocation, ctx);
    return authorized ? authorized.then(() => handler(input, ctx)) : handler(input, ctx);
  }

  /** Evaluates policies, where they count. @throws AwsError where they do not allow it */
  private authorize(
    service: LoadedService,
    invocation: Invocation,
    ctx: OperationContextImpl,
  ): Promise<void> | undefined {
    if (invocation.authorize === undefined || !(this.enforces || needsPermission(service, invocation)))
      return undefined;
    if (this.enforcement) return this.enforcement.check(service, invocation, ctx);
    return this.openEnforcement().then((enforcement) => enforcement.check(service, invocation, ctx));
  }

  /** Loaded here only: nothing of it costs anything where policies are not enforced. */
  private async openEnforcement(): Promise<Enforcement> {
    const { Enforcement } = await import('../policy/enforcement.ts');
    this.enforcement = await Enforcement.open(this);
    return this.enforcement;
  }

  /** Runs an operation on behalf of another service. */
  async call<Output>(
    service: string,
    operation: string,
    input: unknown,
    options: CallOptions & { endpoint?: string; via?: string } = {},
  ): Promise<Output> {
    const accountId = options.accountId ?? this.settings.accountId;
    const region = options.region ?? this.settings.region;
    const signal = options.signal ?? NEVER_ABORTED;
    const output = await this.invoke({
      service,
      operation,
      input,
      accountId,
      region,
      principal: options.principal ?? rootOf(accountId, region),
      requestId: this.ids.uuid(),
      endpoint: options.endpoint ?? this.settings.externalUrl ?? '',
      ...(options.authorize && { authorize: { ...options.authorize, via: options.via ?? '' } }),
      ...(options.traceHeader !== undefined && { traceHeader: options.traceHeader }),
      signal: () => signal,
    });
    return output as Output;
  }

  /** See `ServiceHandle.selfUrl`. */
  async selfUrl(): Promise<string> {
    if (!this.self) throw new Error('the emulator has no gateway that could be reached');
    return this.self.url();
  }

  /** Version of the emulator. */
  get version(): string {
    return this.options.version ?? '0.0.0';
  }

  /** Whether there is a data directory. */
  get persistent(): boolean {
    return this.options.persistence !== undefined;
  }

  /** Whether a reply must wait for the journal. */
  get dirty(): boolean {
    return this.options.persistence?.dirty ?? false;
  }

  /** Resolves when every change so far is on disk, at once in memory mode; rejects where they cannot be written. */
  async committed(): Promise<void> {
    await this.options.persistence?.committed();
  }

  /**
   * Removes the state of a service, or of all where none is named, for one account or for all; on disk too before it
   * resolves. Resetting `iam` or `sts` removes the credentials they registered.
   * @throws ControlError `InvalidRequest` for what is no account id, and for an account of a service without accounts;
   *   AwsError `NotImplemented` for a service that emu does not have
   */
  async reset(service?: string, accountId?: string): Promise<void> {
    if (accountId !== undefined) checkAccount(service, accountId);
    const targets = await this.resetTargets(service);
    for (const target of targets) {
      await target.plugin.onReset?.(target as never, accountId);
      target.dropStates(accountId);
      target.store.clear(accountId);
    }
    this.credentials.reset(service, accountId);
    await this.committed();
    await Promise.all([
      ...[...targets.map((target) => target.store), this.credentials.store].map((store) => store.rewrite()),
      ...targets.filter((target) => target.store.hasBodies).map((target) => this.bodiesOf(target.name).removeOrphans()),
    ]);
  }

  /** The services a reset empties. Keys of `iam` exist without a service of that name: emu makes administrators itself. */
  private async resetTargets(service: string | undefined): Promise<LoadedService[]> {
    if (service === undefined) return [...this.loaded.values()];
    const keysOnly = service === 'iam' && !this.manifests.some(({ name }) => name === service);
    return keysOnly ? [] : [await this.service(service)];
  }

  /** Lets requests that wait for something to happen answer now: for the moment before the ports close. */
  endWaits(): void {
    for (const service of this.loaded.values()) service.endWaits();
  }

  /** Stops timers and writes everything out. */
  async close(): Promise<void> {
    this.clock.close();
    for (const service of this.loaded.values()) service.dropStates(undefined);
    await this.containers.close();
    await this.self?.close();
    await this.options.persistence?.close();
  }

  private async load(name: string): Promise<LoadedService> {
    const manifest = this.manifests.find((candidate) => candidate.name === name);
    if (!manifest) throw notImplemented(name);
    const plugin = await manifest.load();
    const owner = plugin.stateOf === undefined ? undefined : await this.service(plugin.stateOf);
    const service = new LoadedService(this, plugin, owner);
    await this.openStore(service.store);
    try {
      service.wake();
    } catch (error) {
      // What was woken must not go on beside what the next attempt makes.
      service.dropStates(undefined);
      if (this.options.persistence) this.bodyStores.delete(name);
      throw error;
    }
    this.loaded.set(name, service);
    return service;
  }

  private async openStore(store: ServiceStore): Promise<void> {
    const { persistence } = this.options;
    if (!persistence) return;
    const journal = await persistence.open(
      store.service,
      (change) => store.restore(change),
      () => store.snapshot(),
    );
    store.attach(journal);
    if (!store.hasBodies) return;
    store.retainBodies();
    await this.bodiesOf(store.service).removeOrphans();
  }
}

/** How often sessions that ended are looked for, in milliseconds. */
const SESSION_SWEEP = 3_600_000;
/** An expired session is remembered for a day, so that its user learns that it expired and not that it never was. */
const EXPIRED_SESSION_RETENTION = 86_400_000;

const NEVER_ABORTED = new AbortController().signal;

/** The root user of an account, as which emu acts where nobody is named. */
export function rootOf(accountId: string, region: string): Principal {
  return {
    type: 'root',
    accountId,
    arn: `arn:${partitionOf(region)}:iam::${accountId}:root`,
    userId: accountId,
  };
}

/** The answer to an operation or service that emu does not have yet. */
export function notImplemented(service: string, operation?: string): AwsError {
  const what = operation ? `${service}.${operation}` : `the service ${service}`;
  return awsError('NotImplemented', `emu does not implement ${what}.`, { status: 501 });
}

/** Whether a caller without a signature is let in by permissions alone, even where policies are not enforced. */
const needsPermission = ({ plugin }: LoadedService, { principal }: Invocation): boolean =>
  principal.type === 'anonymous' && plugin.authorization?.anonymous === true;

/** Services whose state belongs to no account. */
const WITHOUT_ACCOUNTS: ReadonlySet<string> = new Set(['organizations']);

/** @throws ControlError where a service cannot be reset for an account, or the account id is none */
function checkAccount(service: string | undefined, accountId: string): void {
  if (service !== undefined && WITHOUT_ACCOUNTS.has(service))
    throw new ControlError(400, 'InvalidRequest', `${service} has no state per account; reset all of it.`);
  if (!/^\d{12}$/.test(accountId))
    throw new ControlError(400, 'InvalidRequest', `${JSON.stringify(accountId)} is not a 12-digit account id.`);
}
