import { type ClientCertificate, Fields, newTrace, requestTime } from '@emu/apigateway-common';
import type { DataPlaneRequest, Principal } from '@emu/core/service';
import { type CognitoIdentity, cognitoIdentityOf } from '../authorizers/cognito.ts';
import type { AuthorizerContext } from '../authorizers/verdict.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { RouteMatch } from '../runtime/router.ts';
import type { Apigatewayv2State } from '../state.ts';

/** Target of a request for a stage. */
export interface Entrance {
  readonly state: Apigatewayv2State;
  readonly stage: CompiledStage;
  /** Path as seen by the client, percent-encoded: with the stage name, or the mapped path of a domain name. */
  readonly fullPath: string;
  /** Path for route selection, percent-encoded. */
  readonly path: string;
  /** Host name without port. */
  readonly domainName: string;
  /** Path of the custom domain name's mapping. */
  readonly basePath?: string | undefined;
  /** Id of the custom domain name's routing rule. */
  readonly ruleId?: string | undefined;
  /** Client certificate, if the domain name requires one. */
  readonly client?: ClientCertificate | null | undefined;
}

const ID_BYTES = 11;

/** A request to an HTTP API with the results of its processing. */
export class HttpExchange implements Entrance {
  readonly state: Apigatewayv2State;
  readonly stage: CompiledStage;
  fullPath: string;
  readonly path: string;
  readonly domainName: string;
  readonly basePath: string | undefined;
  readonly ruleId: string | undefined;
  readonly client: ClientCertificate | null | undefined;
  readonly method: string;
  headers: Fields;
  query: Fields;
  readonly requestId: string;
  readonly traceHeader: string;
  /** Time of arrival in epoch milliseconds. */
  readonly receivedAt: number;
  readonly sourceIp: string;
  match: RouteMatch | undefined;
  body: Buffer = Buffer.alloc(0);
  /** Signer of the request, if the route requires a signature. */
  caller: Principal | undefined;
  /** Context from the route's authorizer. */
  authorizer: AuthorizerContext | undefined;
  /** Errors and integration results for logs. */
  readonly log: {
    error?: { message: string; responseType: string };
    authorizerError?: string;
    integrationError?: string;
    integrationStatus?: number;
    /** Status of Lambda itself, independent of the function's response. */
    serviceStatus?: number;
    endpointRequestId?: string | undefined;
    endpointRequestId2?: string | undefined;
    integrationLatency?: number;
  } = {};

  constructor(
    entrance: Entrance,
    readonly request: DataPlaneRequest,
  ) {
    this.state = entrance.state;
    this.stage = entrance.stage;
    this.fullPath = entrance.fullPath;
    this.path = entrance.path;
    this.domainName = entrance.domainName;
    this.client = entrance.client;
    this.basePath = entrance.basePath;
    this.ruleId = entrance.ruleId;
    this.method = request.method;
    const { state } = this;
    this.receivedAt = state.clock.now();
    this.requestId = `${state.ids.bytes(ID_BYTES).toString('base64url')}=`;
    this.sourceIp = addressOf(request.remoteAddress);
    const headers = Fields.ofRequest(request);
    const received = headers.get('x-amzn-trace-id');
    this.traceHeader = received ?? newTrace(state.ids, this.receivedAt);
    const host = String(request.headers.host ?? this.domainName);
    const forwarded = headers.all('x-forwarded-for');
    headers.delete('connection');
    headers
      .set('X-Amzn-Trace-Id', this.traceHeader)
      .set('X-Forwarded-For', [...forwarded, this.sourceIp].join(', '))
      .set('X-Forwarded-Port', /:(\d+)$/.exec(host)?.[1] ?? (request.secure ? '443' : '80'))
      .set('X-Forwarded-Proto', request.secure ? 'https' : 'http');
    this.headers = headers;
    this.query = Fields.ofQuery(request.query);
  }

  /**
   * Returns the request for the integration.
   * @param mapped result of the mappings
   */
  withMapped({
    headers,
    query,
    path,
  }: Pick<HttpExchange, 'headers' | 'query'> & { path: string | undefined }): HttpExchange {
    const seen: HttpExchange = Object.create(this);
    return Object.assign(seen, { headers, query, ...(path !== undefined && { fullPath: path }) });
  }

  /** Identity pool identity that signed the request. */
  get cognito(): CognitoIdentity | undefined {
    return this.caller && cognitoIdentityOf(this.caller, this.state);
  }

  /** Key of the route; undefined if none matched. */
  get routeKey(): string | undefined {
    return this.match?.route.RouteKey;
  }

  /** For example `12/Mar/2020:19:03:58 +0000`. */
  get time(): string {
    return requestTime(this.receivedAt);
  }

  get userAgent(): string {
    return this.headers.get('user-agent') ?? '';
  }

  /** Called route in ARNs for policies and functions: `<api>/<stage>/<method>/<path>`. */
  get executionPath(): string {
    const { ApiId } = this.stage.api;
    return `${ApiId}/${this.stage.name}/${this.method}${this.path}`;
  }

  /** Route in function policies: with the route key instead of the path, as in AWS. */
  get routeResource(): string {
    const { ApiId } = this.stage.api;
    const key = this.routeKey ?? '$default';
    const space = key.indexOf(' ');
    if (space < 0) return `${ApiId}/${this.stage.name}/${key}`;
    const method = key.slice(0, space);
    return `${ApiId}/${this.stage.name}/${method === 'ANY' ? '*' : method}${key.slice(space + 1)}`;
  }
}

/** Returns an address without the IPv4-mapped IPv6 prefix; localhost for in-process requests. */
export const addressOf = (address: string | undefined): string => (address ?? '127.0.0.1').replace(/^::ffff:/, '');
