import type { AwsError, ServiceModel, ValidationFailure } from '@emu/wire';
import type { AccessPointDirectory } from './access-points.ts';
import type { Clock } from './clock.ts';
import type { AnyCollectionDefinition, Collection, CollectionDefinition, StateScopeKind } from './collection.ts';
import type { OptionValues } from './config/options.ts';
import type { Containers } from './containers/index.ts';
import type { CredentialRegistry, Principal } from './identity.ts';
import type { Ids } from './ids.ts';
import type { Logger } from './log.ts';
import type { BodyStore } from './persistence.ts';
import type {
  CallAuthorization,
  ControlPolicies,
  IdentityDirectory,
  ServiceAuthorization,
} from './policy/authorization.ts';

/** Settings of the emulator that services read. */
export interface EmulatorSettings {
  /** Region of requests that name none. */
  readonly region: string;
  /** Account of requests whose access key is unknown. */
  readonly accountId: string;
  /** `EMULATOR_EXTERNAL_URL`, without a trailing slash. */
  readonly externalUrl: string | undefined;
  /** Domain of the emulator's own host names. */
  readonly domain: string;
  /** Every setting by its variable, e.g. `values.EMULATOR_S3_CACHE_SIZE`, as given or by default. */
  readonly values: OptionValues;
}

/** What the state of one scope is made from. */
export interface StateScope {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly service: ServiceHandle;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly bodies: BodyStore;
  readonly settings: EmulatorSettings;
  collection<T>(definition: CollectionDefinition<T>): Collection<T>;
  /** Calls another service on the scope's own behalf, e.g. from a timer; see `OperationContext.call`. */
  call<Output = unknown>(service: string, operation: string, input: unknown, options?: CallOptions): Promise<Output>;
}

/** A state may end waits and timers of its own. */
export interface ClosableState {
  /** Called when it is reset, and when the emulator has closed its ports. */
  close?(): void;
  /** Answers requests that wait for something to happen, now and from now on: the emulator is about to close. */
  endWaits?(): void;
}

/** The service as its control routes and scopes see it: all its states. */
export interface ServiceHandle<State = unknown> {
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
  /**
   * S3 Control's access points; undefined where the emulator has no S3 Control. A promise only where it has to be loaded
   * first.
   */
  accessPoints(): AccessPointDirectory | undefined | Promise<AccessPointDirectory | undefined>;
  /** The state of a scope, made when it is not there yet. */
  state(accountId: string, region: string): State;
  /** Every state that exists, in order of account and region. */
  states(): Iterable<{ accountId: string; region: string; state: State }>;
  call<Output = unknown>(service: string, operation: string, input: unknown, options?: CallOptions): Promise<Output>;
  /**
   * Writes every record to a snapshot: to `<directory>/<service>/snapshot.json`, as a data directory has it, or to the
   * emulator's own data directory where none is named.
   * @returns false where none is named and the emulator has none
   * @throws Error of the file system
   */
  saveSnapshot(directory?: string): Promise<boolean>;
  /** Resolves when every change so far is on disk, at once in memory mode; bulk loads wait for it now and then. */
  committed(): Promise<void>;
}

/** As whom, and where, an integration calls. */
export interface CallOptions {
  accountId?: string;
  region?: string;
  /** By default the caller of the running operation. */
  principal?: Principal;
  signal?: AbortSignal;
  /**
   * Evaluates the principal's permission as if it had made the request itself, where `--enforce-iam` is on, as AWS does
   * for KMS on behalf of callers and for deliveries to queues and functions by a service's principal. Without it a call
   * between services needs none.
   */
  authorize?: CallAuthorization;
  /**
   * X-Ray's trace header of the chain of requests that the call belongs to, by which Lambda ends loops. By default that
   * of the running operation.
   */
  traceHeader?: string;
}

/** What a handler knows besides its input. */
export interface OperationContext<State = unknown> {
  readonly service: string;
  readonly operation: string;
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly principal: Principal;
  readonly requestId: string;
  /** Base URL the caller reached emu by, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly bodies: BodyStore;
  readonly settings: EmulatorSettings;
  readonly credentials: CredentialRegistry;
  /** State of the request's account and region. */
  readonly state: State;
  readonly handle: ServiceHandle<State>;
  /** Aborted when the caller has gone; long waits end by it. */
  readonly signal: AbortSignal;
  /** Facts of the HTTP request that a few services' rules depend on; undefined for calls between services. */
  readonly http: HttpFacts | undefined;
  /** `X-Amzn-Trace-Id` of the request or of the call between services; undefined where there is none. */
  readonly traceHeader: string | undefined;
  /** What to add to the HTTP answer; without effect for calls between services. */
  readonly reply: ReplyFacts;
  /** Whether policies are enforced for this call; then a handler may rely on what its permissions say. */
  readonly enforced: boolean;
  /** IAM's users and roles; undefined where the emulator has no IAM. */
  identities(): Promise<IdentityDirectory | undefined>;
  /**
   * Calls any operation of any service in-process, with the caller's identity, account and region by default. The
   * input is validated as a request's is.
   * @throws AwsError what the operation throws; `NotImplemented` (501) where the service or operation does not exist
   */
  call<Output = unknown>(service: string, operation: string, input: unknown, options?: CallOptions): Promise<Output>;
}

/** The HTTP side of a request, for the few rules that depend on it. */
export interface HttpFacts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address of the client. */
  readonly remoteAddress: string | undefined;
  /** The protocol the request came in. */
  readonly protocol: string;
  /** Whether it came over TLS. */
  readonly secure: boolean;
}

/** What a handler adds to the HTTP side of its answer, where the model does not say it. */
export interface ReplyFacts {
  /** Status of a success instead of the model's, e.g. 206. */
  status?: number;
  /** Headers besides the model's; sent with errors too. */
  readonly headers: Record<string, string>;
}

/** What the host name of a request says, where it follows the form of AWS's endpoints. */
export interface EndpointFacts {
  /** Host label of the service, e.g. `s3` or `lambda-url`. */
  readonly label: string;
  readonly region: string | undefined;
  /** Labels before the service's, e.g. a bucket or a function URL's id. */
  readonly prefix: string | undefined;
}

/** A request that a service answers itself, without a model: a website, a function URL, a browser's form. */
export interface DataPlaneRequest {
  readonly method: string;
  /** Path as sent, percent-encoded. */
  readonly path: string;
  /** Query string as sent, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined where the host name is not of AWS's forms. */
  readonly host: EndpointFacts | undefined;
  /** The host name, in lower case and without a port, where the service has said by `ownsHost` that it is a resource's. */
  readonly ownedHost: string | undefined;
  /** Base URL the caller reached emu by; no trailing slash. */
  readonly endpoint: string;
  readonly requestId: string;
  readonly remoteAddress: string | undefined;
  readonly secure: boolean;
  /** The body as it arrives; read at most once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** What is known of a request of a web page before anything of it is decoded. */
export interface PageRequest extends Pick<DataPlaneRequest, 'method' | 'path' | 'query' | 'headers' | 'host'> {
  /** Origin of the page that wants the answer for its scripts; undefined for links, images and the like. */
  readonly origin: string | undefined;
  /** The operation of the service's API that it names; undefined for a request of the data plane. */
  readonly operation: string | undefined;
}

/** An API request that has been answered, as a service's own access log tells it. */
export interface AnsweredRequest {
  /** Empty where the request named none. */
  readonly operation: string;
  readonly requestId: string;
  readonly principal: Principal;
  /** Region of the request. */
  readonly region: string;
  readonly http: HttpFacts;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly status: number;
  /** Code of the error that was answered. */
  readonly errorCode: string | undefined;
  /** Bytes of the response's body; undefined where it is a stream of unknown length. */
  readonly bytesSent: number | undefined;
  /** Emulated time of the request's arrival, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Milliseconds until the answer was known. */
  readonly duration: number;
}

/** The answer to a data plane request, as it goes out. */
export interface DataPlaneResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

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

/** A request of a control route. */
export interface ControlRequest {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body; undefined where the body is empty. */
  readonly body: unknown;
  /** Base URL the caller reached emu by, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
  readonly endpoint: string;
}

/** A control route's answer: JSON, or bytes of a content type. */
export type ControlResponse =
  | { status?: number; json: unknown }
  | { status?: number; contentType: string; body: Uint8Array | AsyncIterable<Uint8Array> };

/** A `/_emulator` route of a service. */
export interface ControlRoute<State = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path as in the specification, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  /** @throws ControlError for a bad request */
  handle(request: ControlRequest, service: ServiceHandle<State>): ControlResponse | Promise<ControlResponse>;
}

/** A refused control request; answered as `{ "error": { "code", "message" } }`. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

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
  /** Makes the state of a scope from its collections, which hold what was persisted; sets its timers. */
  createState?(scope: StateScope): State;
  readonly operations: Handlers<Operations, State>;
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
   * @returns undefined where it is an API call after all; its body must not have been read then
   */
  serve?(
    request: DataPlaneRequest,
    handle: ServiceHandle<State>,
  ): DataPlaneResponse | undefined | Promise<DataPlaneResponse | undefined>;
  /**
   * Whether a host name is that of a resource of the service: of a website's bucket, or a custom domain. A request by such a
   * name is for `serve` and reaches nothing else of emu, so that anyone may own the name. Asked of every request by a name
   * that is not emu's own, and never before the service is loaded; it has to be answered from an index.
   * @param name in lower case, without a port
   */
  ownsHost?(name: string, handle: ServiceHandle<State>): boolean;
  /**
   * Whether a page whose origin may not use emu may send this request all the same, as any page may show S3's objects.
   * Without it a service serves every page by its data plane, which has rules of its own, and none by its API.
   */
  admitsPage?(request: PageRequest, handle: ServiceHandle<State>): boolean | Promise<boolean>;
  /**
   * Told of every API request of the service when its answer is known and not yet sent, if the service's manifest says
   * `observes`; the answer waits for it.
   */
  observe?(request: AnsweredRequest, handle: ServiceHandle<State>): Promise<void>;
  /** Which permissions its operations need; see `--enforce-iam`. */
  readonly authorization?: ServiceAuthorization<Operations, State>;
  /** What IAM's plugin knows of users and roles. */
  identityDirectory?(handle: ServiceHandle<State>): IdentityDirectory;
  /** What S3 Control's plugin knows of access points. */
  accessPoints?(handle: ServiceHandle<State>): AccessPointDirectory;
  /** What the plugin of Organizations knows of control policies. */
  controlPolicies?(handle: ServiceHandle<State>): ControlPolicies;
  /** Called on reset, before records are removed, with the account whose state goes (all where undefined). */
  onReset?(handle: ServiceHandle<State>, accountId: string | undefined): void | Promise<void>;
}

/** A plugin whose operation and state types are its own business. */
export type AnyServicePlugin = ServicePlugin<Record<string, never>, never>;

/** Checks a plugin's types and hides them from the kernel. */
export function definePlugin<Operations, State>(plugin: ServicePlugin<Operations, State>): AnyServicePlugin {
  return plugin as unknown as AnyServicePlugin;
}

/** What the gateway knows of a service before it is loaded. */
export interface ServiceManifest {
  /** emu's name of the service; the first segment of its control routes and its folder in the data directory. */
  readonly name: string;
  /** Names in SigV4 credential scopes. */
  readonly signingNames: readonly string[];
  /** Host labels, e.g. `sqs` and `queue`. */
  readonly hostNames: readonly string[];
  /** `X-Amz-Target` prefixes. */
  readonly targetPrefixes?: readonly string[];
  /**
   * Headers of which every request of the service has one, in lower case. What shares a signing name, a host or a path
   * with another service is told by them before anything else is looked at.
   */
  readonly requiredHeaders?: readonly string[];
  /** API version of the query protocols, told by the `Version` parameter. */
  readonly queryVersions?: readonly string[];
  /** Paths that are the service's where the request has an `Action` and no `Version` says whose, such as queue URLs. */
  readonly queryPaths?: RegExp;
  /** Path prefixes that only this service has, e.g. `/2015-03-31/functions`. */
  readonly pathPrefixes?: readonly string[];
  /** Control route prefixes, where they differ from `/_emulator/<name>/`. */
  readonly controlPrefixes?: readonly string[];
  /**
   * Whether a request may be for the service's data plane and its `serve` should see it before it is taken for an API
   * call. Asked of every request: it must tell most by a glance.
   * @param host the `Host` header in lower case, with its port
   */
  claims?(
    method: string,
    path: string,
    host: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): boolean;
  /** Whether the settings give the service something to do at start: it is loaded then, and its `onStart` is called. */
  eager?(settings: EmulatorSettings): boolean;
  /** Whether the service is to be told of its answered requests, by the settings; see its plugin's `observe`. */
  observes?(settings: EmulatorSettings): boolean;
  load(): Promise<AnyServicePlugin>;
}
