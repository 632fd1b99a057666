import type {
  CreateRestApiRequest,
  EndpointConfiguration,
  EndpointType,
  IpAddressType,
  RestApi,
} from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict } from '../errors.ts';
import type { ApiDefinition, ApiRecord, ResourceRecord } from '../records.ts';
import type { Api, ApiGatewayState } from '../state.ts';
import { CUSTOM_ID, tagging } from '../tags.ts';
import { checkPolicy, escapedPolicy } from './policy.ts';

/**
 * Maximum value of the compression threshold, in bytes.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_RestApi.html
 */
const MAX_COMPRESSION = 10_485_760;

/**
 * Models of every new API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/models-mappings-models.html
 */
const DEFAULT_MODELS = [
  {
    name: 'Empty',
    description: 'This is a default empty schema model',
    contentType: 'application/json',
    schema:
      '{\n  "$schema": "http://json-schema.org/draft-04/schema#",\n  "title" : "Empty Schema",\n  "type" : "object"\n}',
  },
  {
    name: 'Error',
    description: 'This is a default error schema model',
    contentType: 'application/json',
    schema:
      '{\n  "$schema" : "http://json-schema.org/draft-04/schema#",\n  "title" : "Error Schema",\n  "type" : "object",\n  "properties" : {\n    "message" : { "type" : "string" }\n  }\n}',
  },
];

/**
 * Validates a compression threshold.
 * @throws AwsError `BadRequestException`
 */
export function checkCompression(size: number): number {
  if (!Number.isInteger(size) || size < 0 || size > MAX_COMPRESSION)
    throw badRequest('Invalid minimum compression size, must be between 0 and 10485760');
  return size;
}

/**
 * Returns the IP address type of an API, validated for its endpoint type.
 * @throws AwsError `BadRequestException`
 */
export function checkAddresses(type: EndpointType, given: IpAddressType | undefined): IpAddressType {
  if (type !== 'PRIVATE') return given ?? 'ipv4';
  if (given === 'ipv4') throw badRequest('Only dualstack ipAddressType is supported for Private APIs.');
  return 'dualstack';
}

function endpointOf(given: EndpointConfiguration | undefined): EndpointConfiguration {
  const { types = [], ipAddressType, vpcEndpointIds } = given ?? {};
  if (types.length > 1) throw badRequest('Cannot create an api with multiple Endpoint Types.');
  if (given?.types?.length === 0)
    throw badRequest('REGIONAL Configuration and EDGE Configuration cannot be both DISABLED.');
  const type = types[0] ?? 'EDGE';
  if (vpcEndpointIds?.length && type !== 'PRIVATE')
    throw badRequest('VPCEndpoints can only be specified with PRIVATE apis.');
  return {
    types: [type],
    ipAddressType: checkAddresses(type, ipAddressType),
    ...(vpcEndpointIds?.length && { vpcEndpointIds }),
  };
}

/** Returns the id of a new API: the one in its tags, or a random one. */
function idFor(tags: Record<string, string>, { state, handle }: ApigatewayContext): string {
  const wanted = tags[CUSTOM_ID];
  if (wanted === undefined) return state.newId();
  if (!/^[a-z0-9-]{1,63}$/.test(wanted)) throw badRequest(`The tag ${CUSTOM_ID} is not a valid id: ${wanted}`);
  for (const { state: other } of handle.states())
    if (other.apis.has(wanted)) throw conflict(`There is an API with the id ${wanted} already.`);
  return wanted;
}

/**
 * Creates an API with its root resource and AWS's default models.
 * @throws AwsError `BadRequestException`
 */
export function createApi(input: CreateRestApiRequest, ctx: ApigatewayContext): Api {
  const { state, clock } = ctx;
  const { name, description, version, cloneFrom, binaryMediaTypes, minimumCompressionSize, policy } = input;
  if (name === '') throw badRequest('API name cannot be empty');
  if (description === '') throw badRequest('Description cannot be an empty string');
  if (minimumCompressionSize !== undefined) checkCompression(minimumCompressionSize);
  const endpointConfiguration = endpointOf(input.endpointConfiguration);
  if (policy) checkPolicy(policy);
  const source = cloneFrom === undefined ? undefined : state.apis.get(cloneFrom);
  if (cloneFrom !== undefined && !source) throw badRequest('Invalid API identifier specified for cloneFrom');
  const tags = tagging.merge(undefined, input.tags);
  const id = idFor(tags, ctx);
  const rootResourceId = state.newId();
  const record: ApiRecord = {
    id,
    name,
    ...(description !== undefined && { description }),
    createdAt: clock.now(),
    ...(version !== undefined && { version }),
    ...(binaryMediaTypes?.length && { binaryMediaTypes }),
    ...(minimumCompressionSize !== undefined && { minimumCompressionSize }),
    apiKeySource: input.apiKeySource ?? 'HEADER',
    endpointConfiguration,
    ...(policy && { policy }),
    ...(input.tags && { tags }),
    disableExecuteApiEndpoint: input.disableExecuteApiEndpoint ?? false,
    rootResourceId,
    ...(input.securityPolicy && { securityPolicy: input.securityPolicy }),
    ...(input.endpointAccessMode && { endpointAccessMode: input.endpointAccessMode }),
  };
  const api = state.apis.put(id, record);
  if (source) {
    copyDefinition(definitionOf(source, state), id, rootResourceId, state);
    return api;
  }
  state.resources.put(id, rootResourceId, { id: rootResourceId, path: '/', methods: {} });
  for (const model of DEFAULT_MODELS) state.models.put(id, model.name, { id: state.newId(6), ...model });
  return api;
}

/** Returns the current definition of an API, as stored in a deployment. */
export function definitionOf(api: Api, state: ApiGatewayState): ApiDefinition {
  const { id, binaryMediaTypes = [], minimumCompressionSize, apiKeySource, policy } = api;
  return structuredClone({
    binaryMediaTypes,
    minimumCompressionSize,
    apiKeySource,
    policy,
    resources: state.resources.list(id),
    models: state.models.list(id),
    authorizers: state.authorizers.list(id),
    validators: state.validators.list(id),
    gatewayResponses: state.gatewayResponses.list(id),
  }) as ApiDefinition;
}

/** Copies a definition to an API, with new ids. */
function copyDefinition(source: ApiDefinition, apiId: string, rootId: string, state: ApiGatewayState): void {
  const ids = new Map<string, string>();
  const idOf = (old: string, length?: number): string => {
    const id = ids.get(old) ?? state.newId(length);
    ids.set(old, id);
    return id;
  };
  for (const { id, path } of source.resources) if (path === '/') ids.set(id, rootId);
  for (const model of source.models) state.models.put(apiId, model.name, { ...model, id: idOf(model.id, 6) });
  for (const one of source.authorizers) state.authorizers.put(apiId, idOf(one.id, 6), { ...one, id: idOf(one.id) });
  for (const one of source.validators) state.validators.put(apiId, idOf(one.id, 6), { ...one, id: idOf(one.id) });
  for (const one of source.gatewayResponses) state.gatewayResponses.put(apiId, one.responseType!, one);
  for (const resource of source.resources) {
    const id = idOf(resource.id);
    const methods: ResourceRecord['methods'] = {};
    for (const [name, method] of Object.entries(resource.methods)) {
      const { authorizerId, requestValidatorId } = method;
      methods[name] = {
        ...method,
        ...(authorizerId !== undefined && { authorizerId: ids.get(authorizerId) ?? authorizerId }),
        ...(requestValidatorId !== undefined && {
          requestValidatorId: ids.get(requestValidatorId) ?? requestValidatorId,
        }),
      };
    }
    const parentId = resource.parentId === undefined ? undefined : idOf(resource.parentId);
    state.resources.put(apiId, id, { ...resource, id, ...(parentId !== undefined && { parentId }), methods });
  }
}

/** Returns the description of an API in responses. */
export function describeApi(api: Api, state: ApiGatewayState): RestApi {
  const { createdAt, warnings, policy, ...rest } = structuredClone(api) as ApiRecord;
  return {
    ...rest,
    createdDate: new Date(createdAt),
    ...(policy !== undefined && { policy: escapedPolicy(policy, api.id, state) }),
    ...(warnings?.length && { warnings }),
  };
}
