import type { DeepReadonly } from '@emu/core/service';
import type { ApiMapping, InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { changeableDomainNameOf, domainNameOf, type Mappings, mappingsOf } from '../domains/shared.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { ApiMappingRecord } from '../records.ts';
import { checkStageExists } from '../resources/stages.ts';

const KEY = /^[\w$\-.+!*'()/]*$/;
const MAX_KEY = 300;

const describe = (mapping: DeepReadonly<ApiMappingRecord>): ApiMapping => mapping;

/** Returns a mapping with its siblings. */
function mappingOf(mappings: Mappings, input: { ApiMappingId: string }): DeepReadonly<ApiMappingRecord> {
  const mapping = mappings.all.find(({ ApiMappingId }) => ApiMappingId === input.ApiMappingId);
  if (!mapping) throw notFound('The api mapping resource specified in the request was not found.');
  return mapping;
}

/**
 * Validates the key of a mapping.
 * @throws AwsError `BadRequestException`
 * @see https://github.com/getmoto/moto/blob/master/tests/test_apigatewayv2/test_apigatewayv2_mappings.py
 */
function checkKey(key: string): void {
  if (key.endsWith('/')) throw badRequest("API mapping key should not end with a '/'.");
  if (key.startsWith('/') || key.includes('//'))
    throw badRequest("API mapping key should not start with a '/' or have consecutive '/'s.");
  // https://github.com/aws/aws-cdk/issues/8983
  if (!KEY.test(key)) throw badRequest("An ApiMapping key may contain only letters, numbers and one of $-_.+!*'(),");
  if (key.length > MAX_KEY) throw badRequest(`API mapping key should have at most ${MAX_KEY} characters`);
}

/** Validates a new or changed mapping. */
async function check(
  { all }: Mappings,
  mapping: Omit<ApiMappingRecord, 'ApiMappingId'>,
  ctx: Apigatewayv2Context,
  id?: string,
): Promise<void> {
  const { ApiId, Stage, ApiMappingKey: key } = mapping;
  checkKey(key);
  await checkStageExists({ ApiId, StageName: Stage }, ctx);
  const others = all.filter(({ ApiMappingId }) => ApiMappingId !== id);
  if (others.some((other) => other.ApiMappingKey === key))
    throw conflict('ApiMapping key already exists for this domain name');
  const isSocket = (id: string): boolean => ctx.state.apis.get(id)?.ProtocolType === 'WEBSOCKET';
  if (others.some((other) => isSocket(other.ApiId) !== isSocket(ApiId)))
    throw badRequest('A domain name cannot be mapped to both WebSocket APIs and HTTP APIs');
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings.html#CreateApiMapping */
export async function CreateApiMapping(
  input: InputOf<'CreateApiMapping'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'CreateApiMapping'>> {
  const mappings = await mappingsOf(await changeableDomainNameOf(input, ctx), ctx);
  const { ApiId, Stage, ApiMappingKey = '' } = input;
  const mapping = { ApiId, Stage, ApiMappingKey: ApiMappingKey === '(none)' ? '' : ApiMappingKey };
  await check(mappings, mapping, ctx);
  const made = { ...mapping, ApiMappingId: ctx.state.newId().slice(0, 6) };
  mappings.put(made);
  return describe(made);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings-apimappingid.html#GetApiMapping */
export async function GetApiMapping(
  input: InputOf<'GetApiMapping'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'GetApiMapping'>> {
  return describe(mappingOf(await mappingsOf(await domainNameOf(input, ctx), ctx), input));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings.html#GetApiMappings */
export async function GetApiMappings(
  input: InputOf<'GetApiMappings'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'GetApiMappings'>> {
  const { all } = await mappingsOf(await domainNameOf(input, ctx), ctx);
  return paging.page('GetApiMappings', withLimit(input), all, ({ ApiMappingId }) => ApiMappingId).list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings-apimappingid.html#UpdateApiMapping */
export async function UpdateApiMapping(
  input: InputOf<'UpdateApiMapping'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'UpdateApiMapping'>> {
  const mappings = await mappingsOf(await changeableDomainNameOf(input, ctx), ctx);
  const mapping = mappingOf(mappings, input);
  const changed = { ...mapping, ...given(input, ['ApiId', 'ApiMappingKey', 'Stage']) };
  await check(mappings, changed, ctx, mapping.ApiMappingId);
  mappings.put(changed);
  return describe(changed);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname-apimappings-apimappingid.html#DeleteApiMapping */
export async function DeleteApiMapping(
  input: InputOf<'DeleteApiMapping'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'DeleteApiMapping'>> {
  const mappings = await mappingsOf(await changeableDomainNameOf(input, ctx), ctx);
  mappings.delete(mappingOf(mappings, input).ApiMappingId);
  return {};
}
