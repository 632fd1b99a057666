import { type ClientCertificate, Fields, newTrace, requestTime } from '@emu/apigateway-common';
import type { DataPlaneRequest, Principal } from '@emu/core/service';
import { type CognitoIdentity, cognitoIdentityOf } from '../authorizers/cognito.ts';
import type { AuthorizerContext } from '../authorizers/verdict.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { RouteMatch } from './router.ts';

/** Where a request for a stage came in. */
export interface Entrance {
  readonly state: Apigatewayv2State;
  readonly stage: CompiledStage;
  /** Path as clients see it, percent-encoded: with the stage's name, or the path that a domain name maps. */
  readonly fullPath: string;
  /** Path that routes are told by, percent-encoded. */
  readonly path: string;
  /** Host name without a port. */
  readonly domainName: string;
  /** Path of the mapping by which a custom domain name has led here. */
  readonly basePath?: string | undefined;
  /** Id of the routing rule by which it has. */
  readonly ruleId?: string | undefined;
  /** The certificate that the client has shown, where a domain name asks for one. */
  readonly client?: ClientCertificate | null | undefined;
}

const ID_BYTES = 11;

/** A request to an HTTP API with all that is found out about it on its way. */
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
  /** When it came in, in epoch milliseconds. */
  readonly receivedAt: number;
  readonly sourceIp: string;
  match: RouteMatch | undefined;
  body: Buffer = Buffer.alloc(0);
  /** Who signed the request, of a route that asks for it. */
  caller: Principal | undefined;
  /** What the route's authorizer said. */
  authorizer: AuthorizerContext | undefined;
  /** What is logged of errors and integrations. */
  readonly log: {
    error?: { message: string; responseType: string };
    authorizerError?: string;
    integrationError?: string;
    integrationStatus?: number;
    /** Status of Lambda itself, whatever the function answered. */
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

  /** The request as its integration sees it. @param mapped what mappings made of it */
  withMapped({
    headers,
    query,
    path,
  }: Pick<HttpExchange, 'headers' | 'query'> & { path: string | undefined }): HttpExchange {
    const seen: HttpExchange = Object.create(this);
    return Object.assign(seen, { headers, query, ...(path !== undefined && { fullPath: path }) });
  }

  /** The identity of an identity pool that has signed the request. */
  get cognito(): CognitoIdentity | undefined {
    return this.caller && cognitoIdentityOf(this.caller, this.state);
  }

  /** Key of the route; undefined where none matched. */
  get routeKey(): string | undefined {
    return this.match?.route.RouteKey;
  }

  /** E.g. `12/Mar/2020:19:03:58 +0000`. */
  get time(): string {
    return requestTime(this.receivedAt);
  }

  get userAgent(): string {
    return this.headers.get('user-agent') ?? '';
  }

  /** What policies and functions know the called route by: `<api>/<stage>/<method>/<path>`. */
  get executionPath(): string {
    const { ApiId } = this.stage.api;
    return `${ApiId}/${this.stage.name}/${this.method}${this.path}`;
  }

  /** What a function's policy is asked about: the route's key instead of the path, as AWS does. */
  get routeResource(): string {
    const { ApiId } = this.stage.api;
    const key = this.routeKey ?? '$default';
    const space = key.indexOf(' ');
    if (space < 0) return `${ApiId}/${this.stage.name}/${key}`;
    const method = key.slice(0, space);
    return `${ApiId}/${this.stage.name}/${method === 'ANY' ? '*' : method}${key.slice(space + 1)}`;
  }
}

/** An address without what IPv6 puts before those of IPv4; that of this machine within the process. */
export const addressOf = (address: string | undefined): string => (address ?? '127.0.0.1').replace(/^::ffff:/, '');
