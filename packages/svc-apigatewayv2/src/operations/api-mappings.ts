import type { DeepReadonly } from '@emu/core';
import type {
  ApiMapping,
  CreateApiMappingRequest,
  CreateApiMappingResponse,
  DeleteApiMappingRequest,
  GetApiMappingRequest,
  GetApiMappingResponse,
  GetApiMappingsRequest,
  GetApiMappingsResponse,
  UpdateApiMappingRequest,
  UpdateApiMappingResponse,
} from '@emu/service-types/apigatewayv2';
import { conflict, invalid, notFound } from '../errors.ts';
import { checkStageExists, domainNameOf, type GatewayContext } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { ApiMappingRecord } from '../records.ts';

const KEY = /^(?:[\w$\-.+!*'()]+(?:\/[\w$\-.+!*'()]+)*)?$/;
const MAX_KEY = 300;

const describe = (mapping: DeepReadonly<ApiMappingRecord>): ApiMapping => mapping;

function mappingOf(
  input: { DomainName: string; ApiMappingId: string },
  ctx: GatewayContext,
): DeepReadonly<ApiMappingRecord> {
  const mapping = ctx.state.apiMappings.get(domainNameOf(input, ctx).DomainName, input.ApiMappingId);
  if (!mapping) throw notFound('The api mapping resource specified in the request was not found.');
  return mapping;
}

/** Checks a mapping as it is going to be. */
async function check(
  domainName: string,
  mapping: Omit<ApiMappingRecord, 'ApiMappingId'>,
  ctx: GatewayContext,
  id?: string,
): Promise<void> {
  const { ApiId, Stage, ApiMappingKey: key } = mapping;
  if (key.length > MAX_KEY || !KEY.test(key))
    throw invalid(
      "API mapping key should not start or end with a / or have consecutive / characters, and may have letters, digits and $-_.+!*'()",
    );
  await checkStageExists({ ApiId, StageName: Stage }, ctx);
  const others = ctx.state.apiMappings.list(domainName).filter(({ ApiMappingId }) => ApiMappingId !== id);
  if (others.some((other) => other.ApiMappingKey === key))
    throw conflict('ApiMapping key already exists for this domain name');
  const isSocket = (id: string): boolean => ctx.state.apis.get(id)?.ProtocolType === 'WEBSOCKET';
  if (others.some((other) => isSocket(other.ApiId) !== isSocket(ApiId)))
    throw invalid('A domain name cannot be mapped to both WebSocket APIs and HTTP APIs');
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings.html#CreateApiMapping */
export async function CreateApiMapping(
  input: CreateApiMappingRequest,
  ctx: GatewayContext,
): Promise<CreateApiMappingResponse> {
  const { DomainName } = domainNameOf(input, ctx);
  const { ApiId, Stage, ApiMappingKey = '' } = input;
  const mapping = { ApiId, Stage, ApiMappingKey: ApiMappingKey === '(none)' ? '' : ApiMappingKey };
  await check(DomainName, mapping, ctx);
  const ApiMappingId = ctx.state.newId().slice(0, 6);
  return describe(ctx.state.apiMappings.put(DomainName, ApiMappingId, { ...mapping, ApiMappingId }));
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings-apimappingid.html#GetApiMapping */
export const GetApiMapping = (input: GetApiMappingRequest, ctx: GatewayContext): GetApiMappingResponse =>
  describe(mappingOf(input, ctx));

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings.html#GetApiMappings */
export function GetApiMappings(input: GetApiMappingsRequest, ctx: GatewayContext): GetApiMappingsResponse {
  const mappings = ctx.state.apiMappings.list(domainNameOf(input, ctx).DomainName);
  return paging.page('GetApiMappings', withLimit(input), mappings, ({ ApiMappingId }) => ApiMappingId).list(describe);
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings-apimappingid.html#UpdateApiMapping */
export async function UpdateApiMapping(
  input: UpdateApiMappingRequest,
  ctx: GatewayContext,
): Promise<UpdateApiMappingResponse> {
  const mapping = mappingOf(input, ctx);
  const { DomainName } = domainNameOf(input, ctx);
  const changed = { ...mapping, ...given(input, ['ApiId', 'ApiMappingKey', 'Stage']) };
  await check(DomainName, changed, ctx, mapping.ApiMappingId);
  return describe(ctx.state.apiMappings.put(DomainName, mapping.ApiMappingId, changed));
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings-apimappingid.html#DeleteApiMapping */
export function DeleteApiMapping(input: DeleteApiMappingRequest, ctx: GatewayContext): Record<string, never> {
  const { ApiMappingId } = mappingOf(input, ctx);
  ctx.state.apiMappings.delete(domainNameOf(input, ctx).DomainName, ApiMappingId);
  return {};
}
