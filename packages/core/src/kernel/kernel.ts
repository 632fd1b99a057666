import { join } from 'node:path';
import { AwsError, awsError, type ServiceModel, statusOf, type ValidationFailure, validationError } from '@emu/wire';
import type { Capability } from '../base/capability.ts';
import { createIds, type IdSource } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { notImplemented } from '../base/not-implemented.ts';
import { readsOnly } from '../base/reads.ts';
import type { OperationInput, OperationName, OperationOutput, ServiceName } from '../calls/calls.ts';
import { quotaDirectory } from '../capabilities/quotas.ts';
import { resourceDirectory } from '../capabilities/resource-directory.ts';
import { resourceProviders } from '../capabilities/resource-providers.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import { rootOf } from '../identity/root.ts';
import { type ContextHost, OperationContextImpl } from '../invocation/context.ts';
import type { Enforcement } from '../invocation/enforcement.ts';
import { type ObserverHost, Observers } from '../invocation/observers.ts';
import type { PolicyHost } from '../invocation/subject.ts';
import { withPartitions } from '../migration/arn-partitions.ts';
import { RegionalSplit } from '../migration/regional-split.ts';
import { allCommitted } from '../persistence/all-committed.ts';
import type { Persistence } from '../persistence/persistence.ts';
import type { OperationContext } from '../plugin/context.ts';
import { ControlError } from '../plugin/control.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import type { DataPlace } from '../plugin/own-data.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import { RequestRecorder } from '../recorder/recorder.ts';
import type { Invocation } from '../services/invocation.ts';
import { type InternalCallOptions, LoadedService } from '../services/loaded-service.ts';
import { OwnState } from '../services/own-state.ts';
import { type QuotaHost, Quotas } from '../services/quotas.ts';
import { StoredCredentials } from '../services/stored-credentials.ts';
import { Turnover } from '../services/turnover.ts';
import type { ServiceStore } from '../state/store.ts';
import type { StateHost } from '../state-file/host.ts';
import type { LoadedState, LoadOptions } from '../state-file/load.ts';
import type { StateSelection } from '../state-file/selection.ts';
import type { BodyStore } from '../storage/body-store.ts';
import { withAdvice } from '../storage/damage.ts';
import { EmulatorClock, type Timer } from '../time/clock.ts';
import { Slices } from '../time/slices.ts';
import { type Checkpoint, type CheckpointHost, Checkpoints } from './checkpoint.ts';
import { LazyContainers } from './lazy-containers.ts';
import { ManifestProviders } from './manifest-providers.ts';
import { ResourceIndex } from './resource-directory.ts';

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

/**
 * Whether an operation has to wait before it begins: where changes are made faster than the disk takes them, or it takes
 * none, more would only pile up.
 */
const isHeldUp = ({ changed }: LoadedService, { operation }: Invocation): boolean =>
  changed.congested && !readsOnly(operation);

type AnyHandler = (input: unknown, ctx: OperationContext) => unknown;

/** What a service does for others only: no operation of requests. */
function internalHandler({ internal }: AnyServicePlugin, { operation, http }: Invocation): AnyHandler | undefined {
  if (!internal || http !== undefined || !Object.hasOwn(internal, operation)) return undefined;
  return internal[operation] as AnyHandler;
}

/** Whether anything that an operation and its calls have changed waits to be written. */
function anyDirty({ changes = new Set() }: Invocation): boolean {
  for (const { dirty } of changes) if (dirty) return true;
  return false;
}

/** An error with the status that it has on the wire, which integrations tell their callers. */
function withStatus(model: ServiceModel, error: AwsError): AwsError {
  if (error.status !== undefined) return error;
  const { code, message, members, messageKey, headers } = error;
  return new AwsError(code, message, {
    status: statusOf(model, error),
    cause: error,
    ...(members !== undefined && { members }),
    ...(messageKey !== undefined && { messageKey }),
    ...(headers !== undefined && { headers }),
  });
}

/** The member of an operation's input that is sent as a stream of bytes. */
function streamedMember({ model }: AnyServicePlugin, operation: string): string {
  const shape = model.shapes[model.operations[operation]?.input?.shape ?? ''];
  const name = shape?.payload;
  if (name === undefined || !shape?.members?.[name]?.streaming)
    throw awsError('ValidationException', `${operation} takes no stream of bytes.`);
  return name;
}

/**
 * Refuses an input in the service's words.
 * @throws AwsError unless all that is wrong is for the handler to look at
 */
function refuse(plugin: AnyServicePlugin, operation: string, failures: readonly ValidationFailure[]): void {
  const custom = plugin.validationError?.(failures, operation);
  // Handlers are made for values of the model's types: they look at no others.
  const decoded = failures.every(({ constraint }) => constraint !== 'type' && constraint !== 'unknown');
  if (custom !== null || !decoded) throw custom ?? validationError(failures);
}

/** Loads services, runs their operations and owns their state: everything of an emulator but its listeners. */
export class Kernel implements ContextHost, PolicyHost, CheckpointHost, ObserverHost, QuotaHost, StateHost {
  readonly clock: EmulatorClock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly settings: EmulatorSettings;
  readonly manifests: readonly ServiceManifest[];
  /** What `GET /_emulator/requests` shows. */
  readonly recorder: RequestRecorder;
  /** Who is told of answered requests. */
  readonly observers: Observers;
  readonly credentials = new StoredCredentials();
  readonly containers: LazyContainers;
  /** Quotas of the services, and which of them are enforced. */
  readonly quotas: Quotas;
  /** The resources of every service. */
  readonly resources: ResourceIndex = new ResourceIndex(this);
  /** Names of the services that provide capabilities. */
  private readonly providers = new Map<Capability<unknown>, string>();
  /** Capabilities that manifests offer, and what was made of them. */
  private readonly offers = new Map<Capability<unknown>, { make(): unknown; made?: unknown }>();
  /** Whether requests need permissions. */
  readonly enforces: boolean;
  private enforcement: Enforcement | undefined;
  /** Set by the gateway. */
  self: SelfAccess | undefined;
  private readonly options: KernelOptions;
  private readonly loading = new Map<string, Promise<LoadedService>>();
  private readonly loaded = new Map<string, LoadedService>();
  private readonly bodyStores = new Map<string, BodyStore>();
  private readonly checkpoints = new Checkpoints(this);
  /** Goes back to checkpoints and loads state; while it does, whatever comes waits. */
  readonly turnover: Turnover;
  /** What the emulator itself keeps. */
  readonly ownState: OwnState;
  private resourceTypes: ManifestProviders | undefined;
  private sessionSweep: Timer | undefined;

  constructor(options: KernelOptions) {
    this.options = options;
    this.log = options.log;
    this.settings = options.settings;
    this.manifests = options.manifests;
    const { EMULATOR_RECORD_REQUESTS: recording, EMULATOR_RECORD_BYTES: limit } = options.settings.values;
    this.recorder = new RequestRecorder(recording, limit, (service) => this.loaded.get(service)?.codec);
    this.observers = new Observers(this, this.manifests, this.settings, this.recorder);
    this.enforces = options.settings.values.EMULATOR_ENFORCE_IAM;
    this.ids = createIds(options.seed);
    this.containers = new LazyContainers(options, this.manifests.find(({ containers }) => containers)?.containers);
    for (const { name, provides = [], offers = [] } of this.manifests) {
      for (const capability of provides) this.providers.set(capability, name);
      for (const { capability, make } of offers) this.offers.set(capability, { make });
    }
    this.clock = new EmulatorClock((error) => this.log.error('a scheduled task failed', { error }));
    this.turnover = new Turnover(this.clock);
    this.ownState = new OwnState(this.clock, this.ids);
    this.quotas = new Quotas(this, this.ownState.quotaValues, () => this.ownState.store.committed());
  }

  /** Opens what the data directory holds; services with state are loaded so that their timers run. */
  async start(): Promise<void> {
    await this.quotas.open();
    await this.openPersisted();
    this.sweepSessions();
    // The first use of a data directory gives it the id by which its volumes are told from those of others.
    if (this.persistent && this.containers.available) await this.containers.volumeScope();
    for (const name of this.observers.watchful) await this.service(name);
    for (const { name, eager } of this.manifests)
      if (eager?.(this.settings)) {
        const service = await this.service(name);
        await service.plugin.onStart?.(service as never);
      }
    await this.committed();
  }

  /** Drops sessions long expired now and then; called anew where time was set back. */
  sweepSessions(): void {
    const { clock, credentials } = this;
    this.sessionSweep?.cancel();
    this.sessionSweep = clock.every(SESSION_SWEEP, () =>
      credentials.dropExpired(clock.now() - EXPIRED_SESSION_RETENTION),
    );
  }

  private async openPersisted(): Promise<void> {
    const { persistence } = this.options;
    if (!persistence) return;
    if (persistence.arnsOutdated) await this.rewriteArns(persistence);
    // The time first: what falls due is told by it.
    await this.openStore(this.ownState.store);
    this.ownState.resume();
    await this.openStore(this.credentials.store);
    const known = new Set(this.manifests.map((manifest) => manifest.name));
    const own = [this.ownState.store.service, this.credentials.store.service];
    for (const name of persistence.services()) {
      if (known.has(name)) await this.service(name);
      else if (!own.includes(name))
        this.log.warn(`the data directory holds state of ${name}, which this version does not have; it is left alone`);
    }
  }

  /** Puts the ARNs of a version that knew one partition into those of their regions; begun anew where it was interrupted. */
  private async rewriteArns(persistence: Persistence): Promise<void> {
    const own = [this.ownState.store, this.credentials.store];
    for (const name of persistence.services()) {
      const kept = own.find(({ service }) => service === name)?.collections;
      const collections = kept ?? (await this.manifestOf(name)?.load())?.collections;
      // The state of services that this version does not have is left alone.
      if (!collections) continue;
      const definitions = new Map([...collections].map((definition) => [definition.name, definition]));
      await persistence.rewriteAll?.(name, (record) =>
        withPartitions(record, definitions.get(record.collection), this.settings.region),
      );
    }
    await persistence.arnsRewritten?.();
    this.log.info('the ARNs in the data directory are in the partitions of their regions now');
  }

  /** Names of the services, whether loaded or not. */
  get services(): string[] {
    return this.manifests.map((manifest) => manifest.name).sort();
  }

  /** The service if it is loaded. */
  loadedService(name: string): LoadedService | undefined {
    return this.loaded.get(name);
  }

  /** The services that are loaded. */
  loadedServices(): LoadedService[] {
    return [...this.loaded.values()];
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

  /** See `ServiceHandle.capability`. */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined> {
    if (capability === quotaDirectory) return this.quotas as Offer;
    if (capability === resourceDirectory) return this.resources as Offer;
    if (capability === resourceProviders) {
      this.resourceTypes ??= new ManifestProviders(this.manifests);
      return this.resourceTypes as Offer;
    }
    const name = this.providers.get(capability);
    if (name === undefined) {
      const offer = this.offers.get(capability);
      if (offer) offer.made ??= offer.make();
      return offer?.made as Offer | undefined;
    }
    const loaded = this.loaded.get(name);
    return loaded ? loaded.offer(capability) : this.service(name).then((service) => service.offer(capability));
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
   * Takes an operation through its steps: validation, rates, the service's `prepare`, permissions, quotas of number, and the
   * handler.
   * @returns the output, or a promise of it
   * @throws AwsError whatever the caller did wrong; anything else is a defect of the handler
   */
  invoke(invocation: Invocation): unknown {
    const service = this.loaded.get(invocation.service);
    if (!service || this.turnover.ended() || isHeldUp(service, invocation)) return this.invokeLater(invocation);
    return this.run(service, invocation);
  }

  private async invokeLater(invocation: Invocation): Promise<unknown> {
    await this.turnover.ended();
    const service = await this.service(invocation.service);
    if (isHeldUp(service, invocation)) await service.changed.committed();
    return this.run(service, invocation);
  }

  /** As far as it can, without a promise: each costs turns of their queue, on every request. */
  private run(service: LoadedService, invocation: Invocation): unknown {
    const { plugin } = service;
    const { operation, input } = invocation;
    if (this.persistent) {
      invocation.changes ??= new Set();
      invocation.changes.add(service.changed);
    }
    const operations = plugin.operations as Record<string, AnyHandler>;
    const modelled = Object.hasOwn(operations, operation);
    const handler = modelled ? operations[operation] : internalHandler(plugin, invocation);
    if (!handler) throw notImplemented(invocation.service, operation);
    const failures = modelled ? service.codec.validate(operation, input) : [];
    if (failures.length) refuse(plugin, operation, failures);
    const dryRun = typeof invocation.authorize === 'object' && invocation.authorize.dryRun;
    if (this.quotas.active && !dryRun) this.quotas.throttle(invocation);
    const ctx = new OperationContextImpl(this, service, invocation);
    const prepared = plugin.prepare?.(operation, input, ctx as never);
    if (dryRun) return Promise.resolve(prepared).then(() => this.authorize(service, invocation, ctx));
    if (prepared)
      return prepared
        .then(() => this.authorize(service, invocation, ctx))
        .then(() => this.handle(handler, invocation, ctx));
    const authorized = this.authorize(service, invocation, ctx);
    if (authorized) return authorized.then(() => this.handle(handler, invocation, ctx));
    return this.handle(handler, invocation, ctx);
  }

  private handle(handler: AnyHandler, invocation: Invocation, ctx: OperationContextImpl): unknown {
    if (this.quotas.active) this.quotas.check(invocation);
    return handler(invocation.input, ctx);
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
    const { Enforcement } = await import('../invocation/enforcement.ts');
    this.enforcement = await Enforcement.open(this);
    return this.enforcement;
  }

  /**
   * Runs an operation for a running one, whose answer waits for what it changed, or on behalf of a service or of the
   * program that the emulator is embedded in: then it resolves when what it changed is on disk.
   */
  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: InternalCallOptions,
  ): Promise<OperationOutput<Service, Operation>> {
    return this.dispatch(service, operation, input, options) as Promise<OperationOutput<Service, Operation>>;
  }

  /**
   * Runs an operation as `call` does, with an input from JSON; see `ServiceCaller.callJson`.
   * @param bytes what the member of the input is that is streamed
   * @throws AwsError `NotImplemented` for an operation that is not there; `ValidationException` for bytes that none of its members takes
   */
  async callJson(
    service: string,
    operation: string,
    json: unknown,
    options?: InternalCallOptions,
    bytes?: AsyncIterable<Uint8Array>,
  ): Promise<unknown> {
    const { codec, plugin } = await this.service(service);
    if (!Object.hasOwn(plugin.operations, operation)) throw notImplemented(service, operation);
    const { input, failures } = codec.inputFromJson(operation, json);
    if (failures.length) refuse(plugin, operation, failures);
    if (bytes) (input as Record<string, unknown>)[streamedMember(plugin, operation)] = bytes;
    try {
      return await this.dispatch(service, operation, input, options);
    } catch (error) {
      throw error instanceof AwsError ? withStatus(plugin.model, error) : error;
    }
  }

  private dispatch(
    service: string,
    operation: string,
    input: unknown,
    options: InternalCallOptions = {},
  ): Promise<unknown> {
    const accountId = options.accountId ?? this.settings.accountId;
    const region = options.region ?? this.settings.region;
    const signal = options.signal ?? NEVER_ABORTED;
    const invocation: Invocation = {
      service,
      operation,
      input,
      accountId,
      region,
      principal: options.principal ?? rootOf(accountId, region),
      requestId: options.requestId ?? this.ids.uuid(),
      cause: options.cause,
      endpoint: options.endpoint ?? this.settings.externalUrl ?? '',
      changes: options.changes,
      signal: () => signal,
    };
    const { via, changes, authorize, traceHeader, doneAtOnce } = options;
    if (authorize) invocation.authorize = { ...authorize, via: via ?? '' };
    if (traceHeader !== undefined) invocation.traceHeader = traceHeader;
    const independent = changes === undefined;
    if (this.observers.wants(service))
      return this.observers.call(invocation, via, () => this.complete(invocation, independent, doneAtOnce));
    return this.complete(invocation, independent, doneAtOnce);
  }

  /**
   * @param independent whether no answer waits for what the call changes
   * @param doneAtOnce see `InternalCallOptions.doneAtOnce`
   */
  private async complete(invocation: Invocation, independent: boolean, doneAtOnce?: () => void): Promise<unknown> {
    const answered = this.invoke(invocation);
    if (doneAtOnce && !(answered instanceof Promise) && !anyDirty(invocation)) doneAtOnce();
    const output = await answered;
    const writing = independent ? this.settled(invocation) : undefined;
    if (writing) await writing;
    return output;
  }

  /** See `ServiceHandle.modelOf`. */
  async modelOf(service: string): Promise<ServiceModel | undefined> {
    return this.manifestOf(service) ? (await this.service(service)).plugin.model : undefined;
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

  /** The data directory; undefined in memory mode. */
  get dataDirectory(): string | undefined {
    return this.options.persistence?.directory;
  }

  /** Whether there is a data directory. */
  get persistent(): boolean {
    return this.options.persistence !== undefined;
  }

  /**
   * What the answer to an operation waits for: that everything it and its calls changed, or may have read, is on disk.
   * @returns undefined where there is nothing to wait for; a promise that rejects where it cannot be written, unless the
   *   operation only read
   */
  settled({ changes, operation }: Invocation): Promise<void> | undefined {
    const writing = changes && allCommitted(changes);
    if (!writing) return undefined;
    const numbering = this.ownState.settled();
    const settled = numbering ? Promise.all([writing, numbering]).then(() => undefined) : writing;
    // The writer that it may have read from is told, and tries again.
    return readsOnly(operation) ? settled.catch(() => undefined) : settled;
  }

  /**
   * Resolves when every change so far by a service and of the credentials is on disk, or by all services where none is
   * named; at once in memory mode. Rejects where they cannot be written.
   */
  async committed(service?: string): Promise<void> {
    if (service === undefined) return this.options.persistence?.committed();
    const changed = this.loaded.get(service)?.changed;
    const { store } = this.credentials;
    await allCommitted(changed ? [store, changed] : [store]);
  }

  /**
   * Removes the state of a service, or of all where none is named, for one account or for all; on disk too before it
   * resolves. A service whose manifest says so takes its credentials with it.
   * @throws ControlError `InvalidRequest` for what is no account id, and for an account of a service without accounts;
   *   AwsError `NotImplemented` for a service that emu does not have
   */
  async reset(service?: string, accountId?: string): Promise<void> {
    if (accountId !== undefined) this.checkAccount(service, accountId);
    const targets = service === undefined ? [...this.loaded.values()] : [await this.service(service)];
    const released: Promise<void>[] = [];
    for (const target of targets) {
      await target.plugin.onReset?.(target as never, accountId);
      target.dropStates(accountId);
      released.push(target.store.clearInSlices(accountId, new Slices()));
      target.data?.clear(accountId);
    }
    if (service === undefined) {
      this.credentials.reset(undefined, accountId);
      this.quotas.reset(accountId);
      await this.ownState.store.committed();
    } else {
      const kind = this.manifestOf(service)?.credentials;
      if (kind) this.credentials.reset(kind, accountId);
    }
    const stores = [...targets.map((target) => target.store), this.credentials.store];
    await Promise.all([...released, allCommitted(stores)]);
    await Promise.all([
      ...stores.map((store) => store.rewrite()),
      ...targets.map((target) => target.data?.committed()),
      ...targets.filter((target) => target.store.hasBodies).map((target) => this.bodiesOf(target.name).clearOut()),
    ]);
  }

  /**
   * Notes everything there is at this moment: records, credentials, bodies, the time and the position of a seed's ids.
   * What services only count or list for the control routes is not among it. An operation that runs meanwhile is noted as
   * far as it has come.
   */
  snapshot(): Checkpoint {
    return this.checkpoints.take();
  }

  /**
   * Goes back to a checkpoint, as often as wanted; on disk too before it resolves. States, with their timers, waits and
   * workers, are ended and made anew of their records. Operations that still run may fail or be forgotten.
   * @throws Error for a checkpoint of another emulator, or one that was disposed of
   */
  async restore(checkpoint: Checkpoint): Promise<void> {
    await this.checkpoints.restore(checkpoint);
    this.sweepSessions();
    await this.committed();
  }

  /** Saves everything there is at this moment, or a part of it, as a file; see `saveState` for what is in it. */
  async saveState(selection: StateSelection = {}): Promise<AsyncIterable<Uint8Array>> {
    const { saveState } = await import('../state-file/save.ts');
    return saveState(this, selection);
  }

  /** Loads what `saveState` saved, here or elsewhere; see there for what is refused. On disk too before it resolves. */
  async loadState(source: AsyncIterable<Uint8Array>, options: LoadOptions): Promise<LoadedState> {
    const { loadState } = await import('../state-file/load.ts');
    return loadState(this, source, options);
  }

  /** @throws ControlError where a service cannot be reset for an account, or the account id is none */
  private checkAccount(service: string | undefined, accountId: string): void {
    if (service !== undefined && this.manifestOf(service)?.withoutAccounts)
      throw new ControlError(400, 'InvalidRequest', `${service} has no state per account; reset all of it.`);
    if (!/^\d{12}$/.test(accountId))
      throw new ControlError(400, 'InvalidRequest', `${JSON.stringify(accountId)} is not a 12-digit account id.`);
  }

  private manifestOf(name: string): ServiceManifest | undefined {
    return this.manifests.find((candidate) => candidate.name === name);
  }

  /** Lets requests that wait for something to happen answer now: for the moment before the ports close. */
  endWaits(): void {
    this.recorder.endFollowing();
    for (const service of this.loaded.values()) service.endWaits();
  }

  /** Stops timers and writes everything out. */
  async close(): Promise<void> {
    await this.observers.settled();
    // A service that finishes loading later would open its journal in a directory that is closed.
    await Promise.allSettled(this.loading.values());
    this.clock.close();
    for (const service of this.loaded.values()) service.dropStates(undefined);
    for (const service of this.loaded.values()) await service.data?.close();
    await this.containers.close();
    await this.self?.close();
    this.ownState.close();
    const { persistence } = this.options;
    const [written] = await Promise.allSettled([persistence?.committed()]);
    // Before the directory is closed, since another process may have it afterwards.
    for (const bodies of this.bodyStores.values()) await bodies.close();
    await persistence?.close();
    if (written.status === 'rejected') throw written.reason;
  }

  private async load(name: string): Promise<LoadedService> {
    const manifest = this.manifestOf(name);
    if (!manifest) throw notImplemented(name);
    const plugin = await manifest.load();
    const owner = plugin.stateOf === undefined ? undefined : await this.service(plugin.stateOf);
    const service = new LoadedService(this, plugin, owner);
    await this.openStore(service.store);
    await service.openData(this.dataPlaceOf(service)).catch((error: unknown) => {
      throw this.dataDirectory === undefined ? error : withAdvice(error, this.dataDirectory);
    });
    try {
      (await service.makeStates(new Slices()))();
    } catch (error) {
      // What was woken must not go on beside what the next attempt makes.
      service.dropStates(undefined);
      await service.data?.close();
      if (this.options.persistence) await this.closeBodies(name);
      throw error;
    }
    this.loaded.set(name, service);
    return service;
  }

  /** Closes a service's body store: the next one counts anew. */
  private async closeBodies(service: string): Promise<void> {
    const bodies = this.bodyStores.get(service);
    this.bodyStores.delete(service);
    await bodies?.close();
  }

  /** Where a service keeps data of its own; undefined in memory mode. */
  private dataPlaceOf(service: LoadedService): DataPlace | undefined {
    const { name } = service;
    const { persistence } = this.options;
    const { directory, fileSystem } = persistence ?? {};
    if (directory === undefined || !fileSystem) return undefined;
    return {
      directory: join(directory, name),
      fileSystem,
      log: this.log,
      expected: persistence?.hasData?.(name) ?? false,
      recordsCommitted: () => service.committed(),
      noteData: async () => persistence?.noteData?.(name),
    };
  }

  private async openStore(store: ServiceStore): Promise<void> {
    const { persistence } = this.options;
    if (!persistence) return;
    const split = new RegionalSplit(store.collections, this.settings.region);
    const journal = await persistence.open(
      store.service,
      (change) => {
        if (!split.take(change)) store.restore(change);
      },
      () => store.snapshot(),
    );
    for (const change of split.placed()) store.restore(change);
    store.attach(journal);
    if (split.size) {
      // At once: what is journalled from now on names the regions.
      await journal.rewrite();
      this.log.info(`${split.size} records of ${store.service} were kept per account and are in their regions now`);
    }
    if (!store.hasBodies) return;
    store.retainBodies();
    await this.bodiesOf(store.service).clearOut();
  }
}

/** How often sessions that ended are looked for, in milliseconds. */
const SESSION_SWEEP = 3_600_000;
/** An expired session is remembered for a day, so that its user learns that it expired and not that it never was. */
const EXPIRED_SESSION_RETENTION = 86_400_000;

const NEVER_ABORTED = new AbortController().signal;

/** Whether a caller without a signature is let in by permissions alone, even where policies are not enforced. */
const needsPermission = ({ plugin }: LoadedService, { principal }: Invocation): boolean =>
  principal.type === 'anonymous' && plugin.authorization?.anonymous === true;
