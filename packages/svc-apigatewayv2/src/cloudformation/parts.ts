import { defined, documentValue, type Properties } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import { textOf } from '@emu/wire';
import { TIMEOUTS } from '../validation/integration.ts';
import { partProvider } from './part-provider.ts';

/**
 * Authorizers of HTTP and WebSocket APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-authorizer.html
 */
export const authorizer: AnyResourceProvider = partProvider({
  part: 'Authorizer',
  members: [
    'AuthorizerCredentialsArn',
    'AuthorizerPayloadFormatVersion',
    'AuthorizerResultTtlInSeconds',
    'AuthorizerType',
    'AuthorizerUri',
    'EnableSimpleResponses',
    'IdentitySource',
    'JwtConfiguration',
    'Name',
  ],
  defaults: { AuthorizerResultTtlInSeconds: 0, EnableSimpleResponses: false, IdentitySource: [] },
  input: (properties) => ({ IdentitySource: [], ...properties }),
});

/**
 * Deployments: snapshots of an API, optionally deployed to a stage.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-deployment.html
 */
export const deployment: AnyResourceProvider = partProvider({
  part: 'Deployment',
  members: ['Description'],
  defaults: { Description: '' },
});

type ResponseParameter = { readonly Destination: string; readonly Source: string };

/** Converts response parameters to the form of operations: a map per status. */
function responseMaps(parameters: unknown): Properties | undefined {
  if (parameters === undefined) return undefined;
  const byStatus = Object.entries(parameters as Record<string, { ResponseParameters?: readonly ResponseParameter[] }>);
  return Object.fromEntries(
    byStatus.map(([status, { ResponseParameters = [] }]) => [
      status,
      Object.fromEntries(ResponseParameters.map(({ Destination, Source }) => [Destination, Source])),
    ]),
  );
}

/** Converts response parameters to template form. */
function responseLists(parameters: unknown): Properties | undefined {
  if (parameters === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(parameters as Record<string, Record<string, string>>).map(([status, map]) => [
      status,
      { ResponseParameters: Object.entries(map).map(([Destination, Source]) => ({ Destination, Source })) },
    ]),
  );
}

/**
 * Integrations.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-integration.html
 */
export const integration: AnyResourceProvider = partProvider({
  part: 'Integration',
  members: [
    'ConnectionId',
    'ConnectionType',
    'ContentHandlingStrategy',
    'CredentialsArn',
    'Description',
    'IntegrationMethod',
    'IntegrationSubtype',
    'IntegrationType',
    'IntegrationUri',
    'PassthroughBehavior',
    'PayloadFormatVersion',
    'RequestParameters',
    'RequestTemplates',
    'ResponseParameters',
    'TemplateSelectionExpression',
    'TimeoutInMillis',
    'TlsConfig',
  ],
  async defaults({ ApiId }, ctx) {
    const { ProtocolType } = await ctx.call('apigatewayv2', 'GetApi', { ApiId: ApiId! });
    return {
      ConnectionType: 'INTERNET',
      Description: '',
      PayloadFormatVersion: '1.0',
      RequestTemplates: {},
      ...(ProtocolType === 'WEBSOCKET' && {
        PassthroughBehavior: 'WHEN_NO_MATCH',
        TemplateSelectionExpression: '',
      }),
      TimeoutInMillis: TIMEOUTS[ProtocolType!].most,
    };
  },
  maps: { RequestParameters: '', ResponseParameters: {} },
  input: (properties) => defined({ ...properties, ResponseParameters: responseMaps(properties.ResponseParameters) }),
  output: (found) => defined({ ...found, ResponseParameters: responseLists(found.ResponseParameters) }),
});

/**
 * Routes.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-route.html
 */
export const route: AnyResourceProvider = partProvider({
  part: 'Route',
  members: [
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
  ],
  defaults: {
    ApiKeyRequired: false,
    AuthorizationScopes: [],
    AuthorizationType: 'NONE',
    RequestModels: {},
    RequestParameters: {},
  },
});

/**
 * Models of messages.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-model.html
 */
export const apiModel: AnyResourceProvider = partProvider({
  part: 'Model',
  members: ['ContentType', 'Description', 'Name', 'Schema'],
  defaults: { ContentType: 'application/json', Description: '' },
  input: (properties) => ({ ContentType: 'application/json', ...properties, Schema: textOf(properties.Schema) }),
  output: (found) => ({ ...found, Schema: documentValue(found.Schema as string | undefined) }),
});

/**
 * Integration responses of WebSocket APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-integrationresponse.html
 */
export const integrationResponse: AnyResourceProvider = partProvider({
  part: 'IntegrationResponse',
  members: ['IntegrationResponseKey', 'ResponseParameters', 'ResponseTemplates', 'TemplateSelectionExpression'],
  defaults: { ResponseParameters: {}, ResponseTemplates: {}, TemplateSelectionExpression: '' },
});

/**
 * Route responses of WebSocket APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-routeresponse.html
 */
export const routeResponse: AnyResourceProvider = partProvider({
  part: 'RouteResponse',
  members: ['ModelSelectionExpression', 'ResponseModels', 'ResponseParameters', 'RouteResponseKey'],
  defaults: { ModelSelectionExpression: '', ResponseModels: {}, ResponseParameters: {} },
});

/**
 * Mappings of domain paths to APIs and stages.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-apimapping.html
 */
export const apiMapping: AnyResourceProvider = partProvider({
  part: 'ApiMapping',
  members: ['ApiId', 'ApiMappingKey', 'Stage'],
  // Every update requires the API id.
  always: ['ApiId'],
  defaults: { ApiMappingKey: '' },
});
