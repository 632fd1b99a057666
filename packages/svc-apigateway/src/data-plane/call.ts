import { type ExecutionLog, type Fields, newTrace } from '@emu/apigateway-common';
import type { DataPlaneRequest, DeepReadonly, Principal, TlsFacts } from '@emu/core/service';
import type { Method, MethodSetting } from '@emu/service-types/apigateway';
import type { ApiDefinition, ResourceRecord } from '../records.ts';
import { executeApiArn } from '../resources.ts';
import type { ApiGatewayState } from '../state.ts';
import { type CallContext, contextOf } from './context.ts';

/** Stage of a request, with the deployment that serves it. */
export interface CallStage {
  readonly name: string;
  readonly deploymentId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly canary: boolean;
  /** Returns the settings of a method on the stage. */
  settings(path: string, method: string): DeepReadonly<MethodSetting>;
  readonly cache: boolean;
  /** Name of the cache: the stage's or the canary's. */
  readonly cacheName: string;
  readonly tracing: boolean;
  /** Whether executions of any method are logged. */
  readonly logged: boolean;
  readonly clientCertificateId: string | undefined;
}

/** Parts of a request. */
export interface CallRequest {
  readonly method: string;
  /** Without the stage or a base path, percent-encoded. */
  readonly path: string;
  /** Path as sent. */
  readonly fullPath: string;
  readonly headers: Fields;
  readonly query: Fields;
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly host: string;
  readonly secure: boolean;
  readonly tls?: TlsFacts | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  readonly verifySignature?: DataPlaneRequest['verifySignature'];
}

/** A private custom domain name. */
export interface PrivateDomain {
  /** ARN in policies. */
  readonly arn: string;
  readonly policy: string | undefined;
}

/** Response to the client. */
export interface CallAnswer {
  status: number;
  headers: Fields;
  body: Buffer;
  /** Streamed body of a streaming integration, instead of `body`. */
  stream?: AsyncIterable<Uint8Array>;
}

/** Duration and outcome of a processing step, for access logs. */
export interface PartNotes {
  /** Milliseconds; undefined if the step did not run. */
  latency?: number;
  status?: number;
  /** Status of the called service, independent of the function behind it. */
  integrationStatus?: number;
  integrationLatency?: number;
  /** Milliseconds until the headers of a streamed response were received, and until its first bytes. */
  timeToAllHeaders?: number | undefined;
  timeToFirstContent?: number;
  requestId?: string | undefined;
  error?: string;
}

/** Duration and outcome of a request's processing steps. */
export interface CallNotes {
  readonly integration: PartNotes;
  /** Step of the Lambda authorizer. */
  readonly authorizer: PartNotes;
  /** Step of the signer's policies. */
  readonly authorize: PartNotes;
  /** Step of the signature check. */
  readonly authenticate: PartNotes;
  /** Base path of the custom domain that matched. */
  basePathMatched?: string | undefined;
  /** Id of the routing rule that matched. */
  routingRuleIdMatched?: string | undefined;
}

/** A request to an API, from arrival to response. */
export class Call {
  readonly startedAt: number;
  pathParameters: Readonly<Record<string, string>> = {};
  resource!: DeepReadonly<ResourceRecord>;
  method!: DeepReadonly<Method>;
  /** Signer of the request, if the method requires a signature. */
  caller: Principal | undefined;
  /** Signer of a request to a method that requires a signature, if emu verifies signatures. */
  verified: Principal | undefined;
  /** API key from the authorizer or the header. */
  apiKey: string | undefined;
  /** Result of the stage's cache; undefined if it was not used. */
  cache: 'hit' | 'miss' | undefined;
  private ownTrace: string | undefined;
  private ownId: string | undefined;
  private ownContext: CallContext | undefined;
  private ownNotes: CallNotes | undefined;

  constructor(
    readonly state: ApiGatewayState,
    readonly apiId: string,
    readonly definition: DeepReadonly<ApiDefinition>,
    readonly stage: CallStage,
    readonly request: CallRequest,
    readonly log: ExecutionLog,
    /** Whether it is a test invocation, which bypasses the stage. */
    readonly test = false,
    /** Private domain name of the request. */
    readonly privateDomain?: PrivateDomain | undefined,
  ) {
    this.startedAt = state.clock.now();
  }

  /** X-Ray trace header: the received or a new one. */
  get trace(): string {
    this.ownTrace ??= this.request.headers.get('x-amzn-trace-id') ?? newTrace(this.state.ids, this.startedAt);
    return this.ownTrace;
  }

  /** Additional request id of API Gateway, for example `N5TZqxjZ0M_RWP=`. */
  get extendedRequestId(): string {
    this.ownId ??= `${this.state.ids.bytes(11).toString('base64url').slice(0, 14)}=`;
    return this.ownId;
  }

  /** `$context`, created on first use: most requests do not need it. */
  get context(): CallContext {
    this.ownContext ??= contextOf(this);
    return this.ownContext;
  }

  /** Milliseconds of the integration; undefined if it was not called. */
  get latency(): number | undefined {
    return this.ownNotes?.integration.latency;
  }

  /** Duration and outcome of the processing steps. */
  get notes(): CallNotes {
    this.ownNotes ??= { integration: {}, authorizer: {}, authorize: {}, authenticate: {} };
    return this.ownNotes;
  }

  /** Response overrides of templates; undefined if no template used `$context`. */
  get responseOverride(): CallContext['responseOverride'] | undefined {
    return this.ownContext?.responseOverride;
  }

  /** Sets the method of the call. */
  enter(
    resource: DeepReadonly<ResourceRecord>,
    method: DeepReadonly<Method>,
    pathParameters: Readonly<Record<string, string>>,
  ): void {
    this.resource = resource;
    this.method = method;
    this.pathParameters = pathParameters;
    if (this.ownContext) Object.assign(this.ownContext, { resourceId: resource.id, resourcePath: resource.path });
  }

  /** ARN of the method in policies. */
  get methodArn(): string {
    const { state, apiId, stage, request } = this;
    return executeApiArn(state, apiId, stage.name, request.method, request.path.replace(/^\//, ''));
  }

  /** Source ARN for invoked functions. */
  get sourceArn(): string {
    const { state, apiId, stage, method, resource } = this;
    const name = method?.httpMethod === 'ANY' ? '*' : (method?.httpMethod ?? this.request.method);
    return executeApiArn(state, apiId, stage.name, name, resource?.path.replace(/^\//, '') ?? '');
  }

  /** Whether a media type is one of the API's binary types. */
  isBinary(type: string | undefined): boolean {
    if (type === undefined) return false;
    const media = type.split(';')[0]!.trim().toLowerCase();
    return this.definition.binaryMediaTypes.some((one) => {
      const wanted = one.toLowerCase();
      if (wanted === '*/*') return true;
      return wanted.endsWith('/*') ? media.startsWith(wanted.slice(0, -1)) : media === wanted;
    });
  }

  /** Parameters of the request for templates and mappings. */
  get parameters(): {
    path: Record<string, string>;
    querystring: Record<string, string>;
    header: Record<string, string>;
  } {
    const { request, pathParameters } = this;
    // Created only for templates that use them.
    return {
      get path() {
        return { ...pathParameters };
      },
      get querystring() {
        return request.query.last();
      },
      get header() {
        return request.headers.last();
      },
    };
  }
}
