import { gzipSync } from 'node:zlib';
import { apiOfHost, type ClientCertificate, ExecutionLog, Fields } from '@emu/apigateway-common';
import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  type RestApis,
  readAtMost,
  type ServiceHandle,
  type TlsFacts,
} from '@emu/core/service';
import { NO_PATH, ownDomains } from '../domains/shared.ts';
import type { ApiGatewayState, StageView } from '../state.ts';
import { faultAnswer } from './answers.ts';
import { Call, type CallAnswer, type CallRequest } from './call.ts';
import { GatewayFault } from './fault.ts';
import { measure, writeLogs } from './reports.ts';
import { includesTrace, route, run } from './run.ts';
import { serveByOtherApi } from './shared-domains.ts';
import { meet } from './stages.ts';
import { domainOf, privateDomainOf, stateOf, type Target, targetOf } from './target.ts';
import { admitKey } from './usage.ts';

/** Maximum bytes of a request body. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const MAX_BODY = 10 * 1024 * 1024;

/** Whether a host name is a custom domain or an API's host. */
export const ownsHost = (name: string, handle: ServiceHandle<ApiGatewayState>): boolean => {
  const host = apiOfHost(name);
  return host ? stateOf(host.apiId, host.region, handle) !== undefined : domainOf(name, handle) !== undefined;
};

/** Whether any custom domain requires client certificates. */
export function asksClients(handle: ServiceHandle<ApiGatewayState>): boolean {
  for (const { state } of handle.states())
    for (const { truststore } of state.domains.values()) if (truststore !== undefined) return true;
  return false;
}

/** Returns the response for an unknown stage, a disabled endpoint or an untrusted client. */
const forbidden = ({ requestId }: DataPlaneRequest): DataPlaneResponse => ({
  status: 403,
  headers: {
    'content-type': 'application/json',
    'x-amzn-requestid': requestId,
    'x-amzn-errortype': 'ForbiddenException',
  },
  body: '{"message":"Forbidden"}',
});

const NOTHING = Buffer.alloc(0);

/** Whether a request has no body. */
const isBodiless = ({ method, headers }: DataPlaneRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !headers['content-length'] && !headers['transfer-encoding'];

/** Reads a body; undefined if it is too large. */
async function read({ headers, body }: DataPlaneRequest): Promise<Buffer | undefined> {
  if (Number(headers['content-length'] ?? 0) > MAX_BODY) return undefined;
  return readAtMost(body, MAX_BODY);
}

/** Compresses a response above the API's threshold for clients that accept it. */
function compress(call: Call, answer: CallAnswer): void {
  const { minimumCompressionSize: least } = call.definition;
  if (least === undefined || answer.stream || answer.body.length < least || answer.headers.has('content-encoding'))
    return;
  if (!/\bgzip\b/.test(call.request.headers.get('accept-encoding') ?? '')) return;
  answer.body = gzipSync(answer.body);
  answer.headers.set('Content-Encoding', 'gzip');
}

/** Matches valid header names. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Replaces characters that are invalid in header values. */
const clean = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');

/** Returns the HTTP response. */
function response(call: Call, { status, headers, body, stream }: CallAnswer): DataPlaneResponse {
  const sent: Record<string, string | string[]> = {
    'x-amzn-RequestId': call.request.requestId,
    'x-amz-apigw-id': call.extendedRequestId,
  };
  for (const [name, values] of headers.entries())
    if (NAME.test(name)) sent[name] = values.length === 1 ? clean(values[0]!) : values.map(clean);
  if (includesTrace(call) && !headers.has('x-amzn-errortype')) sent['X-Amzn-Trace-Id'] = call.trace;
  return { status, headers: sent, body: stream ?? body };
}

/** Client headers hidden from integrations, templates and events, recorded from AWS. */
const HIDDEN_HEADERS = [
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
];

/** A received request. It is a class so that rarely used values are computed on demand. */
class ReceivedRequest implements CallRequest {
  readonly headers: Fields;
  readonly query: Fields;

  constructor(
    private readonly request: DataPlaneRequest,
    readonly path: string,
    readonly fullPath: string,
    readonly host: string,
    readonly body: Buffer,
  ) {
    this.headers = Fields.ofRequest(request);
    for (const name of HIDDEN_HEADERS) this.headers.delete(name);
    // Recorded from AWS: this header has its canonical spelling, others keep the client's.
    const authorization = this.headers.all('authorization');
    if (authorization.length > 0) {
      this.headers.delete('authorization');
      this.headers.set('Authorization', ...authorization);
    }
    this.query = Fields.ofQuery(request.query);
  }

  get method(): string {
    return this.request.method;
  }

  get sourceIp(): string {
    return this.request.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  }

  get secure(): boolean {
    return this.request.secure;
  }

  get tls(): TlsFacts | undefined {
    return this.request.tls;
  }

  get requestId(): string {
    return this.request.requestId;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get verifySignature(): DataPlaneRequest['verifySignature'] {
    return this.request.verifySignature;
  }
}

function callOf(request: DataPlaneRequest, target: Target, body: Buffer): Call | undefined {
  const { state, api, stage: view, path, fullPath, domain } = target;
  const met = meet(state, api.id, view!);
  if (!met) return undefined;
  const log = new ExecutionLog(met.stage.logged, () => state.clock.now());
  const host = domain ?? `${api.id}.execute-api.${state.region}.amazonaws.com`;
  // Recorded from AWS: repeated slashes after the stage are collapsed, except in `$context.path`.
  const facts = new ReceivedRequest(request, path.replace(/^\/+/, '/'), fullPath, host, body);
  return new Call(state, api.id, met.deployment.definition, met.stage, facts, log, false, target.privateDomain);
}

/**
 * Serves a request to a REST API.
 * @returns undefined if it is for another target
 */
export async function serve(
  request: DataPlaneRequest,
  handle: ServiceHandle<ApiGatewayState>,
): Promise<DataPlaneResponse | undefined> {
  const elsewhere = request.ownedHost === undefined ? undefined : await serveByOtherApi(request, handle);
  if (elsewhere) return elsewhere;
  const target = targetOf(request, handle);
  if (target) return serveTarget(request, target);
  // A custom domain without mapping to an API.
  return request.ownedHost !== undefined && domainOf(request.ownedHost, handle) ? forbidden(request) : undefined;
}

/** Returns the REST API capability for other services. */
export const restApisOf = (handle: ServiceHandle<ApiGatewayState>): RestApis => ({
  ...ownDomains(handle),
  hasStage: ({ accountId, region, apiId, stage }) =>
    handle.existingState(accountId, region)?.stages.get(apiId, stage) !== undefined,
  admitKey({ accountId, region, apiId, stage }, value) {
    const state = handle.existingState(accountId, region);
    return state ? admitKey(state, { apiId, stage }, value) : { refused: 'forbidden' };
  },
  clientCertificate({ accountId, region }, id) {
    const found = handle.existingState(accountId, region)?.certificates.get(id);
    return found && { cert: found.certificate, key: found.key };
  },
  hasDomain: (name) => domainOf(name, handle) !== undefined,
  async serve(request, { accountId, region, apiId, stage: name, path, domainName, clientCertificate, ...by }) {
    const state = handle.existingState(accountId, region);
    const api = state?.apis.get(apiId);
    const stage = state?.stages.get(apiId, name);
    if (!state || !api || !stage) return undefined;
    const client = clientCertificate as ClientCertificate | undefined;
    const basePath = by.basePath === '' ? NO_PATH : by.basePath;
    const found = domainOf(domainName, handle);
    const privateDomain = found && privateDomainOf(found.state, found.domain);
    const led = { basePath, privateDomain, ruleId: by.ruleId, domain: domainName, client, own: false };
    return serveTarget(request, { state, api, stage, path, fullPath: request.path, ...led });
  },
});

/**
 * Reports metrics and writes logs of a completed request.
 * @param length bytes of the response body
 */
async function report(call: Call, name: string, stage: StageView, answer: CallAnswer, length: number): Promise<void> {
  measure(call, name, stage, answer);
  if (stage.accessLogSettings || call.log.on) await writeLogs(call, stage, answer, length);
}

/** Yields a streamed body, then reports and logs its request. */
async function* reported(
  call: Call,
  name: string,
  stage: StageView,
  answer: CallAnswer,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { clock } = call.state;
  const { integration } = call.notes;
  let length = 0;
  // The latency so far is the time until the integration's headers.
  const begun = clock.now() - (integration.latency ?? 0);
  integration.timeToAllHeaders = integration.latency;
  try {
    for await (const chunk of stream) {
      integration.timeToFirstContent ??= clock.now() - begun;
      length += chunk.length;
      yield chunk;
    }
  } finally {
    integration.latency = clock.now() - begun;
    await report(call, name, stage, answer, length);
  }
}

async function serveTarget(request: DataPlaneRequest, target: Target): Promise<DataPlaneResponse> {
  const { api, stage } = target;
  if (!stage || target.client === null || (target.own && api.disableExecuteApiEndpoint)) return forbidden(request);
  const body = isBodiless(request) ? NOTHING : await read(request);
  const call = callOf(request, target, body ?? NOTHING);
  if (!call) return forbidden(request);
  if (target.basePath !== undefined) call.notes.basePathMatched = target.basePath;
  if (target.ruleId !== undefined) call.notes.routingRuleIdMatched = target.ruleId;
  if (target.client) call.context.identity.clientCert = target.client;
  const tooLarge = () =>
    new GatewayFault(
      'REQUEST_TOO_LARGE',
      `HTTP content length exceeded ${MAX_BODY} bytes.`,
      'RequestTooLargeException',
    );
  const answer = body ? await run(call, route) : await faultAnswer(call, tooLarge());
  if (answer.stream) answer.stream = reported(call, api.name, stage, answer, answer.stream);
  else await report(call, api.name, stage, answer, answer.body.length);
  compress(call, answer);
  return response(call, answer);
}
