import { type ExecutionLog, type Fields, newTrace } from '@emu/apigateway-common';
import type { DeepReadonly, Principal, TlsFacts } from '@emu/core/service';
import type { Method, MethodSetting } from '@emu/service-types/apigateway';
import type { ApiDefinition, ResourceRecord } from '../records.ts';
import { executeApiArn } from '../resources.ts';
import type { ApiGatewayState } from '../state.ts';
import { type CallContext, contextOf } from './context.ts';

/** A stage as a request meets it. */
export interface CallStage {
  readonly name: string;
  readonly deploymentId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly canary: boolean;
  /** Settings of a method, where the stage has any. */
  settings(path: string, method: string): DeepReadonly<MethodSetting>;
  readonly cache: boolean;
  /** Which of the stage's caches answers: its own, or the canary's. */
  readonly cacheName: string;
  readonly tracing: boolean;
  /** Whether the executions of any method are logged. */
  readonly logged: boolean;
  readonly clientCertificateId: string | undefined;
}

/** What a request brings with it. */
export interface CallRequest {
  readonly method: string;
  /** Without the stage or a base path, percent-encoded. */
  readonly path: string;
  /** As it was sent. */
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
}

/** A private custom domain name. */
export interface PrivateDomain {
  /** By which policies know it. */
  readonly arn: string;
  readonly policy: string | undefined;
}

/** What goes back to the client. */
export interface CallAnswer {
  status: number;
  headers: Fields;
  body: Buffer;
  /** The body instead, of an integration that streams it. */
  stream?: AsyncIterable<Uint8Array>;
}

/** What a part of a request's way took and came to, as access logs have it. */
export interface PartNotes {
  /** Milliseconds; undefined where the part was not asked. */
  latency?: number;
  status?: number;
  /** Status of the service that was asked, whatever the function behind it answered. */
  integrationStatus?: number;
  integrationLatency?: number;
  /** Milliseconds until the headers of a streamed answer were there, and its first bytes. */
  timeToAllHeaders?: number | undefined;
  timeToFirstContent?: number;
  requestId?: string | undefined;
  error?: string;
}

/** What is known of the parts of a request's way. */
export interface CallNotes {
  readonly integration: PartNotes;
  /** Of the function that authorizes. */
  readonly authorizer: PartNotes;
  /** Of the policies of who has signed. */
  readonly authorize: PartNotes;
  /** Of the signature. */
  readonly authenticate: PartNotes;
  /** Base path by which a custom domain has led here. */
  basePathMatched?: string | undefined;
  /** Id of the routing rule by which it has. */
  routingRuleIdMatched?: string | undefined;
}

/** One request of an API on its way to the integration and back. */
export class Call {
  readonly startedAt: number;
  pathParameters: Readonly<Record<string, string>> = {};
  resource!: DeepReadonly<ResourceRecord>;
  method!: DeepReadonly<Method>;
  /** Who signed the request, where the method asks for it. */
  caller: Principal | undefined;
  /** The value of the API key that the authorizer or the header names. */
  apiKey: string | undefined;
  /** Whether the stage's cache answered; undefined where it was not asked. */
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
    /** Whether it is a test invocation, which nothing of a stage meets. */
    readonly test = false,
    /** The domain name by which it came, where that is a private one. */
    readonly privateDomain?: PrivateDomain | undefined,
  ) {
    this.startedAt = state.clock.now();
  }

  /** Trace header of X-Ray's: the one that came, or a new one. */
  get trace(): string {
    this.ownTrace ??= this.request.headers.get('x-amzn-trace-id') ?? newTrace(this.state.ids, this.startedAt);
    return this.ownTrace;
  }

  /** Id that API Gateway gives a request besides its own, e.g. `N5TZqxjZ0M_RWP=`. */
  get extendedRequestId(): string {
    this.ownId ??= `${this.state.ids.bytes(11).toString('base64url').slice(0, 14)}=`;
    return this.ownId;
  }

  /** `$context`, made when it is first asked for: most requests need none of it. */
  get context(): CallContext {
    this.ownContext ??= contextOf(this);
    return this.ownContext;
  }

  /** Milliseconds that the integration took; undefined where it was not asked. */
  get latency(): number | undefined {
    return this.ownNotes?.integration.latency;
  }

  /** What the parts of the way took and came to. */
  get notes(): CallNotes {
    this.ownNotes ??= { integration: {}, authorizer: {}, authorize: {}, authenticate: {} };
    return this.ownNotes;
  }

  /** What templates have changed of the answer; undefined where none has seen `$context`. */
  get responseOverride(): CallContext['responseOverride'] | undefined {
    return this.ownContext?.responseOverride;
  }

  /** Gives the call its method. */
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

  /** ARN by which policies know what is called. */
  get methodArn(): string {
    const { state, apiId, stage, request } = this;
    return executeApiArn(state, apiId, stage.name, request.method, request.path.replace(/^\//, ''));
  }

  /** ARN by which functions are told what calls them. */
  get sourceArn(): string {
    const { state, apiId, stage, method, resource } = this;
    const name = method?.httpMethod === 'ANY' ? '*' : (method?.httpMethod ?? this.request.method);
    return executeApiArn(state, apiId, stage.name, name, resource?.path.replace(/^\//, '') ?? '');
  }

  /** Whether a media type is one of the API's binary ones. */
  isBinary(type: string | undefined): boolean {
    if (type === undefined) return false;
    const media = type.split(';')[0]!.trim().toLowerCase();
    return this.definition.binaryMediaTypes.some((one) => {
      const wanted = one.toLowerCase();
      if (wanted === '*/*') return true;
      return wanted.endsWith('/*') ? media.startsWith(wanted.slice(0, -1)) : media === wanted;
    });
  }

  /** Parameters of the request, as templates and mappings see them. */
  get parameters(): {
    path: Record<string, string>;
    querystring: Record<string, string>;
    header: Record<string, string>;
  } {
    const { request, pathParameters } = this;
    // Made only where a template asks for them.
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
