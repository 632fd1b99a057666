import { localUrls } from '@emu/apigateway-common';
import type { DeepReadonly } from '@emu/core';
import type { Api, InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { domainMapping } from '../domains/shared.ts';
import { conflict, invalid } from '../errors.ts';
import { apiOf } from '../lookup.ts';
import { given, timeOf } from '../members.ts';
import { APIGATEWAYV2_OPTIONS } from '../options.ts';
import { paging, withLimit } from '../paging.ts';
import { changeQuickIntegration, checkQuickTarget, createQuickly } from '../quick-create.ts';
import type { ApiRecord } from '../records.ts';
import { endpointOf } from '../runtime/endpoints.ts';
import { CUSTOM_ID, tagging } from '../tags.ts';
import { checkApiTexts, checkCors, checkKeySelection, routeSelection } from '../validation/api.ts';

const API_ID = /^[a-z0-9-]{1,63}$/;
const KEY_SELECTION = '$request.header.x-api-key';

/** What answers say of an API. */
export function describeApi({ createdAt, ...api }: DeepReadonly<ApiRecord>, ctx: Apigatewayv2Context): Api {
  return { ...api, ApiEndpoint: shownEndpoint(api, ctx), CreatedDate: timeOf(createdAt) } as Api;
}

/** The URL of an API as answers have it: AWS's, unless settings ask for that on this machine. */
function shownEndpoint(
  api: Pick<DeepReadonly<ApiRecord>, 'ApiId' | 'ProtocolType'>,
  { endpoint, settings, state }: Apigatewayv2Context,
): string {
  if (!settings.of(APIGATEWAYV2_OPTIONS).EMULATOR_APIGATEWAYV2_LOCAL_ENDPOINTS) return endpointOf(api, state);
  const place = { apiId: api.ApiId, region: state.region, stage: undefined };
  return localUrls(endpoint, place, api.ProtocolType === 'WEBSOCKET').url;
}

/**
 * The id of a new API: the one that its tag `_custom_id_` names, or a new one.
 * @throws AwsError `BadRequestException` or `ConflictException` for one that cannot be had
 */
export function apiIdFor(tags: Record<string, string>, { state, handle }: Apigatewayv2Context): string {
  const wanted = tags[CUSTOM_ID];
  if (wanted === undefined) return state.newApiId();
  if (!API_ID.test(wanted)) throw invalid(`Invalid API identifier in the tag ${CUSTOM_ID}: ${wanted}`);
  for (const { state: other } of handle.states())
    if (other.apis.has(wanted)) throw conflict(`There is already an API with the identifier ${wanted}`);
  return wanted;
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis.html#CreateApi */
export function CreateApi(input: InputOf<'CreateApi'>, ctx: Apigatewayv2Context): OutputOf<'CreateApi'> {
  const { ProtocolType, Target, RouteKey, CredentialsArn } = input;
  checkApiTexts(input);
  const selection = routeSelection(ProtocolType, input.RouteSelectionExpression);
  checkKeySelection(input.ApiKeySelectionExpression);
  checkCors(ProtocolType, input.CorsConfiguration);
  if (Target === undefined && (RouteKey !== undefined || CredentialsArn !== undefined))
    throw invalid('RouteKey and CredentialsArn can be given only with Target');
  if (Target !== undefined) checkQuickTarget(ProtocolType, Target, RouteKey);
  const Tags = tagging.merge(undefined, input.Tags);
  const ApiId = apiIdFor(Tags, ctx);
  const { state, clock } = ctx;
  const record = state.apis.put(ApiId, {
    ...given(input, ['CorsConfiguration', 'Description', 'Version', 'DisableSchemaValidation']),
    ApiId,
    Name: input.Name,
    ProtocolType,
    RouteSelectionExpression: selection,
    ApiKeySelectionExpression: input.ApiKeySelectionExpression ?? KEY_SELECTION,
    DisableExecuteApiEndpoint: input.DisableExecuteApiEndpoint ?? false,
    IpAddressType: input.IpAddressType ?? 'ipv4',
    Tags,
    createdAt: clock.now(),
  });
  if (Target !== undefined)
    createQuickly(ApiId, { target: Target, routeKey: RouteKey, credentials: CredentialsArn }, ctx);
  return describeApi(record, ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#GetApi */
export function GetApi(input: InputOf<'GetApi'>, ctx: Apigatewayv2Context): OutputOf<'GetApi'> {
  return describeApi(apiOf(input, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis.html#GetApis */
export function GetApis(input: InputOf<'GetApis'>, ctx: Apigatewayv2Context): OutputOf<'GetApis'> {
  return paging
    .page('GetApis', withLimit(input), ctx.state.apis.values(), ({ ApiId }) => ApiId)
    .list((api) => describeApi(api, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#UpdateApi */
export function UpdateApi(input: InputOf<'UpdateApi'>, ctx: Apigatewayv2Context): OutputOf<'UpdateApi'> {
  const api = apiOf(input, ctx);
  const { ApiId, ProtocolType } = api;
  checkApiTexts(input);
  if (input.RouteSelectionExpression !== undefined) routeSelection(ProtocolType, input.RouteSelectionExpression);
  checkKeySelection(input.ApiKeySelectionExpression);
  checkCors(ProtocolType, input.CorsConfiguration);
  const { state } = ctx;
  changeQuickIntegration(
    api,
    { target: input.Target, routeKey: input.RouteKey, credentials: input.CredentialsArn },
    ctx,
  );
  const updated = state.apis.update(ApiId, (draft) => {
    Object.assign(
      draft,
      given(input, [
        'ApiKeySelectionExpression',
        'CorsConfiguration',
        'Description',
        'DisableSchemaValidation',
        'DisableExecuteApiEndpoint',
        'IpAddressType',
        'Name',
        'RouteSelectionExpression',
        'Version',
      ]),
    );
  });
  state.changed(ApiId);
  return describeApi(updated, ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html#DeleteApi */
export async function DeleteApi(input: InputOf<'DeleteApi'>, ctx: Apigatewayv2Context): Promise<OutputOf<'DeleteApi'>> {
  const { ApiId } = apiOf(input, ctx);
  const domain = await domainMapping(({ apiId }) => apiId === ApiId, ctx);
  if (domain !== undefined)
    throw invalid(`Please remove all base path mappings related to the API from the domain ${domain} first`);
  ctx.state.deleteApi(ApiId);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-cors.html#DeleteCorsConfiguration */
export function DeleteCorsConfiguration(
  input: InputOf<'DeleteCorsConfiguration'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteCorsConfiguration'> {
  const { ApiId } = apiOf(input, ctx);
  ctx.state.apis.update(ApiId, (draft) => {
    delete draft.CorsConfiguration;
  });
  ctx.state.changed(ApiId);
  return {};
}
