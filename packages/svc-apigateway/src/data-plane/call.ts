import { Fields, newTrace, requestTime } from '@emu/apigateway-common';
import type { DeepReadonly, Principal } from '@emu/core';
import type { Method, MethodSetting } from '@emu/service-types/apigateway';
import type { ApiDefinition, ResourceRecord } from '../records.ts';
import { executeApiArn } from '../resources.ts';
import type { ApiGatewayState } from '../state.ts';
import type { ExecutionLog } from './log.ts';

/** A stage as a request meets it. */
export interface CallStage {
  readonly name: string;
  readonly deploymentId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly canary: boolean;
  /** Settings of a method, where the stage has any. */
  settings(path: string, method: string): DeepReadonly<MethodSetting>;
  readonly cache: boolean;
  readonly tracing: boolean;
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
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** What goes back to the client. */
export interface CallAnswer {
  status: number;
  headers: Fields;
  body: Buffer;
}

/** `$context`, by members; what templates change of it takes effect. */
export type CallContext = Record<string, unknown> & {
  identity: Record<string, unknown>;
  requestOverride: {
    header: Record<string, unknown>;
    path: Record<string, unknown>;
    querystring: Record<string, unknown>;
  };
  responseOverride: { header: Record<string, unknown>; status: unknown };
};

/** One request of an API on its way to the integration and back. */
export class Call {
  readonly startedAt: number;
  readonly trace: string;
  readonly extendedRequestId: string;
  readonly context: CallContext;
  pathParameters: Readonly<Record<string, string>> = {};
  resource!: DeepReadonly<ResourceRecord>;
  method!: DeepReadonly<Method>;
  /** Who signed the request, where the method asks for it. */
  caller: Principal | undefined;
  /** The value of the API key that the authorizer or the header names. */
  apiKey: string | undefined;
  /** Milliseconds that the integration took; undefined where it was not asked. */
  integrationLatency: number | undefined;

  constructor(
    readonly state: ApiGatewayState,
    readonly apiId: string,
    readonly definition: DeepReadonly<ApiDefinition>,
    readonly stage: CallStage,
    readonly request: CallRequest,
    readonly log: ExecutionLog,
    /** Whether it is a test invocation, which nothing of a stage meets. */
    readonly test = false,
  ) {
    const { clock, ids, accountId } = state;
    this.startedAt = clock.now();
    this.trace = request.headers.get('x-amzn-trace-id') ?? newTrace(ids, this.startedAt);
    this.extendedRequestId = `${ids.bytes(11).toString('base64url').slice(0, 14)}=`;
    const { headers, host } = request;
    this.context = {
      accountId,
      apiId,
      deploymentId: stage.deploymentId,
      domainName: host,
      domainPrefix: host.split('.')[0],
      extendedRequestId: this.extendedRequestId,
      httpMethod: request.method,
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: request.sourceIp,
        user: null,
        userAgent: headers.get('user-agent') ?? null,
        userArn: null,
      },
      path: request.fullPath,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      requestTime: requestTime(this.startedAt),
      requestTimeEpoch: this.startedAt,
      stage: stage.name,
      isCanaryRequest: stage.canary,
      xrayTraceId: this.trace,
      requestOverride: { header: {}, path: {}, querystring: {} },
      responseOverride: { header: {}, status: null },
    };
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

/** An answer without anything in it. */
export const answerOf = (status: number, body: Buffer | string = '', type = 'application/json'): CallAnswer => ({
  status,
  headers: Fields.headers([['Content-Type', type]]),
  body: typeof body === 'string' ? Buffer.from(body) : body,
});
