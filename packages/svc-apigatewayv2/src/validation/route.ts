import type { DeepReadonly } from '@emu/core';
import type { CreateRouteRequest } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import type { ApiRecord, ModelRecord, RouteRecord } from '../records.ts';
import { ROUTE_PARAMETER } from '../websocket/parameters.ts';
import { tellsMessages } from '../websocket/selection.ts';
import { CONNECT_ROUTE, checkRouteKey, DEFAULT_ROUTE, integrationIdOf } from './route-key.ts';

const MAX_SCOPES = 10;

/** What a request says of a route. */
type RouteSettings = Partial<Omit<CreateRouteRequest, 'ApiId'>>;

/**
 * Checks a route as it is going to be.
 * @param route what a request says, in the place of what there was
 * @param id of a route that is being changed
 * @throws AwsError `BadRequestException`, `NotFoundException`, `ConflictException`
 */
export function checkRoute(
  api: DeepReadonly<ApiRecord>,
  route: RouteSettings & Pick<RouteRecord, 'RouteKey' | 'AuthorizationType'>,
  { state }: Apigatewayv2Context,
  id?: string,
): void {
  const { ApiId, ProtocolType } = api;
  const { RouteKey, Target } = route;
  checkRouteKey(ProtocolType, RouteKey);
  if (state.routes.list(ApiId).some((other) => other.RouteKey === RouteKey && other.RouteId !== id))
    throw conflict(`Route with key ${RouteKey} already exists for this API`);
  if (Target !== undefined) {
    const integrationId = integrationIdOf(route);
    if (integrationId === undefined) throw invalid('Target must have the form integrations/<integration id>');
    if (!state.integrations.get(ApiId, integrationId)) throw notFound('Invalid Integration identifier specified');
  }
  checkAuthorization(api, route, state.authorizers.get(ApiId, route.AuthorizerId ?? '')?.AuthorizerType);
  if (ProtocolType === 'HTTP') {
    const only = (
      ['ModelSelectionExpression', 'RequestModels', 'RequestParameters', 'RouteResponseSelectionExpression'] as const
    ).find((member) => route[member] !== undefined && Object.keys(route[member]).length > 0);
    if (only !== undefined) throw invalid(`${only} is supported only for WebSocket APIs`);
    if (route.ApiKeyRequired) throw invalid('ApiKeyRequired is supported only for WebSocket APIs');
    return;
  }
  if (route.ApiKeyRequired && RouteKey !== CONNECT_ROUTE)
    throw invalid('ApiKeyRequired is supported only for the $connect route');
  checkRequests(api, route, state.models.list(ApiId));
  const { RouteResponseSelectionExpression: selection } = route;
  if (selection !== undefined && selection !== DEFAULT_ROUTE)
    throw invalid('RouteResponseSelectionExpression must be $default');
}

/** Checks what a route of a WebSocket API asks of requests. */
function checkRequests(
  { ApiId }: DeepReadonly<ApiRecord>,
  { RouteKey, RequestModels = {}, RequestParameters = {}, ModelSelectionExpression: selection }: RouteSettings,
  models: readonly DeepReadonly<ModelRecord>[],
): void {
  for (const name of Object.values(RequestModels))
    if (!models.some((model) => model.Name === name))
      throw invalid(`Invalid model name ${name} specified: the API ${ApiId} has no such model`);
  if (selection !== undefined && selection !== DEFAULT_ROUTE && !tellsMessages(selection))
    throw invalid(`Invalid ModelSelectionExpression specified: ${selection}`);
  for (const key of Object.keys(RequestParameters)) {
    if (RouteKey !== CONNECT_ROUTE) throw invalid('RequestParameters are supported only for the $connect route');
    if (!ROUTE_PARAMETER.test(key)) throw invalid(`Invalid mapping expression specified: ${key}`);
  }
}

/** Checks who may call a route. */
function checkAuthorization(
  { ProtocolType }: DeepReadonly<ApiRecord>,
  {
    RouteKey,
    AuthorizationType,
    AuthorizerId,
    AuthorizationScopes = [],
  }: RouteSettings & Pick<RouteRecord, 'AuthorizationType'>,
  authorizer: 'JWT' | 'REQUEST' | undefined,
): void {
  if (ProtocolType === 'WEBSOCKET') {
    if (AuthorizationType === 'JWT') throw invalid('JWT authorization is supported only for HTTP APIs');
    if (AuthorizationType !== 'NONE' && RouteKey !== CONNECT_ROUTE)
      throw invalid('Currently, authorization is restricted to the $connect route only');
  }
  if (AuthorizationType === 'JWT' || AuthorizationType === 'CUSTOM') {
    if (AuthorizerId === undefined)
      throw invalid(`AuthorizerId is a required parameter for the authorization type ${AuthorizationType}`);
    if (authorizer === undefined) throw notFound('Invalid Authorizer identifier specified');
    if ((AuthorizationType === 'JWT') !== (authorizer === 'JWT'))
      throw invalid('The authorizer does not have the type of the authorization');
  } else if (AuthorizerId !== undefined)
    throw invalid(`AuthorizerId cannot be given with the authorization type ${AuthorizationType}`);
  if (AuthorizationScopes.length > 0 && AuthorizationType !== 'JWT')
    throw invalid('AuthorizationScopes are supported only for JWT authorization');
  if (AuthorizationScopes.length > MAX_SCOPES)
    throw invalid(`A route can have at most ${MAX_SCOPES} AuthorizationScopes`);
}
