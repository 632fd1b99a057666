import { localUrls } from '@emu/apigateway-common';
import { lowerId } from '@emu/core/descriptors';
import type { Api } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { descriptor } from '../descriptor.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import { APIGATEWAYV2_OPTIONS } from '../options.ts';
import type { ApiRecord } from '../records.ts';
import { endpointOf } from '../runtime/endpoints.ts';
import { CUSTOM_ID } from '../tags.ts';
import { checkApiTexts, checkCors, checkKeySelection, routeSelection } from '../validation/api.ts';

const ID = lowerId(10);
const CUSTOM_FORM = /^[a-z0-9-]{1,63}$/;

/** Returns the URL of an API in responses: AWS's, or a local one if configured. */
function shownEndpoint(
  api: Pick<ApiRecord, 'ApiId' | 'ProtocolType'>,
  { endpoint, settings, state }: Apigatewayv2Context,
): string {
  if (!settings.of(APIGATEWAYV2_OPTIONS).EMULATOR_APIGATEWAYV2_LOCAL_ENDPOINTS) return endpointOf(api, state);
  const place = { apiId: api.ApiId, region: state.region, stage: undefined };
  return localUrls(endpoint, settings, place, api.ProtocolType === 'WEBSOCKET').url;
}

/**
 * Returns the id of a new API: the one that its tag `_custom_id_` names, or a random one.
 * @throws AwsError `BadRequestException` for an invalid one, `ConflictException` for one in use
 */
export function apiIdFor(tags: Readonly<Record<string, string>>, { ids, handle }: Apigatewayv2Context): string {
  const wanted = tags[CUSTOM_ID];
  if (wanted === undefined) return ID.make(ids);
  if (!CUSTOM_FORM.test(wanted)) throw badRequest(`Invalid API identifier in the tag ${CUSTOM_ID}: ${wanted}`);
  for (const { state: other } of handle.states())
    if (other.apis.has(wanted)) throw conflict(`There is already an API with the identifier ${wanted}`);
  return wanted;
}

/** HTTP and WebSocket APIs. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid.html */
export const apis = descriptor({
  name: 'Api',
  records: 'apis',
  key: 'ApiId',
  id: ({ Tags }, { ctx }) => apiIdFor(Tags, ctx),
  missing: (id, { accountId }) => notFound(`Invalid API identifier specified ${accountId}:${id}`),
  tagged: true,
  emptiable: ['CorsConfiguration', 'Version'],
  rules: [
    checkApiTexts,
    ({ ProtocolType, RouteSelectionExpression }) => void routeSelection(ProtocolType, RouteSelectionExpression),
    ({ ApiKeySelectionExpression }) => checkKeySelection(ApiKeySelectionExpression),
    ({ ProtocolType, CorsConfiguration }) => checkCors(ProtocolType, CorsConfiguration),
  ],
  show: ({ createdAt, ...api }, ctx): Api =>
    ({ ...api, ApiEndpoint: shownEndpoint(api, ctx), CreatedDate: wholeSeconds(createdAt) }) as Api,
  changed: ({ ApiId }, { ctx: { state } }) => state.changed(ApiId),
});
