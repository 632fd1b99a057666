import { domainThatMaps } from '@emu/apigateway-common';
import { httpApis } from '@emu/core/service';
import type { EndpointType, InputOf, OutputOf } from '@emu/service-types/apigateway';
import { checkAddresses, checkCompression, createApi, describeApi } from '../apis/api.ts';
import { checkPolicy } from '../apis/policy.ts';
import type { ApigatewayContext } from '../context.ts';
import { ownDomains } from '../domains/shared.ts';
import { badRequest } from '../errors.ts';
import { apiOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, flagOf, givenValue, type PatchTable, refusePath, text, wordOf } from '../patch/patch.ts';
import type { ApiRecord } from '../records.ts';

const TYPES: readonly EndpointType[] = ['REGIONAL', 'EDGE', 'PRIVATE'];

/** Returns a valid endpoint type. */
function typeOf(value: string): EndpointType {
  if (!TYPES.includes(value as EndpointType))
    throw badRequest('Invalid EndpointTypes specified. Valid options are REGIONAL,EDGE,PRIVATE');
  return value as EndpointType;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateRestApi-Patch */
const TABLE: PatchTable<ApiRecord> = {
  rules: [
    {
      path: '/name',
      ops: ['replace'],
      apply(draft, step) {
        if (givenValue(step) === '') throw badRequest('API name cannot be empty');
        draft.name = givenValue(step);
      },
    },
    {
      path: '/description',
      ops: ['add', 'replace', 'remove'],
      apply(draft, step) {
        if (step.op === 'remove') {
          delete draft.description;
          return;
        }
        if (givenValue(step) === '') throw badRequest('Description cannot be an empty string');
        draft.description = givenValue(step);
      },
    },
    text('/version', 'version'),
    {
      path: '/policy',
      ops: ['replace'],
      apply(draft, { value }) {
        if (!value) delete draft.policy;
        else draft.policy = checkPolicy(value);
      },
    },
    {
      path: '/apiKeySource',
      ops: ['replace'],
      apply(draft, step) {
        draft.apiKeySource = wordOf(step, ['HEADER', 'AUTHORIZER']);
      },
    },
    {
      path: '/disableExecuteApiEndpoint',
      ops: ['replace'],
      apply(draft, step) {
        draft.disableExecuteApiEndpoint = flagOf(step);
      },
    },
    {
      path: '/minimumCompressionSize',
      ops: ['replace'],
      apply(draft, { value }) {
        if (value === undefined || value === '') delete draft.minimumCompressionSize;
        else draft.minimumCompressionSize = checkCompression(Number(value));
      },
    },
    {
      path: '/binaryMediaTypes/{type}',
      ops: ['add', 'replace', 'remove'],
      apply(draft, { op, names: [type = ''], value }) {
        const others = (draft.binaryMediaTypes ?? []).filter((one) => one !== type);
        draft.binaryMediaTypes = op === 'remove' ? others : [...others, op === 'replace' && value ? value : type];
        if (draft.binaryMediaTypes.length === 0) delete draft.binaryMediaTypes;
      },
    },
    {
      path: '/endpointConfiguration/types/{type}',
      ops: ['add', 'replace', 'remove'],
      apply(draft, step) {
        if (step.op === 'remove') throw badRequest('An API has to have an endpoint type.');
        const type = typeOf(step.value ?? step.names[0]!);
        const { vpcEndpointIds, ipAddressType } = draft.endpointConfiguration;
        draft.endpointConfiguration = {
          types: [type],
          ipAddressType: type === 'PRIVATE' ? 'dualstack' : (ipAddressType ?? 'ipv4'),
          ...(type === 'PRIVATE' && vpcEndpointIds && { vpcEndpointIds }),
        };
      },
    },
    {
      path: '/endpointConfiguration/ipAddressType',
      ops: ['replace'],
      apply(draft, step) {
        const { endpointConfiguration } = draft;
        if (step.value !== 'ipv4' && step.value !== 'dualstack')
          throw badRequest('ipAddressType must be either ipv4 or dualstack.');
        endpointConfiguration.ipAddressType = checkAddresses(endpointConfiguration.types![0]!, step.value);
      },
    },
    {
      path: '/endpointConfiguration/vpcEndpointIds',
      ops: ['add', 'remove'],
      apply({ endpointConfiguration }, step) {
        const others = (endpointConfiguration.vpcEndpointIds ?? []).filter((id) => id !== step.value);
        if (endpointConfiguration.types?.[0] !== 'PRIVATE')
          throw badRequest('VPCEndpoints can only be specified with PRIVATE apis.');
        endpointConfiguration.vpcEndpointIds = step.op === 'remove' ? others : [...others, givenValue(step)];
      },
    },
    {
      path: '/securityPolicy',
      ops: ['replace'],
      apply(draft, step) {
        draft.securityPolicy = givenValue(step) as ApiRecord['securityPolicy'];
      },
    },
    {
      path: '/endpointAccessMode',
      ops: ['replace'],
      apply(draft, step) {
        draft.endpointAccessMode = wordOf(step, ['BASIC', 'STRICT']);
      },
    },
  ],
  refuse(step, known) {
    if (!known) return refusePath(step);
    return step.path.startsWith('/endpointConfiguration/types')
      ? badRequest("Invalid patch operation specified. Must be 'add'|'remove'|'replace'")
      : badRequest('Invalid patch operation specified. Must be one of: [replace]');
  },
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateRestApi.html */
export function CreateRestApi(input: InputOf<'CreateRestApi'>, ctx: ApigatewayContext): OutputOf<'CreateRestApi'> {
  return describeApi(createApi(input, ctx), ctx.state);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApi.html */
export function GetRestApi({ restApiId }: InputOf<'GetRestApi'>, ctx: ApigatewayContext): OutputOf<'GetRestApi'> {
  return {
    tags: {},
    ...describeApi(apiOf(restApiId, ctx), ctx.state),
  };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApis.html */
export function GetRestApis(input: InputOf<'GetRestApis'>, { state }: ApigatewayContext): OutputOf<'GetRestApis'> {
  return paging.page('GetRestApis', input, state.apis.values(), ({ id }) => id).list((api) => describeApi(api, state));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateRestApi.html */
export function UpdateRestApi(
  { restApiId, patchOperations }: InputOf<'UpdateRestApi'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateRestApi'> {
  apiOf(restApiId, ctx);
  const updated = ctx.state.apis.update(restApiId, (draft) => applyPatch(TABLE, draft, patchOperations));
  return { tags: {}, ...describeApi(updated, ctx.state) };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteRestApi.html */
export async function DeleteRestApi(
  { restApiId }: InputOf<'DeleteRestApi'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'DeleteRestApi'>> {
  apiOf(restApiId, ctx);
  const stores = [ownDomains(ctx.handle), await ctx.capability(httpApis)];
  if (domainThatMaps(stores, ctx.state, ({ apiId }) => apiId === restApiId) !== undefined)
    throw badRequest('Please remove all base path mappings related to the API in your domain first.');
  ctx.state.deleteApi(restApiId);
  return {};
}
