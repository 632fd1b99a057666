import type { ServiceModel } from '@emu/wire';
import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { CallOptions, OperationInput, OperationName, ServiceCaller, ServiceName } from '../calls/calls.ts';
import type { Collection, CollectionDefinition } from '../collections/collection.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { Containers } from '../containers/containers.ts';
import type { CredentialRegistry } from '../identity/principal.ts';
import type { QuotaFacts } from '../quotas/quota.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { Clock } from '../time/clock.ts';
import type { OwnData } from './own-data.ts';

/**
 * What the state of one scope is made from. It calls other services on its own behalf, e.g. from a timer. Answers of the
 * service, which may have set a call off, wait until what it changed is on disk.
 */
export interface StateScope extends ServiceCaller {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly service: ServiceHandle;
  /** Its timers end with the state. */
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly bodies: BodyStore;
  readonly settings: EmulatorSettings;
  /** What the plugin's `openData` opened. */
  readonly data: OwnData | undefined;
  collection<T>(definition: CollectionDefinition<T>): Collection<T>;
  /**
   * Calls an operation as `call` does, for who keeps a record of what is not handed over (`Outbox`).
   * @returns undefined where it was done in this turn and nothing of it waits to be written
   */
  handOver<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: CallOptions,
  ): Promise<unknown> | undefined;
}

/** Work that a state does of its own accord, such as deliveries, polls and what falls due. Its timers are the clock's. */
export interface Worker {
  /** Begins what the records say is to be done, or goes on with it; called once, when the state is whole. */
  resume?(): void;
  /** Ends what is under way; called when the state is reset, and when the emulator has closed its ports. */
  close?(): void;
  /** Answers requests that wait for something to happen, now and from now on: the emulator is about to close. */
  endWaits?(): void;
}

/** A state with work of its own: the kernel resumes it with the state and ends it with the state, the last first. */
export interface WorkingState {
  readonly workers: readonly Worker[];
  /**
   * Puts everything in place that the collections hold, a record or so with each step, where there may be very many. Taken
   * to its end before anybody sees the state and before its workers are resumed; other work may have its turn between.
   */
  fill?(): Iterable<unknown>;
}

/** The service as its control routes and scopes see it: all its states. It calls other services as a scope does. */
export interface ServiceHandle<State = unknown> extends ServiceCaller {
  readonly name: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly settings: EmulatorSettings;
  readonly credentials: CredentialRegistry;
  /** What containers, Pods or processes run on. */
  readonly containers: Containers;
  /**
   * URL, without a trailing slash, at which programs on this machine reach the emulator: what code that it runs calls
   * AWS by. A port of the loopback interface is opened where none is open yet.
   * @throws Error where the emulator has no gateway
   */
  selfUrl(): Promise<string>;
  /** The model of a service, by emu's name; undefined where it is not mounted. */
  modelOf(service: string): Promise<ServiceModel | undefined>;
  /**
   * What another service offers without an API of AWS's; undefined where no mounted service provides it. A promise only
   * where that service has to be loaded first.
   */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
  /** How many there may be by a quota of the service's own, at its applied value; infinite where it is not enforced. */
  quotaLimit(quota: QuotaFacts, accountId: string, region: string): number;
  /** The applied value of a quota, whether it is enforced or not. */
  quotaValue(quota: QuotaFacts, accountId: string, region: string): number;
  /** The state of a scope, made when it is not there yet. */
  state(accountId: string, region: string): State;
  /** The state of a scope; undefined where nothing has been there, so that asking makes none. */
  existingState(accountId: string, region: string): State | undefined;
  /**
   * Whether a state wants `observe` to be called, where the manifest's observation is on demand; the end of the state is the
   * end of its wish.
   */
  observeRequests(state: object, wanted: boolean): void;
  /** Every state that exists, in order of account and region. */
  states(): Iterable<{ accountId: string; region: string; state: State }>;
  /**
   * Writes every record to a snapshot: to `<directory>/<service>/snapshot.json`, as a data directory has it, or to the
   * emulator's own data directory where that or none is named.
   * @returns false where none is named and the emulator has none
   * @throws ControlError `InvalidDataPath` for a directory that holds state of an emulator; Error of the file system
   */
  saveSnapshot(directory?: string): Promise<boolean>;
  /**
   * Resolves when every change of the service so far is on disk, at once in memory mode; bulk loads wait for it now and
   * then. @throws Error where they cannot be written
   */
  committed(): Promise<void>;
}
