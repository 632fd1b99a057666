import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  omit,
  type Properties,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import type { Integration } from '@emu/service-types/apigateway';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE, lowered, raised } from './members.ts';

const MEMBERS = [
  'ApiKeyRequired',
  'AuthorizationScopes',
  'AuthorizationType',
  'AuthorizerId',
  'OperationName',
  'RequestModels',
  'RequestParameters',
  'RequestValidatorId',
] as const;
const INTEGRATION = [
  'CacheKeyParameters',
  'CacheNamespace',
  'ConnectionId',
  'ConnectionType',
  'ContentHandling',
  'Credentials',
  'IntegrationHttpMethod',
  'IntegrationTarget',
  'PassthroughBehavior',
  'RequestParameters',
  'RequestTemplates',
  'ResponseTransferMode',
  'TimeoutInMillis',
  'Type',
  'Uri',
] as const;

interface Response extends Properties {
  StatusCode: string;
}

interface MethodProperties extends Properties {
  AuthorizationType?: string;
  HttpMethod: string;
  Integration?: Properties & { IntegrationResponses?: readonly Response[] };
  MethodResponses?: readonly Response[];
  RequestParameters?: Properties;
  ResourceId: string;
  RestApiId: string;
}

const keyOf = (identifier: string) => {
  const [restApiId, resourceId, httpMethod] = identifierParts(identifier, 3) as [string, string, string];
  return { restApiId, resourceId, httpMethod };
};

/** Converts text flags of templates to booleans. */
const flags = (parameters: unknown): Properties | undefined =>
  parameters === undefined
    ? undefined
    : Object.fromEntries(
        Object.entries(parameters as Properties).map(([name, value]) => [name, String(value) === 'true']),
      );

/** Creates the method, its responses and its integration in the required order. */
async function put(identifier: string, properties: MethodProperties, ctx: ProviderContext): Promise<void> {
  const key = keyOf(identifier);
  const { AuthorizationType = 'NONE', Integration: integration, MethodResponses = [], RequestParameters } = properties;
  await run(ctx, 'apigateway', 'PutMethod', {
    ...lowered(omit(properties, 'HttpMethod', 'Integration', 'MethodResponses', 'ResourceId', 'RestApiId')),
    ...key,
    authorizationType: AuthorizationType,
    requestParameters: flags(RequestParameters),
  });
  for (const response of MethodResponses)
    await run(ctx, 'apigateway', 'PutMethodResponse', {
      ...lowered(response),
      ...key,
      responseParameters: flags(response.ResponseParameters),
    });
  if (!integration) return;
  const { IntegrationResponses = [], ...settings } = integration;
  await run(ctx, 'apigateway', 'PutIntegration', { ...lowered(settings), ...key });
  for (const response of IntegrationResponses)
    await run(ctx, 'apigateway', 'PutIntegrationResponse', { ...lowered(response), ...key });
}

/** Returns responses by status as a template list. */
const responsesOf = (found: unknown, names: readonly string[]): Response[] | undefined =>
  unlessEmpty(
    Object.values((found ?? {}) as Record<string, Properties>).map(
      (response) => raised(response, ['StatusCode', ...names]) as Response,
    ),
  );

function integrationOf(found: Integration | undefined): MethodProperties['Integration'] {
  if (!found) return undefined;
  const { httpMethod, integrationResponses, ...settings } = found;
  return defined({
    ...raised({ ...settings, integrationHttpMethod: httpMethod }, INTEGRATION),
    IntegrationResponses: responsesOf(integrationResponses, [
      'ContentHandling',
      'ResponseParameters',
      'ResponseTemplates',
      'SelectionPattern',
    ]),
  });
}

/**
 * Methods of REST APIs with their integrations and responses.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-method.html
 */
export const method: AnyResourceProvider = defineProvider<MethodProperties>({
  typeName: 'AWS::ApiGateway::Method',
  model,
  handles: [...MEMBERS, 'HttpMethod', 'Integration', 'MethodResponses', 'ResourceId', 'RestApiId'],

  async create(properties, ctx) {
    const { RestApiId, ResourceId, HttpMethod } = properties;
    const identifier = identifierOf(RestApiId, ResourceId, HttpMethod);
    await put(identifier, properties, ctx);
    return { identifier };
  },

  async read(identifier, ctx) {
    const key = keyOf(identifier);
    const found = await unless(ctx.call('apigateway', 'GetMethod', key), GONE);
    if (!found) return undefined;
    return {
      properties: defined({
        ...raised(found as never, MEMBERS),
        HttpMethod: key.httpMethod,
        Integration: integrationOf(found.methodIntegration),
        MethodResponses: responsesOf(found.methodResponses, ['ResponseModels', 'ResponseParameters']),
        ResourceId: key.resourceId,
        RestApiId: key.restApiId,
      }) as MethodProperties,
      attributes: {},
    };
  },

  // A method is recreated: patches cannot reset all of its parts to defaults.
  async update(identifier, _previous, desired, ctx) {
    await unless(ctx.call('apigateway', 'DeleteMethod', keyOf(identifier)), GONE);
    await put(identifier, desired, ctx);
  },

  async delete(identifier, _properties, ctx) {
    await unless(ctx.call('apigateway', 'DeleteMethod', keyOf(identifier)), GONE);
  },
});
