import {
  awsError,
  compileService,
  type ServiceCodec,
  type ServiceModel,
  type ValidationFailure,
  validationError,
} from '@emu/wire';
import { partitionOf } from '../aws/partitions.ts';
import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { CallOptions, OperationInput, OperationName, OperationOutput, ServiceName } from '../calls/calls.ts';
import type { CollectionDefinition } from '../collections/collection.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { Containers } from '../containers/containers.ts';
import type { AwsNames } from '../names/aws-names.ts';
import type { ServiceHandle, StateScope, Worker, WorkingState } from '../plugin/handle.ts';
import type { DataPlace, OwnData } from '../plugin/own-data.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import type { QuotaFacts } from '../quotas/quota.ts';
import type { Resumptions } from '../resumption/resumptions.ts';
import { ServiceStore } from '../state/store.ts';
import type { Clock, EmulatorClock } from '../time/clock.ts';
import type { Slices } from '../time/slices.ts';
import { StateClock } from '../time/state-clock.ts';
import type { Environment } from './environment.ts';
import type { Quotas } from './quotas.ts';
import type { ServiceStorage } from './service-storage.ts';
import type { StoredCredentials } from './stored-credentials.ts';

/** Calls operations on behalf of services. */
export interface InternalCaller {
  /** See `ServiceCaller.call`. */
  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: InternalCallOptions,
  ): Promise<OperationOutput<Service, Operation>>;
  /** See `ServiceCaller.callJson`. */
  callJson(service: string, operation: string, json: unknown, options?: InternalCallOptions): Promise<unknown>;
}

/** Finds capabilities of services. */
export interface Capabilities {
  /** See `ServiceHandle.capability`. */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}

/** A loaded service's dependencies in its emulator. */
export interface ServiceHost {
  readonly environment: Environment;
  readonly storage: Pick<ServiceStorage, 'bodiesOf'>;
  readonly registry: {
    /** See `ServiceHandle.modelOf`. */
    modelOf(service: string): Promise<ServiceModel | undefined>;
    /** Returns the service with a resource that has a host name; undefined if none has. */
    ownerOfHost(name: string): object | undefined;
    /** See `ServiceHandle.pathOfHost`. */
    pathOfHost(name: string): string | undefined;
  };
  readonly quotas: Pick<Quotas, 'limit' | 'value'>;
  readonly capabilities: Capabilities;
  readonly calls: InternalCaller;
  readonly resumptions: Pick<Resumptions, 'add' | 'prune'>;
}

/** Options of a call from inside the emulator, in addition to the caller's own. */
export interface InternalCallOptions extends CallOptions {
  /** The calling service. */
  via?: string;
  /** See `Invocation.changes`; undefined for a call without a waiting response. */
  changes?: Set<ServiceStore> | undefined;
  /** Called before the call returns its promise, if everything is done by then and no write is pending. */
  doneAtOnce?: () => void;
}

type OpenState = { accountId: string; region: string; state: unknown; clock: StateClock };
type StateMap = Map<string, OpenState>;
/** A state that is not completely filled. */
type FillingState = OpenState & { readonly steps: Iterator<unknown> };

/** A loaded service: its plugin, codec, records and states. */
export class LoadedService implements ServiceHandle {
  readonly codec: ServiceCodec;
  readonly store: ServiceStore;
  readonly log: Logger;
  /** The service's own data, besides its records. */
  data: OwnData | undefined;
  private readonly stateMap: StateMap = new Map();
  private readonly filling = new Map<string, FillingState>();
  /** Whether the records are being replaced, so that observers cannot be called. */
  replacing = false;
  private latest: { accountId: string; region: string; state: unknown } | undefined;
  /** States that subscribe to requests. */
  private readonly observing = new Set<unknown>();
  private readonly offers = new Map<Capability<unknown>, unknown>();

  constructor(
    private readonly host: ServiceHost,
    readonly plugin: AnyServicePlugin,
    /** The service whose state this one uses, if it has none of its own. */
    private readonly owner?: LoadedService,
  ) {
    const { errorNamespace: namespace } = plugin;
    this.codec = compileService(plugin.model, namespace === undefined ? {} : { namespace });
    this.store = new ServiceStore(plugin.name, plugin.collections, () => host.storage.bodiesOf(plugin.name));
    this.log = host.environment.log;
  }

  get name(): string {
    return this.plugin.name;
  }
  /** Returns the store that its operations change: its own, or that of the service whose state it uses. */
  get changed(): ServiceStore {
    return this.owner ? this.owner.store : this.store;
  }
  get clock(): EmulatorClock {
    return this.host.environment.clock;
  }
  get ids(): Ids {
    return this.host.environment.ids;
  }
  get settings(): EmulatorSettings {
    return this.host.environment.settings;
  }
  get credentials(): StoredCredentials {
    return this.host.environment.credentials;
  }
  get containers(): Containers {
    return this.host.environment.containers;
  }
  get names(): AwsNames {
    return this.host.environment.names;
  }

  /**
   * Rejects an invalid input with the service's own error.
   * @throws AwsError unless the handler checks all of the failures itself
   */
  reject(operation: string, failures: readonly ValidationFailure[]): void {
    const custom = this.plugin.validationError?.(failures, operation);
    // Handlers receive only values of the model's types.
    const decoded = failures.every(({ constraint }) => constraint !== 'type' && constraint !== 'unknown');
    if (custom !== null || !decoded) throw custom ?? validationError(failures);
  }

  /** Opens the service's own data. @param place undefined in memory mode */
  async openData(place: DataPlace | undefined): Promise<void> {
    this.data = await this.plugin.openData?.(place);
  }

  selfUrl(): Promise<string> {
    return this.host.environment.selfUrl();
  }

  ownsHost(name: string): boolean {
    return this.host.registry.ownerOfHost(name) !== undefined;
  }

  pathOfHost(name: string): string | undefined {
    return this.host.registry.pathOfHost(name);
  }

  modelOf(service: string): Promise<ServiceModel | undefined> {
    return this.host.registry.modelOf(service);
  }

  /** See `ServiceHandle.capability`. */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined> {
    return this.host.capabilities.capability(capability);
  }

  /** Returns a capability of the service itself; undefined if its plugin does not provide it. */
  offer<Offer>(capability: Capability<Offer>): Offer | undefined {
    if (!this.offers.has(capability)) {
      const provided = this.plugin.provides?.find((candidate) => candidate.capability === capability);
      if (!provided) return undefined;
      this.offers.set(capability, provided.make(this as never));
    }
    return this.offers.get(capability) as Offer;
  }

  /** See `ServiceHandle.quotaLimit`. */
  quotaLimit(quota: QuotaFacts, accountId: string, region: string): number {
    return this.host.quotas.limit(quota, accountId, region);
  }

  /** See `ServiceHandle.quotaValue`. */
  quotaValue(quota: QuotaFacts, accountId: string, region: string): number {
    return this.host.quotas.value(quota, accountId, region);
  }

  state(accountId: string, region: string): never {
    if (this.owner) return this.owner.state(accountId, region);
    const { stateScope } = this.plugin;
    const account = stateScope === 'global' ? '' : accountId;
    const place = stateScope === 'region' ? region : '';
    // Most requests have the scope of the previous one: a comparison costs less than creating and hashing a key.
    const { latest } = this;
    if (latest?.accountId === account && latest.region === place) return latest.state as never;
    const key = `${account}/${place}`;
    let entry = this.stateMap.get(key);
    if (!entry) {
      if (this.replacing)
        throw awsError('ServiceUnavailable', 'The state of the emulator is being replaced.', { status: 503 });
      const filling = this.filling.get(key) ?? this.begin(account, place);
      while (!filling.steps.next().done);
      entry = this.show(key, filling);
      this.startWorkers(key, entry);
    }
    this.latest = entry;
    return entry.state as never;
  }

  existingState(accountId: string, region: string): never | undefined {
    if (this.owner) return this.owner.existingState(accountId, region);
    const { stateScope } = this.plugin;
    const key = `${stateScope === 'global' ? '' : accountId}/${stateScope === 'region' ? region : ''}`;
    return this.stateMap.get(key)?.state as never;
  }

  /** Whether a state subscribes to requests. */
  get observesRequests(): boolean {
    return this.observing.size > 0;
  }

  observeRequests(state: object, wanted: boolean): void {
    if (wanted) this.observing.add(state);
    else this.observing.delete(state);
  }

  *states(): Iterable<{ accountId: string; region: string; state: never }> {
    if (this.owner) return yield* this.owner.states();
    const keys = [...this.stateMap.keys()].sort();
    for (const key of keys) yield this.stateMap.get(key) as OpenState & { state: never };
  }

  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: CallOptions,
  ): Promise<OperationOutput<Service, Operation>> {
    return this.host.calls.call(service, operation, input, { ...options, via: this.name });
  }

  callJson(service: string, operation: string, json: unknown, options?: CallOptions): Promise<unknown> {
    return this.host.calls.callJson(service, operation, json, { ...options, via: this.name });
  }

  async saveSnapshot(directory?: string): Promise<boolean> {
    if (this.owner) return this.owner.saveSnapshot(directory);
    if (directory === undefined) {
      if (!this.host.environment.persistent) return false;
      await this.store.rewrite();
      return true;
    }
    // Loaded lazily: memory mode does not need it.
    const { isSameDirectory, saveSnapshot } = await import('../persistence/snapshot-save.ts');
    const { dataDirectory, version, log } = this.host.environment;
    if (dataDirectory !== undefined && (await isSameDirectory(directory, dataDirectory))) await this.store.rewrite();
    else await saveSnapshot(directory, { service: this.name, records: this.store.picture(), version, log });
    return true;
  }

  committed(): Promise<void> {
    return this.changed.committed();
  }

  /**
   * Creates the states of every scope with persisted records, in slices.
   * @returns a function that starts their workers, so that their timers run
   */
  async makeStates(slices: Slices): Promise<() => void> {
    if (this.owner) return () => undefined;
    const { stateScope } = this.plugin;
    const made = new Map<string, OpenState>();
    for (const scope of this.store.scopes()) {
      // Records of a wider scope than a state's belong to no particular state.
      if (stateScope !== 'global' && (!scope.accountId || (stateScope === 'region' && !scope.region))) continue;
      const account = stateScope === 'global' ? '' : scope.accountId;
      const place = stateScope === 'region' ? scope.region : '';
      const key = `${account}/${place}`;
      // A request may have created it between two steps.
      if (this.stateMap.has(key)) continue;
      const filling = this.begin(account, place);
      this.filling.set(key, filling);
      try {
        while (!this.stateMap.has(key) && !filling.steps.next().done) {
          const pause = slices.pause();
          if (pause) await pause;
        }
      } catch (error) {
        filling.clock.close();
        throw error;
      } finally {
        this.filling.delete(key);
      }
      if (!this.stateMap.has(key)) made.set(key, this.show(key, filling));
    }
    return () => {
      for (const [key, entry] of made) this.startWorkers(key, entry);
    };
  }

  /** Starts the workers of a state, and passes on their interrupted work. */
  private startWorkers(key: string, entry: OpenState): void {
    const workers = workersOf(entry.state);
    for (const worker of workers) worker.resume?.();
    const owner = {
      name: `${this.name} ${key}`,
      isOpen: () => this.stateMap.get(key) === entry,
      committed: () => this.committed(),
    };
    for (const worker of workers) this.host.resumptions.add(owner, worker.interrupted?.() ?? []);
  }

  /** Creates a state that is not filled yet. */
  private begin(accountId: string, region: string): FillingState {
    const clock = new StateClock(this.clock);
    const state: unknown = this.plugin.createState?.(this.scope(accountId, region, clock));
    const steps = ((state as Partial<WorkingState> | undefined)?.fill?.() ?? [])[Symbol.iterator]();
    return { accountId, region, state, clock, steps };
  }

  private show(key: string, { accountId, region, state, clock }: FillingState): OpenState {
    const entry: OpenState = { accountId, region, state, clock };
    this.stateMap.set(key, entry);
    return entry;
  }

  /** Drops the states of an account, or all, and closes their workers. */
  dropStates(accountId: string | undefined): void {
    for (const [key, entry] of this.stateMap) {
      if (accountId !== undefined && entry.accountId !== accountId) continue;
      for (const worker of workersOf(entry.state).toReversed()) worker.close?.();
      entry.clock.close();
      this.stateMap.delete(key);
      this.observing.delete(entry.state);
      this.latest = undefined;
    }
    this.host.resumptions.prune();
  }

  /** Ends the waits of requests in every state. */
  endWaits(): void {
    for (const { state } of this.stateMap.values()) for (const worker of workersOf(state)) worker.endWaits?.();
  }

  private scope(accountId: string, region: string, clock: Clock): StateScope {
    const { host, store } = this;
    const { environment, calls } = host;
    return {
      accountId,
      region,
      partition: partitionOf(region || environment.settings.region),
      service: this,
      clock,
      ids: environment.ids,
      log: environment.log,
      bodies: host.storage.bodiesOf(this.name),
      settings: environment.settings,
      data: this.data,
      collection: <T>(definition: CollectionDefinition<T>) => store.collection(definition, accountId, region),
      call: (service, operation, input, options) =>
        calls.call(service, operation, input, { accountId, region, ...options, via: this.name }),
      callJson: (service, operation, json, options) =>
        calls.callJson(service, operation, json, { accountId, region, ...options, via: this.name }),
      handOver: (service, operation, input, options) => {
        let done = false;
        const doneAtOnce = (): void => {
          done = true;
        };
        const given = { accountId, region, ...options, via: this.name, doneAtOnce };
        const answered = calls.call(service, operation, input, given);
        return done ? undefined : answered;
      },
    };
  }
}

const IDLE: readonly Worker[] = [];

/** Returns the workers of a state; most states have none. */
const workersOf = (state: unknown): readonly Worker[] => (state as Partial<WorkingState> | undefined)?.workers ?? IDLE;
