import {
  callFunction,
  EndpointTimeout,
  functionOfUri,
  isNetworkFailure,
  sendToEndpoint,
  withStageVariables,
} from '@emu/apigateway-common';
import type { IntegrationRecord } from '../records.ts';
import { executionArn } from '../resources.ts';
import { eventV1 } from './event-v1.ts';
import { eventV2 } from './event-v2.ts';
import type { HttpExchange } from './exchange.ts';
import { callService } from './first-class.ts';
import { type MappedRequest, mapRequest } from './mapping.ts';
import { functionAnswer, type HttpAnswer, internalError, messageAnswer } from './response.ts';
import { LateAnswer, withTimeout } from './timeout.ts';

/** Hop-by-hop headers. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/**
 * Calls an integration; failures become responses and are recorded for the log.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations.html
 */
export async function integrate(exchange: HttpExchange, integration: IntegrationRecord): Promise<HttpAnswer> {
  const { log, state } = exchange;
  const began = state.clock.now();
  try {
    const answer = await withTimeout(state.clock, integration.TimeoutInMillis, exchange.request.signal, (signal) =>
      answerOf(exchange, integration, signal),
    );
    log.integrationStatus ??= answer.status;
    return answer;
  } catch (error) {
    log.integrationError = error instanceof Error ? error.message : String(error);
    if (error instanceof LateAnswer || error instanceof EndpointTimeout) {
      log.error = { message: 'Service Unavailable', responseType: 'INTEGRATION_TIMEOUT' };
      return messageAnswer(503, 'Service Unavailable');
    }
    if (isNetworkFailure(error)) {
      log.error = { message: 'Service Unavailable', responseType: 'INTEGRATION_NETWORK_FAILURE' };
      return messageAnswer(503, 'Service Unavailable');
    }
    log.error = { message: 'Internal Server Error', responseType: 'INTEGRATION_FAILURE' };
    return internalError();
  } finally {
    log.integrationLatency = state.clock.now() - began;
  }
}

function answerOf(exchange: HttpExchange, integration: IntegrationRecord, signal: AbortSignal): Promise<HttpAnswer> {
  if (integration.IntegrationSubtype !== undefined) return callService(exchange, integration, signal);
  const mapped = mapRequest(exchange, integration.RequestParameters ?? {});
  return integration.IntegrationType === 'AWS_PROXY'
    ? invoke(exchange, integration, mapped, signal)
    : forward(exchange, integration, mapped, signal);
}

/** Returns the ARN of an integration's function. */
function functionArnOf({ IntegrationUri = '' }: IntegrationRecord, { stage }: HttpExchange): string {
  return functionOfUri(IntegrationUri, stage.variables) ?? withStageVariables(IntegrationUri, stage.variables);
}

async function invoke(
  exchange: HttpExchange,
  integration: IntegrationRecord,
  mapped: MappedRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { state, log, traceHeader } = exchange;
  const version = integration.PayloadFormatVersion ?? '1.0';
  const seen = exchange.withMapped(mapped);
  const event = version === '2.0' ? eventV2(seen) : eventV1(seen);
  const requestId = state.ids.uuid();
  log.endpointRequestId = requestId;
  const answer = await callFunction(state.scope, {
    functionArn: functionArnOf(integration, exchange),
    accountId: state.accountId,
    sourceArn: executionArn(exchange.routeResource, state),
    role: integration.CredentialsArn,
    payload: JSON.stringify(event),
    traceHeader,
    cause: exchange.request.requestId,
    requestId,
    signal,
  });
  log.serviceStatus = 200;
  const understood = answer.failed ? undefined : functionAnswer(answer.payload, version);
  if (understood) return understood;
  log.integrationStatus = 200;
  log.integrationError = answer.failed
    ? `The Lambda function returned the following error: ${answer.payload}`
    : "The response from the Lambda function doesn't match the format that API Gateway expects";
  log.error = { message: 'Internal Server Error', responseType: 'INTEGRATION_FAILURE' };
  return internalError();
}

/** Forwards a request to an endpoint. */
async function forward(
  exchange: HttpExchange,
  integration: IntegrationRecord,
  mapped: MappedRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { IntegrationMethod: method = 'ANY', TimeoutInMillis: timeout } = integration;
  const headers = mapped.headers.copy();
  for (const name of [...HOP_BY_HOP, 'host', 'content-length']) headers.delete(name);
  headers.set('Forwarded', forwardedBy(exchange));
  const { body } = exchange;
  const answer = await sendToEndpoint({
    names: exchange.state.service.names,
    url: endpointUrl(exchange, integration, mapped),
    method: method === 'ANY' ? exchange.method : method,
    headers,
    body: body.length > 0 ? body : undefined,
    timeout,
    signal,
  });
  const { log } = exchange;
  log.endpointRequestId = answer.headers.get('x-amzn-requestid') ?? answer.headers.get('x-amz-request-id');
  log.endpointRequestId2 = answer.headers.get('x-amz-id-2');
  for (const name of [...HOP_BY_HOP, 'content-length']) answer.headers.delete(name);
  return answer;
}

const forwardedBy = ({ sourceIp, domainName, request }: HttpExchange): string =>
  `for=${sourceIp};host=${domainName};proto=${request.secure ? 'https' : 'http'}`;

/** Returns the endpoint URL: the integration's URI with the values of path variables. */
function endpointUrl(exchange: HttpExchange, { IntegrationUri = '' }: IntegrationRecord, mapped: MappedRequest): URL {
  const { match, stage } = exchange;
  const filled = withStageVariables(IntegrationUri, stage.variables).replace(/\{([\w.-]+)\+?\}/g, (_, name: string) =>
    encodeURI(match!.pathParameters[name] ?? ''),
  );
  const url = new URL(filled);
  if (mapped.path !== undefined) url.pathname = mapped.path;
  // A URI without a path receives the request's path if the route is `$default`.
  else if (url.pathname === '/' && match!.route.RouteKey === '$default') url.pathname = exchange.path;
  for (const [name, values] of mapped.query.entries()) for (const value of values) url.searchParams.append(name, value);
  return url;
}
