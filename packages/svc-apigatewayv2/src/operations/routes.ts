import type { DeepReadonly } from '@emu/core';
import type { InputOf, OutputOf, Route } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { apiOf, routeOf } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { RouteRecord } from '../records.ts';
import { checkRoute } from '../validation/route.ts';

const SETTINGS = [
  'ApiKeyRequired',
  'AuthorizationScopes',
  'AuthorizationType',
  'AuthorizerId',
  'ModelSelectionExpression',
  'OperationName',
  'RequestModels',
  'RequestParameters',
  'RouteKey',
  'RouteResponseSelectionExpression',
  'Target',
] as const;

const describe = (route: DeepReadonly<RouteRecord>): Route => route as Route;

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html#CreateRoute */
export function CreateRoute(input: InputOf<'CreateRoute'>, ctx: Apigatewayv2Context): OutputOf<'CreateRoute'> {
  const api = apiOf(input, ctx);
  const { state } = ctx;
  const settings = {
    ApiKeyRequired: false,
    ...given(input, SETTINGS),
    AuthorizationType: input.AuthorizationType ?? ('NONE' as const),
    RouteKey: input.RouteKey,
  };
  checkRoute(api, settings, ctx);
  const RouteId = state.newId();
  const route = state.routes.put(api.ApiId, RouteId, { ...settings, RouteId });
  state.changed(api.ApiId);
  return describe(route);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html#GetRoute */
export function GetRoute(input: InputOf<'GetRoute'>, ctx: Apigatewayv2Context): OutputOf<'GetRoute'> {
  return describe(routeOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html#GetRoutes */
export function GetRoutes(input: InputOf<'GetRoutes'>, ctx: Apigatewayv2Context): OutputOf<'GetRoutes'> {
  const { ApiId } = apiOf(input, ctx);
  return paging
    .page('GetRoutes', withLimit(input), ctx.state.routes.list(ApiId), ({ RouteId }) => RouteId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html#UpdateRoute */
export function UpdateRoute(input: InputOf<'UpdateRoute'>, ctx: Apigatewayv2Context): OutputOf<'UpdateRoute'> {
  const route = routeOf(input, ctx) as RouteRecord;
  const api = apiOf(input, ctx);
  const changed = { ...route, ...given(input, SETTINGS) };
  // Another kind of authorization needs no authorizer of the one before.
  if (input.AuthorizationType !== undefined && input.AuthorizationType !== route.AuthorizationType) {
    if (input.AuthorizerId === undefined) delete changed.AuthorizerId;
    if (input.AuthorizationScopes === undefined) delete changed.AuthorizationScopes;
  }
  checkRoute(api, changed, ctx, route.RouteId);
  const updated = ctx.state.routes.put(api.ApiId, route.RouteId, changed);
  ctx.state.changed(api.ApiId);
  return describe(updated);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid.html#DeleteRoute */
export function DeleteRoute(input: InputOf<'DeleteRoute'>, ctx: Apigatewayv2Context): OutputOf<'DeleteRoute'> {
  const { RouteId } = routeOf(input, ctx);
  ctx.state.routeResponses.clear(`${input.ApiId}/${RouteId}`);
  ctx.state.routes.delete(input.ApiId, RouteId);
  ctx.state.changed(input.ApiId);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-requestparameters-requestparameterkey.html#DeleteRouteRequestParameter */
export function DeleteRouteRequestParameter(
  input: InputOf<'DeleteRouteRequestParameter'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteRouteRequestParameter'> {
  const { RouteId, RequestParameters } = routeOf(input, ctx);
  const { RequestParameterKey: key } = input;
  if (!RequestParameters || !Object.hasOwn(RequestParameters, key)) throw notFound('Invalid parameter name specified');
  ctx.state.routes.put(input.ApiId, RouteId, {
    ...(routeOf(input, ctx) as RouteRecord),
    RequestParameters: Object.fromEntries(Object.entries(RequestParameters).filter(([name]) => name !== key)),
  });
  ctx.state.changed(input.ApiId);
  return {};
}
