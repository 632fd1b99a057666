import type { ServiceModel } from '@emu/wire';
import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { CallOptions, OperationInput, OperationName, ServiceCaller, ServiceName } from '../calls/calls.ts';
import type { Collection, CollectionDefinition } from '../collections/collection.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { Containers } from '../containers/containers.ts';
import type { CredentialRegistry } from '../identity/principal.ts';
import type { AwsNames } from '../names/aws-names.ts';
import type { QuotaFacts } from '../quotas/quota.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { Clock } from '../time/clock.ts';
import type { OwnData } from './own-data.ts';

/**
 * Dependencies of the state of one scope. It calls other services on its own behalf, e.g. from a timer. Responses of
 * the service, which may have caused a call, wait until the call's changes are on disk.
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
  /** The result of the plugin's `openData`. */
  readonly data: OwnData | undefined;
  collection<T>(definition: CollectionDefinition<T>): Collection<T>;
  /**
   * Calls an operation like `call`, for an `Outbox`, which stores undelivered calls.
   * @returns undefined if it finished in this turn and no write is pending
   */
  handOver<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: CallOptions,
  ): Promise<unknown> | undefined;
}

/** Marks interrupted work, so that `interruptedRecords` is the only way to make it. */
export const OF_RECORDS: unique symbol = Symbol('of records');

/** Work that an earlier process left unfinished. */
export interface InterruptedWork {
  readonly [OF_RECORDS]: true;
  /** Identifies it among the interrupted work of the service's state, e.g. `execution orders:1`; shown in the log. */
  readonly name: string;
  /**
   * Continues it, unless it has ended since.
   * @returns a promise that resolves when it has ended; undefined if its end is unknown
   */
  resume(): Promise<unknown> | undefined;
  /**
   * Ends it as failed, because it could not be resumed or emu was terminated repeatedly meanwhile.
   * @param reason a sentence
   */
  fail(reason: string): void | Promise<void>;
}

/** Background work of a state, such as deliveries, polls and due records. The clock runs its timers. */
export interface Worker {
  /** Starts the timers that the records require; called once, when the state is complete. */
  resume?(): void;
  /**
   * Returns the work that an earlier process left unfinished, made by `interruptedRecords`; called once, after
   * `resume`. The kernel resumes it later,
   * when the emulator is ready and the states of all services exist.
   */
  interrupted?(): Iterable<InterruptedWork>;
  /** Ends running work; called when the state is reset, and after the emulator has closed its ports. */
  close?(): void;
  /** Responds to waiting requests, now and from now on, as the emulator is about to close. */
  endWaits?(): void;
}

/** A state with workers: the kernel resumes them with the state, and ends them with the state in reverse order. */
export interface WorkingState {
  readonly workers: readonly Worker[];
  /**
   * Derives data from the collections, about one record a step, for large states. Completed before the state is used
   * and before its workers are resumed; other work may run in between.
   */
  fill?(): Iterable<unknown>;
}

/** The service with all its states, for control routes and scopes. It calls other services as a scope does. */
export interface ServiceHandle<State = unknown> extends ServiceCaller {
  readonly name: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly settings: EmulatorSettings;
  readonly credentials: CredentialRegistry;
  /** Backend of containers, Pods or processes. */
  readonly containers: Containers;
  /** AWS's host names, which lead programs and requests of emu to emu itself. */
  readonly names: AwsNames;
  /**
   * Returns the emulator's URL, without a trailing slash, for programs on this machine, such as code that it runs.
   * Opens a port on the loopback interface if none is open.
   * @throws Error if the emulator has no gateway
   */
  selfUrl(): Promise<string>;
  /**
   * Whether a host name belongs to a resource of any service, see `ServicePlugin.ownsHost`. @param name in lower case,
   * without a port
   */
  ownsHost(name: string): boolean;
  /** Returns the path below which emu serves the resource with a host name, see `ServicePlugin.pathOfHost`. */
  pathOfHost(name: string): string | undefined;
  /** Returns the model of a service, by emu's name; undefined if it is not mounted. */
  modelOf(service: string): Promise<ServiceModel | undefined>;
  /**
   * Returns a capability of another service; undefined if no mounted service provides it. A promise only if that
   * service must be loaded first.
   */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
  /** Returns the limit of one of the service's quotas, at its applied value; infinite if it is not enforced. */
  quotaLimit(quota: QuotaFacts, accountId: string, region: string): number;
  /** Returns the applied value of a quota, enforced or not. */
  quotaValue(quota: QuotaFacts, accountId: string, region: string): number;
  /** Returns the state of a scope; creates it if it does not exist. */
  state(accountId: string, region: string): State;
  /** Returns the state of a scope; undefined for an empty one, which is not created. */
  existingState(accountId: string, region: string): State | undefined;
  /**
   * Turns `observe` on or off for a state, if the manifest's observation is on demand. The subscription ends with the
   * state.
   */
  observeRequests(state: object, wanted: boolean): void;
  /** Returns every state, in order of account and region. */
  states(): Iterable<{ accountId: string; region: string; state: State }>;
  /**
   * Writes every record to a snapshot: to `<directory>/<service>/snapshot.json`, as in a data directory, or to the
   * emulator's own data directory if that or none is given.
   * @returns false if none is given and the emulator has none
   * @throws ControlError `InvalidDataPath` for a directory with an emulator's state; Error of the file system
   */
  saveSnapshot(directory?: string): Promise<boolean>;
  /**
   * Resolves when every change of the service so far is on disk, at once in memory mode; bulk loads await it
   * periodically. @throws Error if they cannot be written
   */
  committed(): Promise<void>;
}
