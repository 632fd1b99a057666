import type { Capability } from '../base/capability.ts';
import type { IdSource } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { OperationInput, OperationName, OperationOutput, ServiceName } from '../calls/calls.ts';
import { quotaDirectory } from '../capabilities/quotas.ts';
import { resourceDirectory } from '../capabilities/resource-directory.ts';
import { resourceProviders } from '../capabilities/resource-providers.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import { Invoker } from '../invocation/invoker.ts';
import { Observers } from '../invocation/observers.ts';
import { ServiceCalls } from '../invocation/service-calls.ts';
import type { EmulatorNames } from '../names/aws-names.ts';
import { allCommitted } from '../persistence/all-committed.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import { RequestRecorder } from '../recorder/recorder.ts';
import { Resumptions } from '../resumption/resumptions.ts';
import { Environment, type EnvironmentOptions, type SelfAccess } from '../services/environment.ts';
import type { Invocation } from '../services/invocation.ts';
import type { LazyContainers } from '../services/lazy-containers.ts';
import type { InternalCallOptions, LoadedService } from '../services/loaded-service.ts';
import { OwnState } from '../services/own-state.ts';
import type { Parts } from '../services/parts.ts';
import { Quotas } from '../services/quotas.ts';
import { ServiceRegistry } from '../services/service-registry.ts';
import { ServiceStorage } from '../services/service-storage.ts';
import { SessionSweep } from '../services/session-sweep.ts';
import type { StoredCredentials } from '../services/stored-credentials.ts';
import { Turnover } from '../services/turnover.ts';
import type { LoadedState, LoadOptions } from '../state-file/load.ts';
import type { StateSelection } from '../state-file/selection.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { EmulatorClock } from '../time/clock.ts';
import { CapabilityRegistry } from './capability-registry.ts';
import { type Checkpoint, Checkpoints } from './checkpoint.ts';
import { Lifecycle } from './lifecycle.ts';
import { ManifestProviders } from './manifest-providers.ts';
import { reset } from './reset.ts';
import { ResourceIndex } from './resource-directory.ts';

/** Options of a kernel. */
export interface KernelOptions extends EnvironmentOptions {
  /** Opens the body store of a service. */
  bodies: (service: string) => BodyStore;
}

/** An emulator without its listeners: loads services, runs their operations and stores their state. */
export class Kernel {
  readonly clock: EmulatorClock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly settings: EmulatorSettings;
  readonly manifests: readonly ServiceManifest[];
  readonly credentials: StoredCredentials;
  readonly containers: LazyContainers;
  /** The recent requests, for `GET /_emulator/requests`. */
  readonly recorder: RequestRecorder;
  /** Services that observe answered requests. */
  readonly observers: Observers;
  /** Quotas of the services, and their enforcement. */
  readonly quotas: Quotas;
  /** The resources of all services. */
  readonly resources: ResourceIndex;
  /** Replaces records for checkpoints and state files while requests wait. */
  readonly turnover: Turnover;
  private readonly parts: Parts & { readonly calls: ServiceCalls };
  private readonly invoker: Invoker;
  private readonly lifecycle: Lifecycle;
  private readonly checkpoints: Checkpoints;

  constructor(options: KernelOptions) {
    const environment = new Environment(options);
    const { clock, ids, settings, manifests } = environment;
    const storage = new ServiceStorage(environment, options.bodies);
    const registry: ServiceRegistry = new ServiceRegistry(environment, storage, async (plugin, owner) => {
      // Loaded with the first service: it brings the protocols, which a start does not need.
      const { LoadedService } = await import('../services/loaded-service.ts');
      return new LoadedService(this.parts, plugin, owner);
    });
    const { EMULATOR_RECORD_REQUESTS: recording, EMULATOR_RECORD_BYTES: limit } = settings.values;
    const recorder = new RequestRecorder(recording, limit, (name) => registry.loadedService(name)?.codec);
    const observers = new Observers(environment, registry, recorder);
    const turnover = new Turnover(clock);
    const ownState = new OwnState(clock, ids);
    const quotas = new Quotas({ environment, registry }, ownState.quotaValues, () => ownState.store.committed());
    const resources = new ResourceIndex(manifests, registry);
    const capabilities = new CapabilityRegistry(manifests, registry, [
      { capability: quotaDirectory, make: () => quotas },
      { capability: resourceDirectory, make: () => resources },
      { capability: resourceProviders, make: () => new ManifestProviders(manifests) },
    ]);
    const calls = new ServiceCalls(environment, registry, observers, this);
    const sessionSweep = new SessionSweep(environment);
    const resumptions = new Resumptions({
      marks: ownState.resumptionMarks,
      committed: () => ownState.store.committed(),
      log: environment.log,
      persistent: environment.persistent,
      off: settings.values.EMULATOR_NO_RESUME,
    });
    this.parts = {
      environment,
      storage,
      registry,
      quotas,
      capabilities,
      calls,
      ownState,
      turnover,
      sessionSweep,
      resumptions,
    };
    this.invoker = new Invoker(this.parts);
    this.lifecycle = new Lifecycle(this.parts, observers, recorder);
    this.checkpoints = new Checkpoints(this.parts);
    this.clock = clock;
    this.ids = ids;
    this.log = environment.log;
    this.settings = settings;
    this.manifests = manifests;
    this.credentials = environment.credentials;
    this.containers = environment.containers;
    this.recorder = recorder;
    this.observers = observers;
    this.quotas = quotas;
    this.resources = resources;
    this.turnover = turnover;
  }

  /** The emulator's address for programs on this machine; set by the gateway. */
  set self(access: SelfAccess) {
    this.parts.environment.self = access;
  }

  /** AWS's host names, and the authority for their certificates. */
  get names(): EmulatorNames {
    return this.parts.environment.names;
  }

  /** Returns the names of all services, loaded or not, in order. */
  get services(): string[] {
    return this.parts.registry.names;
  }

  /** Whether the emulator has a data directory. */
  get persistent(): boolean {
    return this.parts.environment.persistent;
  }

  /** Returns the path of the data directory; undefined in memory mode. */
  get dataDirectory(): string | undefined {
    return this.parts.environment.dataDirectory;
  }

  /** See `Lifecycle.start`. */
  start(): Promise<void> {
    return this.lifecycle.start();
  }

  /**
   * Begins to resume interrupted work of an earlier process; called once the emulator is ready. Resolves when it has
   * begun.
   */
  resume(): Promise<void> {
    return this.parts.resumptions.start();
  }

  /** See `Lifecycle.endWaits`. */
  endWaits(): void {
    this.lifecycle.endWaits();
  }

  /** See `Lifecycle.close`. */
  close(): Promise<void> {
    return this.lifecycle.close();
  }

  /** See `ServiceRegistry.loadedService`. */
  loadedService(name: string): LoadedService | undefined {
    return this.parts.registry.loadedService(name);
  }

  /** See `ServiceRegistry.ownerOfHost`. */
  ownerOfHost(name: string): ServiceManifest | undefined {
    return this.parts.registry.ownerOfHost(name);
  }

  /** See `ServiceRegistry.beforeLoading`. */
  beforeLoading(action: () => void): void {
    this.parts.registry.beforeLoading(action);
  }

  /** See `ServiceRegistry.loadedServices`. */
  loadedServices(): LoadedService[] {
    return this.parts.registry.loadedServices();
  }

  /** See `ServiceRegistry.service`. */
  service(name: string): Promise<LoadedService> {
    return this.parts.registry.service(name);
  }

  /** See `ServiceHandle.capability`. */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined> {
    return this.parts.capabilities.capability(capability);
  }

  /** See `ServiceStorage.bodiesOf`. */
  bodiesOf(service: string): BodyStore {
    return this.parts.storage.bodiesOf(service);
  }

  /** See `Invoker.invoke`. */
  invoke(invocation: Invocation): unknown {
    return this.invoker.invoke(invocation);
  }

  /** See `Invoker.settled`. */
  settled(invocation: Invocation): Promise<void> | undefined {
    return this.invoker.settled(invocation);
  }

  /** See `ServiceCalls.call`. */
  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: InternalCallOptions,
  ): Promise<OperationOutput<Service, Operation>> {
    return this.parts.calls.call(service, operation, input, options);
  }

  /** See `ServiceCalls.callJson`. */
  callJson(
    service: string,
    operation: string,
    json: unknown,
    options?: InternalCallOptions,
    bytes?: AsyncIterable<Uint8Array>,
  ): Promise<unknown> {
    return this.parts.calls.callJson(service, operation, json, options, bytes);
  }

  /**
   * Resolves when every change so far by a service and of the credentials is on disk, or by all services if none is
   * given; at once in memory mode. Rejects if they cannot be written.
   */
  async committed(service?: string): Promise<void> {
    const { environment, registry } = this.parts;
    if (service === undefined) return environment.persistence?.committed();
    const changed = registry.loadedService(service)?.changed;
    const { store } = environment.credentials;
    await allCommitted(changed ? [store, changed] : [store]);
  }

  /** See `reset` of reset.ts. */
  reset(service?: string, accountId?: string): Promise<void> {
    return reset(this.parts, service, accountId);
  }

  /**
   * Takes a checkpoint of everything at this moment: records, credentials, bodies, the time and the position of a
   * seed's ids, without counts and lists for control routes only. It includes a running operation's changes so far.
   */
  snapshot(): Checkpoint {
    return this.checkpoints.take();
  }

  /**
   * Restores a checkpoint, any number of times; on disk too before it resolves. States, with their timers, waits and
   * workers, are ended and created again from their records. Running operations may fail or lose their changes.
   * @throws Error for a checkpoint of another emulator, and for a disposed one
   */
  async restore(checkpoint: Checkpoint): Promise<void> {
    await this.checkpoints.restore(checkpoint);
    this.parts.sessionSweep.restart();
    await this.committed();
  }

  /** See `saveState` of state-file/save.ts. */
  async saveState(selection: StateSelection = {}): Promise<AsyncIterable<Uint8Array>> {
    const { saveState } = await import('../state-file/save.ts');
    return saveState(this.parts, selection);
  }

  /** See `loadState` of state-file/load.ts. */
  async loadState(source: AsyncIterable<Uint8Array>, options: LoadOptions): Promise<LoadedState> {
    const { loadState } = await import('../state-file/load.ts');
    return loadState(this.parts, source, options);
  }
}
