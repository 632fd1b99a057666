import type { DeepReadonly } from '@emu/core';
import type { CreateRouteResponseRequest, InputOf, OutputOf, RouteResponse } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { apiOf, routeOf } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { RouteResponseRecord } from '../records.ts';
import { DEFAULT_ROUTE } from '../validation/route-key.ts';
import { checkWebSocketApi } from '../validation/websocket-only.ts';
import { RESPONSE_TARGET } from '../websocket/parameters.ts';

const describe = (response: DeepReadonly<RouteResponseRecord>): RouteResponse => response as RouteResponse;

/** The responses of a route that a request names. */
function ownerOf(input: { ApiId: string; RouteId: string }, ctx: Apigatewayv2Context): string {
  checkWebSocketApi(apiOf(input, ctx), 'Route responses');
  return `${input.ApiId}/${routeOf(input, ctx).RouteId}`;
}

function responseOf(
  input: { ApiId: string; RouteId: string; RouteResponseId: string },
  ctx: Apigatewayv2Context,
): [owner: string, response: DeepReadonly<RouteResponseRecord>] {
  const owner = ownerOf(input, ctx);
  const response = ctx.state.routeResponses.get(owner, input.RouteResponseId);
  if (!response) throw notFound('Invalid RouteResponse identifier specified');
  return [owner, response];
}

/** Checks a response as it is going to be. */
function check(
  owner: string,
  response: Partial<Omit<CreateRouteResponseRequest, 'ApiId' | 'RouteId'>>,
  { state }: Apigatewayv2Context,
  id?: string,
): void {
  const { RouteResponseKey: key, ResponseParameters = {}, ResponseModels = {} } = response;
  if (key !== DEFAULT_ROUTE) throw invalid('The route response key must be $default');
  if (state.routeResponses.list(owner).some((other) => other.RouteResponseKey === key && other.RouteResponseId !== id))
    throw conflict(`Route response with key ${key} already exists for this route`);
  for (const target of Object.keys(ResponseParameters))
    if (!RESPONSE_TARGET.test(target)) throw invalid(`Invalid mapping expression specified: ${target}`);
  // As in AWS, models and parameters describe what the route answers; nothing is checked by them.
  const models = state.models.list(owner.split('/')[0]!);
  for (const name of Object.values(ResponseModels))
    if (!models.some((model) => model.Name === name)) throw invalid(`Invalid model name ${name} specified`);
}

const SETTINGS = ['ModelSelectionExpression', 'ResponseModels', 'ResponseParameters'] as const;

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses.html#CreateRouteResponse */
export function CreateRouteResponse(
  input: InputOf<'CreateRouteResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateRouteResponse'> {
  const owner = ownerOf(input, ctx);
  check(owner, input, ctx);
  const RouteResponseId = ctx.state.newId();
  const { RouteResponseKey } = input;
  const response = { ...given(input, SETTINGS), RouteResponseId, RouteResponseKey };
  ctx.state.routeResponses.put(owner, RouteResponseId, response);
  ctx.state.changed(input.ApiId);
  return describe(response);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html#GetRouteResponse */
export function GetRouteResponse(
  input: InputOf<'GetRouteResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetRouteResponse'> {
  return describe(responseOf(input, ctx)[1]);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses.html#GetRouteResponses */
export function GetRouteResponses(
  input: InputOf<'GetRouteResponses'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetRouteResponses'> {
  const responses = ctx.state.routeResponses.list(ownerOf(input, ctx));
  return paging
    .page('GetRouteResponses', withLimit(input), responses, ({ RouteResponseId }) => RouteResponseId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html#UpdateRouteResponse */
export function UpdateRouteResponse(
  input: InputOf<'UpdateRouteResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateRouteResponse'> {
  const [owner, response] = responseOf(input, ctx);
  const changed = { ...response, ...given(input, [...SETTINGS, 'RouteResponseKey']) } as RouteResponseRecord;
  check(owner, changed, ctx, response.RouteResponseId);
  const updated = ctx.state.routeResponses.put(owner, response.RouteResponseId, changed);
  ctx.state.changed(input.ApiId);
  return describe(updated);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes-routeid-routeresponses-routeresponseid.html#DeleteRouteResponse */
export function DeleteRouteResponse(
  input: InputOf<'DeleteRouteResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteRouteResponse'> {
  const [owner, { RouteResponseId }] = responseOf(input, ctx);
  ctx.state.routeResponses.delete(owner, RouteResponseId);
  ctx.state.changed(input.ApiId);
  return {};
}
