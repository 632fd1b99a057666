import { takeFromAccount } from '@emu/apigateway-common';
import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  readAtMost,
  restApis,
  type ServiceHandle,
} from '@emu/core/service';
import { authorizeSigner, signerOfRequest } from './authorizers/iam.ts';
import { forbidden, Refusal, undecided } from './authorizers/verdict.ts';
import type { ApiEntrance } from './domains/api-entrance.ts';
import { authorizeByToken } from './http/authorizers/jwt.ts';
import { authorizeByFunction } from './http/authorizers/lambda.ts';
import { applyCors, isPreflight, preflightAnswer } from './http/cors.ts';
import { entranceOf } from './http/entrance.ts';
import { HttpExchange } from './http/exchange.ts';
import { integrate } from './http/integrations.ts';
import { mapResponse } from './http/mapping.ts';
import { type HttpAnswer, messageAnswer, outgoing } from './http/response.ts';
import { writeAccessLog } from './logging/access-log.ts';
import { capture } from './logging/captured.ts';
import { measureRequest } from './logging/metrics.ts';
import type { Apigatewayv2State } from './state.ts';
import { manageConnection } from './websocket/management.ts';

/**
 * Maximum bytes of a request body.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const MAX_BODY = 10 * 1024 * 1024;
const ID_BYTES = 11;

/**
 * Serves a request to an HTTP API.
 * @returns undefined if it is not for an API of this service
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api.html
 */
export async function serve(
  request: DataPlaneRequest,
  handle: ServiceHandle<Apigatewayv2State>,
): Promise<DataPlaneResponse | undefined> {
  const entrance = entranceOf(request, handle);
  return entrance && serveEntrance(request, entrance);
}

/** Serves a request with a known target. */
export async function serveEntrance(request: DataPlaneRequest, entrance: ApiEntrance): Promise<DataPlaneResponse> {
  const { state, stage } = entrance;
  if (entrance.client === null) return outgoing(messageAnswer(403, 'Forbidden'), newId(state));
  if (entrance.api?.ProtocolType === 'WEBSOCKET') {
    const managed = entrance.destination && (await manageConnection(request, entrance));
    if (managed) return managed;
    const answer = messageAnswer(426, 'Upgrade Required');
    answer.headers.set('upgrade', 'websocket');
    return outgoing(answer, newId(state));
  }
  const elsewhere = entrance.destination && !entrance.api && (await serveRest(request, entrance));
  if (elsewhere) return elsewhere;
  if (!stage) return outgoing(messageAnswer(404, 'Not Found'), newId(state));
  const exchange = new HttpExchange({ ...entrance, stage }, request);
  const { cors } = stage.configuration;
  let answer: HttpAnswer;
  if (cors && isPreflight(request)) answer = preflightAnswer(cors, request);
  else {
    answer = await answerOf(exchange);
    if (cors) applyCors(cors, request, answer);
  }
  capture(exchange, answer.status);
  measureRequest(exchange, answer);
  writeAccessLog(exchange, answer);
  return outgoing(answer, exchange.requestId);
}

/** Returns the response of the REST API of a domain name; undefined if there is none. */
async function serveRest(
  request: DataPlaneRequest,
  { state, destination, path, domainName, client, basePath, ruleId }: ApiEntrance,
): Promise<DataPlaneResponse | undefined> {
  const { accountId, region } = state;
  const { apiId, stage } = destination!;
  const place = { accountId, region, apiId, stage, path, domainName, basePath, ruleId };
  const target = { ...place, clientCertificate: client ?? undefined };
  return (await state.service.capability(restApis))?.serve(request, target);
}

const newId = ({ ids }: Apigatewayv2State): string => `${ids.bytes(ID_BYTES).toString('base64url')}=`;

/** Returns the response to a request that is not a preflight. */
async function answerOf(exchange: HttpExchange): Promise<HttpAnswer> {
  const { stage, state, log } = exchange;
  const fail = (status: number, message: string, responseType: string): HttpAnswer => {
    log.error = { message, responseType };
    return messageAnswer(status, message);
  };
  exchange.match = stage.router.find(exchange.method, exchange.path);
  if (!exchange.match) return fail(404, 'Not Found', 'ROUTE_NOT_FOUND');
  const { route } = exchange.match;
  if (!takeFromAccount(state.runtime.throttles, state.service, state))
    return fail(429, 'Too Many Requests', 'THROTTLED');
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stage.settingsOf(route.RouteKey);
  if (rate !== undefined || burst !== undefined) {
    const key = `${stage.api.ApiId}/${stage.name}/${route.RouteKey}`;
    const limit = rate ?? Number.POSITIVE_INFINITY;
    if (!state.runtime.throttles.take(key, 1, limit, burst ?? Math.max(limit, 1), state.clock.now()))
      return fail(429, 'Too Many Requests', 'THROTTLED');
  }
  const body = await readAtMost(exchange.request.body, MAX_BODY);
  if (!body) return fail(413, 'Request Entity Too Large', 'REQUEST_TOO_LARGE');
  exchange.body = body;
  try {
    await authorize(exchange);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.authorizerError = error.reason;
    const answer = fail(error.status, error.message, error.responseType);
    for (const [name, value] of Object.entries(error.headers)) answer.headers.set(name, value);
    return answer;
  }
  const integration = stage.integrationOf(route);
  if (!integration) return fail(500, 'Internal Server Error', 'INTEGRATION_NOT_FOUND');
  return mapResponse(exchange, await integrate(exchange, integration), integration.ResponseParameters);
}

/**
 * Authorizes a request by its route's authorization type.
 * @throws Refusal
 */
async function authorize(exchange: HttpExchange): Promise<void> {
  const { stage, state, match, request } = exchange;
  const { route } = match!;
  if (route.AuthorizationType === 'NONE') return;
  if (route.AuthorizationType === 'AWS_IAM') {
    exchange.caller = await signerOfRequest(request, state);
    await authorizeSigner(exchange.caller, exchange.executionPath, state, request.requestId);
    return;
  }
  const authorizer = stage.authorizerOf(route);
  if (!authorizer) throw undecided('The route has no authorizer');
  if (route.AuthorizationType === 'JWT')
    exchange.authorizer = await authorizeByToken(exchange, authorizer, state.runtime.keySets);
  else if (route.AuthorizationType === 'CUSTOM') exchange.authorizer = await authorizeByFunction(exchange, authorizer);
  else throw forbidden('The route denies all requests');
}
