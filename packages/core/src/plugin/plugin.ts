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

/** One operation: throws `awsError(…)` for what the caller did wrong. */
export type Handler<Input, Output, State> = (input: Input, ctx: OperationContext<State>) => Output | Promise<Output>;

/** Handlers by operation; an operation that is not listed answers 501 `NotImplemented`. */
export type Handlers<Operations, State> = {
  [Name in keyof Operations]?: Operations[Name] extends { input: infer Input; output: infer Output }
    ? Handler<Input, Output, State>
    : never;
};

/** One emulated service. */
export interface ServicePlugin<Operations = OperationTypes, State = unknown> {
  /** emu's name of the service, e.g. `sqs`. */
  readonly name: string;
  readonly model: ServiceModel;
  /** Namespace of the error names in awsJson 1.0, e.g. `com.amazonaws.dynamodb.v20120810`; made from the name by default. */
  readonly errorNamespace?: string;
  /** The scope one state object stands for. */
  readonly stateScope: StateScopeKind;
  /**
   * Name of the service whose state this one works on, as DynamoDB Streams reads DynamoDB's: `ctx.state` and the
   * handle's states are that service's, and this one declares no collections and no `createState` of its own.
   */
  readonly stateOf?: string;
  /** Every collection the service keeps. */
  readonly collections: readonly AnyCollectionDefinition[];
  /**
   * Opens what the service keeps besides its records, before its first state is made; states have it as `scope.data`.
   * @param place undefined in memory mode
   * @throws Error where what is on disk is not what was written
   */
  openData?(place: DataPlace | undefined): Promise<OwnData>;
  /**
   * Reads what `openData` would open and says what of it is whole, without changing anything.
   * @param repair sets aside what is not, so that `openData` opens the rest
   */
  inspectData?(place: DataPlace, repair?: DataRepair): Promise<DataFindings>;
  /** Makes the state of a scope from its collections, which hold what was persisted; sets its timers. */
  createState?(scope: StateScope): State;
  readonly operations: Handlers<Operations, State>;
  /**
   * Types of its addressable resources. An input is for a resource of the first type that identifies one; an operation
   * that `authorization` does not mention needs its permission on that resource.
   */
  readonly resources?: readonly AnyResourceType[];
  /** How its operations page, where tokens are opaque. */
  readonly paging?: AnyPaging;
  /**
   * What the service does for other services without an API of AWS's, as S3 replicates objects for S3 Batch Operations:
   * reached by `call` only, by names that the model does not have, with inputs that nobody validates.
   */
  readonly internal?: Readonly<Record<string, (input: never, ctx: OperationContext<State>) => unknown>>;
  /**
   * Called with every validated input before permissions are checked and the handler runs; may change it, as S3 puts
   * buckets in the place of access points.
   * @returns a promise only where something has to be found out first
   * @throws AwsError what the caller did wrong
   */
  prepare?(operation: string, input: unknown, ctx: OperationContext<State>): Promise<void> | undefined;
  readonly control?: readonly ControlRoute<State>[];
  /**
   * How the service words broken constraints of its model where it differs from AWS's common
   * `ValidationException`; undefined for the common wording, `null` to let the handler check for itself.
   */
  validationError?(failures: readonly ValidationFailure[], operation: string): AwsError | null | undefined;
  /**
   * Called once when the emulator starts, if the service's manifest says `eager`. Requests are served when it has
   * resolved; what it throws ends the start.
   */
  onStart?(handle: ServiceHandle<State>): Promise<void>;
  /**
   * Answers a request that the manifest claims as one of the service's data plane.
   * @returns undefined where it is an API call after all, or for another service that claims it; its body must not have
   *   been read then
   */
  serve?(
    request: DataPlaneRequest,
    handle: ServiceHandle<State>,
  ): DataPlaneResponse | undefined | Promise<DataPlaneResponse | undefined>;
  /**
   * Takes the connection of a client that asks for a WebSocket by a request that the manifest claims.
   * @returns `taken` where the connection is the service's from now on; the answer that refuses it; undefined where it is
   *   for another service that claims it
   */
  upgrade?(
    request: DataPlaneRequest,
    connection: UpgradableConnection,
    handle: ServiceHandle<State>,
  ): Promise<DataPlaneResponse | 'taken' | undefined>;
  /**
   * Answers a request that can be nothing but one of a data plane and that no service that claims it has served, such as
   * one by the host of an API that does not exist. Its body must not be read.
   * @returns undefined where it may be an API call
   */
  unserved?(request: DataPlaneRequest): DataPlaneResponse | undefined;
  /**
   * Whether a host name is that of a resource of the service: of a website's bucket, or a custom domain. A request by such a
   * name is for `serve` and reaches nothing else of emu, so that anyone may own the name. Asked of every request by a name
   * that is not emu's own, and never before the service is loaded; it has to be answered from an index.
   * @param name in lower case, without a port
   */
  ownsHost?(name: string, handle: ServiceHandle<State>): boolean;
  /**
   * Whether clients are to be asked for certificates in the handshakes of TLS, which they may decline: some host name of the
   * service's wants them. Asked of every connection by TLS, and never before the service is loaded.
   */
  asksClients?(handle: ServiceHandle<State>): boolean;
  /**
   * Whether a page whose origin may not use emu may send this request nevertheless, as any page may show S3's objects.
   * Without it a service admits no page to its API and to WebSockets; its data plane serves links, and pages that its
   * answers admit by `Access-Control-Allow-Origin`.
   * @returns undefined for what applies without it
   */
  admitsPage?(
    request: WebPageRequest,
    handle: ServiceHandle<State>,
  ): boolean | undefined | Promise<boolean | undefined>;
  /**
   * Told of answered requests and of calls between services, as the `observes` of the service's manifest says; not of
   * the calls that the service makes itself.
   */
  observe?(request: AnsweredRequest, handle: ServiceHandle<State>): void | Promise<void>;
  /** Which permissions its operations need; see `--enforce-iam`. */
  readonly authorization?: ServiceAuthorization<Operations, State>;
  /** What it offers other services without an API of AWS's; its manifest names the same capabilities. */
  readonly provides?: readonly ProvidedCapability<State>[];
  /** Called on reset, before records are removed, with the account whose state goes (all where undefined). */
  onReset?(handle: ServiceHandle<State>, accountId: string | undefined): void | Promise<void>;
}

/** A plugin whose operation and state types are its own business. */
export type AnyServicePlugin = ServicePlugin<Record<string, never>, never>;

/** A plugin as its service declares it. */
export interface PluginDeclaration<Operations, State> extends Omit<ServicePlugin<Operations, State>, 'operations'> {
  /** Modules of handlers: an export named as an operation of the model is its handler; other exports are ignored. */
  readonly operations: readonly Handlers<Operations, State>[];
}

/**
 * Checks a plugin's types and hides them from the kernel.
 * @throws Error where two modules have a handler of one operation
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
