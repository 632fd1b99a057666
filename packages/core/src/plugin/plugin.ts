import type { AwsError, ServiceModel, ValidationFailure } from '@emu/wire';
import type { AnyCollectionDefinition, StateScopeKind } from '../collections/collection.ts';
import type { AnyPaging } from '../paging/paging.ts';
import type { AnyResourceType } from '../resources/resource-type.ts';
import type { ServiceAuthorization } from './authorization.ts';
import type { OperationContext } from './context.ts';
import type { ControlRoute } from './control.ts';
import type { DataPlaneRequest, DataPlaneResponse, UpgradableConnection, WebPageRequest } from './data-plane.ts';
import type { ServiceHandle, StateScope } from './handle.ts';
import type { AnsweredRequest } from './observer.ts';
import type { DataFindings, DataPlace, DataRepair, OwnData } from './own-data.ts';
import type { ProvidedCapability } from './provided.ts';

/** A table of operations, as generated with a service's types. */
export type OperationTypes = Record<string, { input: unknown; output: unknown }>;

/** Runs one operation; throws `awsError(…)` for the caller's errors. */
export type Handler<Input, Output, State> = (input: Input, ctx: OperationContext<State>) => Output | Promise<Output>;

/** Handlers by operation; an operation without one returns 501 `NotImplemented`. */
export type Handlers<Operations, State> = {
  [Name in keyof Operations]?: Operations[Name] extends { input: infer Input; output: infer Output }
    ? Handler<Input, Output, State>
    : never;
};

/** Paths of members by operation. */
export type EmptiableMembers<Operations> = { readonly [Name in keyof Operations]?: readonly string[] };

/** One emulated service. */
export interface ServicePlugin<Operations = OperationTypes, State = unknown> {
  /** emu's name of the service, e.g. `sqs`. */
  readonly name: string;
  readonly model: ServiceModel;
  /** Namespace of the error names in awsJson 1.0, e.g. `com.amazonaws.dynamodb.v20120810`; made from the name by default. */
  readonly errorNamespace?: string;
  /** The scope of one state object. */
  readonly stateScope: StateScopeKind;
  /**
   * Name of the service whose state this one uses, as DynamoDB Streams uses DynamoDB's: `ctx.state` and the handle's
   * states are that service's, and this one declares no collections and no `createState`.
   */
  readonly stateOf?: string;
  /** All collections of the service. */
  readonly collections: readonly AnyCollectionDefinition[];
  /**
   * Opens the service's own data, before its first state is created; states have it as `scope.data`.
   * @param place undefined in memory mode
   * @throws Error if the data on disk differs from what was written
   */
  openData?(place: DataPlace | undefined): Promise<OwnData>;
  /**
   * Checks the data that `openData` would open, without changing anything.
   * @param repair sets damaged files aside, so that `openData` opens the rest
   */
  inspectData?(place: DataPlace, repair?: DataRepair): Promise<DataFindings>;
  /** Creates the state of a scope from its collections, which hold the persisted records; sets its timers. */
  createState?(scope: StateScope): State;
  readonly operations: Handlers<Operations, State>;
  /**
   * Types of its addressable resources. An input belongs to the first type that identifies a resource in it; an
   * operation missing in `authorization` requires its permission on that resource.
   */
  readonly resources?: readonly AnyResourceType[];
  /** Paging of its operations with opaque tokens. */
  readonly paging?: AnyPaging;
  /**
   * Operations for other services that are not in AWS's API, as S3 replicates objects for S3 Batch Operations. They are
   * reached only by `call`, by names that are not in the model, and their inputs are not validated.
   */
  readonly internal?: Readonly<Record<string, (input: never, ctx: OperationContext<State>) => unknown>>;
  /**
   * Paths of optional members by operation, e.g. `Targets[].Input`, that requests may contain with empty values, as if
   * they were absent. Members that an empty value removes from a resource are not among them.
   */
  readonly ignoredIfEmpty?: EmptiableMembers<Operations>;
  /**
   * Called with every validated input before permissions are checked and the handler runs; may change it, as S3
   * replaces access points by their buckets.
   * @returns a promise only if it must wait
   * @throws AwsError for the caller's errors
   */
  prepare?(operation: string, input: unknown, ctx: OperationContext<State>): Promise<void> | undefined;
  readonly control?: readonly ControlRoute<State>[];
  /**
   * Returns the service's error for broken constraints of its model, if it differs from AWS's common
   * `ValidationException`; undefined for the common one, `null` to let the handler check itself.
   */
  validationError?(failures: readonly ValidationFailure[], operation: string): AwsError | null | undefined;
  /**
   * Called once when the emulator starts, if the service's manifest says `eager`. Requests are served after it has
   * resolved; an error aborts the start.
   */
  onStart?(handle: ServiceHandle<State>): Promise<void>;
  /**
   * Responds to a request that the manifest claims for the service's data plane.
   * @returns undefined if it is an API call, or belongs to another service that claims it; then its body must not have
   * been read
   */
  serve?(
    request: DataPlaneRequest,
    handle: ServiceHandle<State>,
  ): DataPlaneResponse | undefined | Promise<DataPlaneResponse | undefined>;
  /**
   * Accepts the connection of a client that requests a WebSocket, by a request that the manifest claims.
   * @returns `taken` if the service owns the connection from now on; a response that rejects it; undefined if it
   * belongs to another service that claims it
   */
  upgrade?(
    request: DataPlaneRequest,
    connection: UpgradableConnection,
    handle: ServiceHandle<State>,
  ): Promise<DataPlaneResponse | 'taken' | undefined>;
  /**
   * Responds to a data plane request that no claiming service has served, such as one with the host of an unknown API.
   * Its body must not be read.
   * @returns undefined if it may be an API call
   */
  unserved?(request: DataPlaneRequest): DataPlaneResponse | undefined;
  /**
   * Whether a host name belongs to a resource of the service: to a website's bucket, or a custom domain. A request with
   * such a name is for `serve` and reaches nothing else of emu, so that the name may belong to anyone. Called for every
   * request with a name that is not emu's own, only after the service is loaded; it must use an index.
   * @param name in lower case, without a port
   */
  ownsHost?(name: string, handle: ServiceHandle<State>): boolean;
  /**
   * Returns the path below which emu serves a resource by any host name, for clients that cannot resolve the
   * resource's own; undefined if it has none.
   * @param name a host name for which `ownsHost` is true
   */
  pathOfHost?(name: string, handle: ServiceHandle<State>): string | undefined;
  /**
   * Whether clients are requested to send certificates in TLS handshakes, which is optional for them: some host name of
   * the service requires it. Called for every TLS connection, only after the service is loaded.
   */
  asksClients?(handle: ServiceHandle<State>): boolean;
  /**
   * Whether a page whose origin is not allowed may send this request nevertheless, as any page may show S3's objects.
   * Without it, a service allows no such page for its API and WebSockets; its data plane serves links, and pages that
   * its responses allow by `Access-Control-Allow-Origin`.
   * @returns undefined for these default rules
   */
  admitsPage?(
    request: WebPageRequest,
    handle: ServiceHandle<State>,
  ): boolean | undefined | Promise<boolean | undefined>;
  /**
   * Called with answered requests and calls between services, as `observes` of the service's manifest declares; not
   * with the service's own calls.
   */
  observe?(request: AnsweredRequest, handle: ServiceHandle<State>): void | Promise<void>;
  /** Permissions of its operations; see `--enforce-iam`. */
  readonly authorization?: ServiceAuthorization<Operations, State>;
  /** Capabilities for other services; its manifest names the same ones. */
  readonly provides?: readonly ProvidedCapability<State>[];
  /** Called on reset, before records are removed, with the account that is reset (undefined for all). */
  onReset?(handle: ServiceHandle<State>, accountId: string | undefined): void | Promise<void>;
}

/** A plugin of any operation and state types. */
export type AnyServicePlugin = ServicePlugin<Record<string, never>, never>;

/** A plugin's declaration by its service. */
export interface PluginDeclaration<Operations, State> extends Omit<ServicePlugin<Operations, State>, 'operations'> {
  /** Modules of handlers: an export named as an operation of the model is its handler; other exports are ignored. */
  readonly operations: readonly Handlers<Operations, State>[];
}

/**
 * Checks a plugin's types and erases them for the kernel.
 * @throws Error if two modules have a handler of one operation
 */
export function definePlugin<Operations, State>(declaration: PluginDeclaration<Operations, State>): AnyServicePlugin {
  const { name: service, model } = declaration;
  const operations: Record<string, unknown> = {};
  for (const handlers of declaration.operations)
    for (const [name, handler] of Object.entries(handlers)) {
      if (!Object.hasOwn(model.operations, name)) continue;
      if (Object.hasOwn(operations, name)) throw new Error(`${service} has two handlers of ${name}`);
      operations[name] = handler;
    }
  return { ...declaration, operations } as unknown as AnyServicePlugin;
}
