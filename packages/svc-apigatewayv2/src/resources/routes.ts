import { lowerId } from '@emu/core/descriptors';
import type { DeepReadonly } from '@emu/core/service';
import { descriptor } from '../descriptor.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import type { ApiRecord, AuthorizerRecord, ModelRecord, RouteRecord } from '../records.ts';
import { CONNECT_ROUTE, checkRouteKey, DEFAULT_ROUTE, integrationIdOf } from '../runtime/route-key.ts';
import { ROUTE_PARAMETER } from '../websocket/parameters.ts';
import { isRequestSelection } from '../websocket/selection.ts';
import { apis } from './apis.ts';
import { authorizers } from './authorizers.ts';
import { integrations } from './integrations.ts';

const MAX_SCOPES = 10;

/** A new or changed route. */
type Route = DeepReadonly<Omit<RouteRecord, 'RouteId'>>;
type Api = DeepReadonly<ApiRecord>;

/**
 * Checks that a route has an authorizer if its authorization requires one.
 * @throws AwsError `BadRequestException`
 */
function checkHasAuthorizer({ RouteKey, AuthorizationType, AuthorizerId }: Route, { ProtocolType }: Api): void {
  if (ProtocolType === 'WEBSOCKET') {
    if (AuthorizationType === 'JWT') throw badRequest('JWT authorization is supported only for HTTP APIs');
    if (AuthorizationType !== 'NONE' && RouteKey !== CONNECT_ROUTE)
      throw badRequest('Currently, authorization is restricted to the $connect route only');
  }
  const isNeeded = AuthorizationType === 'JWT' || AuthorizationType === 'CUSTOM';
  if (isNeeded && AuthorizerId === undefined)
    throw badRequest(`AuthorizerId is a required parameter for the authorization type ${AuthorizationType}`);
  if (!isNeeded && AuthorizerId !== undefined)
    throw badRequest(`AuthorizerId cannot be given with the authorization type ${AuthorizationType}`);
}

/**
 * Checks that authorization and scopes match the authorizer.
 * @throws AwsError `BadRequestException`
 */
function checkScopes(
  { AuthorizationType, AuthorizationScopes = [] }: Route,
  authorizer: DeepReadonly<AuthorizerRecord> | undefined,
): void {
  if (authorizer && (AuthorizationType === 'JWT') !== (authorizer.AuthorizerType === 'JWT'))
    throw badRequest('The authorizer does not have the type of the authorization');
  if (AuthorizationScopes.length > 0 && AuthorizationType !== 'JWT')
    throw badRequest('AuthorizationScopes are supported only for JWT authorization');
  if (AuthorizationScopes.length > MAX_SCOPES)
    throw badRequest(`A route can have at most ${MAX_SCOPES} AuthorizationScopes`);
}

/**
 * Checks that a route of an HTTP API has no WebSocket members.
 * @throws AwsError `BadRequestException`
 */
function checkHttp(route: Route): void {
  const only = (
    ['ModelSelectionExpression', 'RequestModels', 'RequestParameters', 'RouteResponseSelectionExpression'] as const
  ).find((member) => route[member] !== undefined && Object.keys(route[member]).length > 0);
  if (only !== undefined) throw badRequest(`${only} is supported only for WebSocket APIs`);
  if (route.ApiKeyRequired) throw badRequest('ApiKeyRequired is supported only for WebSocket APIs');
}

/**
 * Validates the request requirements of a WebSocket route.
 * @throws AwsError `BadRequestException`
 */
function checkWebSocket(
  { RouteKey, RequestModels = {}, RequestParameters = {}, ...route }: Route,
  apiId: string,
  models: readonly DeepReadonly<ModelRecord>[],
): void {
  const { ModelSelectionExpression: model, RouteResponseSelectionExpression: response } = route;
  for (const name of Object.values(RequestModels))
    if (!models.some((one) => one.Name === name))
      throw badRequest(`Invalid model name ${name} specified: the API ${apiId} has no such model`);
  if (model !== undefined && !isRequestSelection(model))
    throw badRequest(`Invalid ModelSelectionExpression specified: ${model}`);
  for (const key of Object.keys(RequestParameters)) {
    if (RouteKey !== CONNECT_ROUTE) throw badRequest('RequestParameters are supported only for the $connect route');
    if (!ROUTE_PARAMETER.test(key)) throw badRequest(`Invalid mapping expression specified: ${key}`);
  }
  if (response !== undefined && response !== DEFAULT_ROUTE)
    throw badRequest('RouteResponseSelectionExpression must be $default');
}

/** Routes. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html */
export const routes = descriptor({
  name: 'Route',
  records: 'routes',
  owner: apis,
  key: 'RouteId',
  id: lowerId(7),
  missing: () => notFound('Invalid Route identifier specified'),
  emptiable: [
    'AuthorizerId',
    'ModelSelectionExpression',
    'OperationName',
    'RouteResponseSelectionExpression',
    'Target',
  ],
  rules: [
    ({ RouteKey }, { owner }) => checkRouteKey(owner.ProtocolType, RouteKey),
    {
      unique: ['RouteKey'],
      error: ({ RouteKey }) => conflict(`Route with key ${RouteKey} already exists for this API`),
    },
    ({ Target }) => {
      if (Target !== undefined && integrationIdOf({ Target }) === undefined)
        throw badRequest('Target must have the form integrations/<integration id>');
    },
    {
      reference: 'Target',
      to: integrations,
      form: { read: (Target) => integrationIdOf({ Target }), write: (id) => `integrations/${id}` },
      onDelete: {
        refuse: ({ IntegrationId }: { IntegrationId: string }, { RouteId }) =>
          conflict(`Cannot delete Integration '${IntegrationId}' due to Route '${RouteId}' referencing it`),
      },
    },
    (route, { owner }) => checkHasAuthorizer(route, owner),
    {
      reference: 'AuthorizerId',
      to: authorizers,
      onDelete: {
        refuse: ({ AuthorizerId }: { AuthorizerId: string }, { RouteId }) =>
          conflict(`Cannot delete authorizer '${AuthorizerId}', is referenced by route '${RouteId}'`),
      },
    },
    (route, { at, ctx }) => checkScopes(route, ctx.state.authorizers.get(at.ApiId, route.AuthorizerId ?? '')),
    (route, { owner: { ApiId, ProtocolType }, ctx }) =>
      ProtocolType === 'HTTP' ? checkHttp(route) : checkWebSocket(route, ApiId, ctx.state.models.list(ApiId)),
  ],
  changed: (_route, { at, ctx }) => ctx.state.changed(at.ApiId),
});
