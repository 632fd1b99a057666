import type { GatewayResponse, GatewayResponseType, InputOf, OutputOf } from '@emu/service-types/apigateway';
import { DEFAULT_TEMPLATES, responseInForce, STATUSES } from '../apis/gateway-response.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { apiOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, entries, type PatchTable, refusePath, text } from '../patch/patch.ts';

const TYPES = Object.keys(STATUSES).sort() as GatewayResponseType[];

function inForce(apiId: string, type: GatewayResponseType, { state }: ApigatewayContext): GatewayResponse {
  return responseInForce(type, (one) => {
    const set = state.gatewayResponses.get(apiId, one);
    return set && (structuredClone(set) as GatewayResponse);
  });
}

function check({ statusCode, responseParameters = {}, responseTemplates = {} }: GatewayResponse): void {
  if (statusCode !== undefined && !/^[1-5]\d\d$/.test(statusCode)) throw badRequest('Invalid status code specified');
  for (const [target, source] of Object.entries(responseParameters)) {
    if (!source) throw badRequest('Invalid null or empty value in responseParameters');
    if (!/^gatewayresponse\.header\.[^\s]+$/.test(target))
      throw badRequest(`Invalid mapping expression specified: ${target}`);
  }
  for (const template of Object.values(responseTemplates))
    if (!template) throw badRequest('Invalid null or empty value in responseTemplates');
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutGatewayResponse.html */
export function PutGatewayResponse(
  input: InputOf<'PutGatewayResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'PutGatewayResponse'> {
  const { restApiId, responseType, statusCode, responseParameters, responseTemplates } = input;
  apiOf(restApiId, ctx);
  const status = statusCode ?? STATUSES[responseType];
  const response: GatewayResponse = {
    responseType,
    ...(status !== undefined && { statusCode: status }),
    responseParameters: responseParameters ?? {},
    responseTemplates: responseTemplates ?? { ...DEFAULT_TEMPLATES },
    defaultResponse: false,
  };
  check(response);
  ctx.state.gatewayResponses.put(restApiId, responseType, response);
  return response;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetGatewayResponse.html */
export function GetGatewayResponse(
  input: InputOf<'GetGatewayResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'GetGatewayResponse'> {
  apiOf(input.restApiId, ctx);
  return inForce(input.restApiId, input.responseType, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetGatewayResponses.html */
export function GetGatewayResponses(
  input: InputOf<'GetGatewayResponses'>,
  ctx: ApigatewayContext,
): OutputOf<'GetGatewayResponses'> {
  apiOf(input.restApiId, ctx);
  return paging
    .page('GetGatewayResponses', input, TYPES, (type) => type, { defaultLimit: TYPES.length })
    .list((type) => inForce(input.restApiId, type, ctx));
}

const missing = () => notFound('Invalid parameter name specified');

const TABLE: PatchTable<GatewayResponse> = {
  rules: [
    text('/statusCode', 'statusCode'),
    entries('/responseParameters/{name}', 'responseParameters', missing),
    entries('/responseTemplates/{type}', 'responseTemplates', missing),
  ],
  refuse: refusePath,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateGatewayResponse.html */
export function UpdateGatewayResponse(
  input: InputOf<'UpdateGatewayResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateGatewayResponse'> {
  const { restApiId, responseType, patchOperations } = input;
  apiOf(restApiId, ctx);
  const draft = inForce(restApiId, responseType, ctx);
  applyPatch(TABLE, draft, patchOperations);
  draft.responseParameters ??= {};
  draft.responseTemplates ??= {};
  check(draft);
  const changed = { ...draft, defaultResponse: false };
  ctx.state.gatewayResponses.put(restApiId, responseType, changed);
  return changed;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteGatewayResponse.html */
export function DeleteGatewayResponse(
  input: InputOf<'DeleteGatewayResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteGatewayResponse'> {
  apiOf(input.restApiId, ctx);
  if (!ctx.state.gatewayResponses.delete(input.restApiId, input.responseType))
    throw notFound('Gateway response type not defined on api');
  return {};
}
