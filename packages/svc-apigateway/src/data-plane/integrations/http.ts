import {
  type EndpointAnswer,
  EndpointExcess,
  type EndpointRequest,
  EndpointTimeout,
  encodedPath,
  Fields,
  gatewayPrincipal,
  javaText,
  sendToEndpoint,
  streamFromEndpoint,
  withStageVariables,
} from '@emu/apigateway-common';
import type { DeepReadonly } from '@emu/core/service';
import type { Integration } from '@emu/service-types/apigateway';
import { AwsError } from '@emu/wire';
import type { Call, CallAnswer } from '../call.ts';
import { configurationFault, GatewayFault } from '../fault.ts';
import { requestValues } from '../mapping.ts';
import { requestBody, sentBody } from './request-body.ts';
import { mapAnswer, passedAnswer, passedHeaders } from './response.ts';
import { watched } from './streaming.ts';

/**
 * Client headers that are not forwarded to an endpoint.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const HIDDEN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'www-authenticate',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

/** Request to an endpoint, without body. */
export interface Outgoing {
  readonly headers: Fields;
  readonly query: Fields;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Headers that no integration may map, and those that integrations with AWS services may not map either, recorded from
 * AWS.
 */
const UNMAPPED = /^(?:content-length|transfer-encoding)$/i;
const UNMAPPED_AWS = /^(?:authorization|connection|expect|proxy-authenticate|te)$/i;

/**
 * Checks the name of a mapped header.
 * @throws GatewayFault if it may not be mapped
 */
function checkTarget({ type }: DeepReadonly<Integration>, name: string): void {
  if (UNMAPPED.test(name) || (type?.startsWith('AWS') && UNMAPPED_AWS.test(name)))
    throw configurationFault(`Invalid mapping of ${name}`);
}

/** Mapped headers that are dropped without error, recorded from AWS. */
const DROPPED: ReadonlySet<string> = new Set(['connection', 'expect', 'proxy-authenticate', 'te', 'via']);

/**
 * Validates the mapped headers of an integration with a function, which does not use them.
 * @throws GatewayFault
 */
export function checkTargets(integration: DeepReadonly<Integration>): void {
  for (const target of Object.keys(integration.requestParameters ?? {})) {
    const [, , place = '', ...rest] = target.split('.');
    if (place.endsWith('header')) checkTarget(integration, rest.join('.'));
  }
}

/**
 * Evaluates the mapped parameters of an integration.
 * @throws GatewayFault for headers that may not be set
 */
export function mapParameters(call: Call, integration: DeepReadonly<Integration>, from: Outgoing): Outgoing {
  const { headers, query } = from;
  const path: Record<string, string> = { ...from.path };
  for (const [target, source] of Object.entries(integration.requestParameters ?? {})) {
    const [, , place = '', ...rest] = target.split('.');
    const name = rest.join('.');
    const values = requestValues(call, source);
    if (values.length === 0) continue;
    if (place.endsWith('header')) {
      checkTarget(integration, name);
      if (!DROPPED.has(name.toLowerCase())) headers.set(name, ...values);
    } else if (place === 'path') path[name] = values.at(-1)!;
    else query.set(name, ...values);
  }
  return { headers, query, path };
}

/** Applies the request overrides of a template. */
export function override(call: Call, { headers, query, path }: Outgoing): Outgoing {
  const { requestOverride } = call.context;
  for (const [name, value] of Object.entries(requestOverride.header)) headers.set(name, javaText(value));
  for (const [name, value] of Object.entries(requestOverride.querystring)) query.set(name, javaText(value));
  const changed = { ...path };
  for (const [name, value] of Object.entries(requestOverride.path)) changed[name] = javaText(value);
  return { headers, query, path: changed };
}

/**
 * Returns the URL of an endpoint with its variables filled in.
 * @throws GatewayFault if it is invalid
 */
function urlOf(call: Call, uri: string, { path, query }: Outgoing): URL {
  const filled = withStageVariables(uri, call.stage.variables).replace(/\{([^{}]+?)\+?\}/g, (whole, name: string) =>
    Object.hasOwn(path, name) ? encodedPath(path[name]!) : whole,
  );
  if (!URL.canParse(filled)) throw configurationFault('Invalid endpoint address');
  const url = new URL(filled);
  // Recorded from AWS: parameters are appended to those of the URI and replace none.
  for (const [name, values] of query.entries()) for (const value of values) url.searchParams.append(name, value);
  return url;
}

/**
 * Checks that a VPC link exists, of REST APIs or of all kinds of APIs.
 * @throws GatewayFault
 */
async function checkLink({ state, request }: Call, id: string): Promise<void> {
  if (state.vpcLinks.has(id)) return;
  try {
    const { accountId } = state;
    await state.scope.call(
      'apigatewayv2',
      'GetVpcLink',
      { VpcLinkId: id },
      { accountId, principal: gatewayPrincipal(accountId), cause: request.requestId },
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw configurationFault('VPC Link is not available');
  }
}

/**
 * Calls an HTTP endpoint, as proxy or with mappings. emu has no VPCs: private integrations call the host in their URI.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/setup-http-integrations.html
 */
export async function callHttp(call: Call, integration: DeepReadonly<Integration>): Promise<CallAnswer> {
  const { request, apiId, trace, state, stage } = call;
  const proxy = integration.type === 'HTTP_PROXY';
  if (integration.connectionType === 'VPC_LINK')
    await checkLink(call, withStageVariables(integration.connectionId ?? '', stage.variables));
  const base: Outgoing = {
    headers: Fields.headers(),
    query: proxy ? request.query.copy() : new Fields(false),
    path: proxy ? call.pathParameters : {},
  };
  if (proxy) {
    for (const [name, values] of request.headers.entries())
      if (!HIDDEN_HEADERS.has(name.toLowerCase())) base.headers.set(name, ...values);
  } else base.headers.set('Accept', 'application/json').set('User-Agent', `AmazonAPIGateway_${apiId}`);
  base.headers.set('X-Amzn-Apigateway-Api-Id', apiId).set('X-Amzn-Trace-Id', trace);
  const mapped = mapParameters(call, integration, base);
  const body = proxy ? sentBody(call, integration) : await requestBody(call, integration);
  if (body.length > 0 && !mapped.headers.has('content-type'))
    mapped.headers.set('Content-Type', request.headers.get('content-type') ?? 'application/json');
  const outgoing = override(call, mapped);
  const url = urlOf(call, integration.uri ?? '', outgoing);
  const method = integration.httpMethod === 'ANY' ? request.method : integration.httpMethod!;
  const certificate = stage.clientCertificateId ? state.certificates.get(stage.clientCertificateId) : undefined;
  const started = state.clock.now();
  try {
    const sent: EndpointRequest = {
      names: state.scope.service.names,
      url,
      method,
      headers: outgoing.headers,
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
      timeout: integration.timeoutInMillis ?? 29_000,
      insecure: integration.tlsConfig?.insecureSkipVerification,
      signal: request.signal,
      certificate: certificate && { cert: certificate.certificate, key: certificate.key },
    };
    call.log.request(url.href, sent.headers, sent.body);
    if (proxy && integration.responseTransferMode === 'STREAM') return await streamHttp(call, sent);
    const answer = await sendToEndpoint(sent);
    recordAnswer(call, answer, state.clock.now() - started);
    if (proxy) return passedAnswer(call, answer);
    return await mapAnswer(call, integration, { ...answer, selector: String(answer.status) });
  } catch (error) {
    throw endpointFault(call, error);
  } finally {
    call.notes.integration.latency ??= state.clock.now() - started;
  }
}

/**
 * Records an endpoint's response.
 * @param latency milliseconds
 * @param body undefined if streamed
 */
export function recordAnswer(
  call: Call,
  { status, headers, body }: Pick<EndpointAnswer, 'status' | 'headers'> & { body?: Buffer | undefined },
  latency: number,
): void {
  const requestId = headers.get('x-amzn-requestid') ?? headers.get('x-amz-request-id');
  Object.assign(call.notes.integration, { integrationStatus: status, status, latency, requestId });
  call.log.response(status, latency, headers, body);
}

/** Streams the response of an endpoint. */
async function streamHttp(call: Call, request: EndpointRequest): Promise<CallAnswer> {
  const started = call.state.clock.now();
  const ending = new AbortController();
  const signal = request.signal ? AbortSignal.any([ending.signal, request.signal]) : ending.signal;
  const { status, headers, body } = await streamFromEndpoint({ ...request, signal });
  recordAnswer(call, { status, headers }, call.state.clock.now() - started);
  const stream = watched(call, body[Symbol.asyncIterator](), ending);
  return { status, headers: passedHeaders(headers), body: Buffer.alloc(0), stream };
}

/** Returns the error for a client if an endpoint is unreachable. */
export function endpointFault(call: Call, error: unknown): unknown {
  if (error instanceof GatewayFault) return error;
  if (error instanceof Error) call.notes.integration.error = error.message;
  if (error instanceof EndpointExcess) return configurationFault(error.message);
  if (error instanceof EndpointTimeout)
    return new GatewayFault('INTEGRATION_TIMEOUT', 'Endpoint request timed out', 'InternalServerErrorException', {
      log: 'Execution failed due to a timeout error',
    });
  if (!(error instanceof Error)) return error;
  return new GatewayFault(
    'INTEGRATION_FAILURE',
    'Network error communicating with endpoint',
    'InternalServerErrorException',
    { log: `Execution failed due to a network error communicating with endpoint: ${error.message}` },
  );
}
