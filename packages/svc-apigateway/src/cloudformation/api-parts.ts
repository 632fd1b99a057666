import {
  ask,
  defined,
  defineProvider,
  documentValue,
  identifierOf,
  lowerNames,
  type Properties,
  run,
  upperNames,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE, itemChanges, lowered, partListing, patch, raised, replacements } from './members.ts';

interface PartProperties extends Properties {
  RestApiId: string;
}

interface AuthorizerProperties extends PartProperties {
  ProviderARNs?: readonly string[];
}

interface NamedPart extends PartProperties {
  Name?: string;
}

interface ModelProperties extends NamedPart {
  Schema?: unknown;
}

interface ResponseProperties extends PartProperties {
  ResponseType: string;
}

interface DocumentationProperties extends PartProperties {
  Location: Properties;
}

interface VersionProperties extends PartProperties {
  DocumentationVersion: string;
}

const AUTHORIZER_PATHS = {
  AuthType: '/authType',
  AuthorizerCredentials: '/authorizerCredentials',
  AuthorizerResultTtlInSeconds: '/authorizerResultTtlInSeconds',
  AuthorizerUri: '/authorizerUri',
  IdentitySource: '/identitySource',
  IdentityValidationExpression: '/identityValidationExpression',
  Name: '/name',
  Type: '/type',
};

/**
 * Authorizers.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-authorizer.html
 */
export const authorizer: AnyResourceProvider = defineProvider<AuthorizerProperties>({
  typeName: 'AWS::ApiGateway::Authorizer',
  model,
  service: 'apigateway',
  handles: [...Object.keys(AUTHORIZER_PATHS), 'ProviderARNs', 'RestApiId'],
  key: ['restApiId', 'authorizerId'],
  gone: [GONE],

  async create(properties, ctx) {
    const { id } = await run(ctx, 'apigateway', 'CreateAuthorizer', lowered(properties));
    return { identifier: identifierOf(properties.RestApiId, id!), attributes: { AuthorizerId: id } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetAuthorizer', key),

  describe: (found, { restApiId, authorizerId }) => ({
    properties: { ...raised(found, [...Object.keys(AUTHORIZER_PATHS), 'ProviderARNs']), RestApiId: restApiId },
    attributes: { AuthorizerId: authorizerId },
  }),

  update: (key, previous, desired, ctx) =>
    patch(
      'UpdateAuthorizer',
      key,
      [
        ...replacements(previous, desired, AUTHORIZER_PATHS, {
          AuthType: desired.Type === 'COGNITO_USER_POOLS' ? 'cognito_user_pools' : 'custom',
          AuthorizerResultTtlInSeconds: '300',
        }),
        ...itemChanges('/providerARNs', previous.ProviderARNs, desired.ProviderARNs),
      ],
      ctx,
    ),

  remove: 'DeleteAuthorizer',
  list: partListing('GetAuthorizers', (api, { id }) => identifierOf(api, id as string)),
});

/**
 * Models of request and response bodies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-model.html
 */
export const apiModel: AnyResourceProvider = defineProvider<ModelProperties>({
  typeName: 'AWS::ApiGateway::Model',
  model,
  service: 'apigateway',
  handles: ['ContentType', 'Description', 'Name', 'RestApiId', 'Schema'],
  key: ['restApiId', 'modelName'],
  gone: [GONE],

  async create(properties, ctx) {
    // Model names consist of letters and digits only.
    const Name = properties.Name ?? ctx.name().replaceAll('-', '');
    const { ContentType = 'application/json', Schema = {} } = properties;
    const input = lowered({ ...properties, ContentType, Name, Schema: textOf(Schema) });
    await run(ctx, 'apigateway', 'CreateModel', input);
    return identifierOf(properties.RestApiId, Name);
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetModel', key),

  describe: (found, { restApiId }) => ({
    properties: defined({
      ...raised(found, ['ContentType', 'Description', 'Name']),
      RestApiId: restApiId,
      Schema: documentValue(found.schema as string | undefined),
    }),
    attributes: {},
  }),

  update: (key, previous, desired, ctx) =>
    patch(
      'UpdateModel',
      key,
      replacements(
        previous,
        desired,
        { Description: '/description', Schema: '/schema' },
        { Description: '', Schema: '{}' },
      ),
      ctx,
    ),

  remove: 'DeleteModel',
  list: partListing('GetModels', (api, { name }) => identifierOf(api, name as string)),
});

/**
 * Request validators.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-requestvalidator.html
 */
export const requestValidator: AnyResourceProvider = defineProvider<NamedPart>({
  typeName: 'AWS::ApiGateway::RequestValidator',
  model,
  service: 'apigateway',
  handles: ['Name', 'RestApiId', 'ValidateRequestBody', 'ValidateRequestParameters'],
  key: ['restApiId', 'requestValidatorId'],
  gone: [GONE],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    const { id } = await run(ctx, 'apigateway', 'CreateRequestValidator', lowered({ ...properties, Name }));
    return { identifier: identifierOf(properties.RestApiId, id!), attributes: { RequestValidatorId: id } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetRequestValidator', key),

  describe: (found, { restApiId, requestValidatorId }) => ({
    properties: {
      ...raised(found, ['Name', 'ValidateRequestBody', 'ValidateRequestParameters']),
      RestApiId: restApiId,
    },
    attributes: { RequestValidatorId: requestValidatorId },
  }),

  update: (key, previous, desired, ctx) =>
    patch(
      'UpdateRequestValidator',
      key,
      replacements(
        previous,
        desired,
        { ValidateRequestBody: '/validateRequestBody', ValidateRequestParameters: '/validateRequestParameters' },
        { ValidateRequestBody: 'false', ValidateRequestParameters: 'false' },
      ),
      ctx,
    ),

  remove: 'DeleteRequestValidator',
  list: partListing('GetRequestValidators', (api, { id }) => identifierOf(api, id as string)),
});

/**
 * Gateway responses.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-gatewayresponse.html
 */
export const gatewayResponse: AnyResourceProvider = defineProvider<ResponseProperties>({
  typeName: 'AWS::ApiGateway::GatewayResponse',
  model,
  service: 'apigateway',
  handles: ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'RestApiId', 'StatusCode'],
  key: ['restApiId', 'responseType'],
  gone: [GONE],

  async create(properties, ctx) {
    await run(ctx, 'apigateway', 'PutGatewayResponse', lowered(properties));
    const identifier = identifierOf(properties.RestApiId, properties.ResponseType);
    return { identifier, attributes: { Id: identifier } };
  },

  async find(key, ctx) {
    const found = await ask(ctx, 'apigateway', 'GetGatewayResponse', key);
    return found.defaultResponse ? undefined : found;
  },

  describe: (found, { restApiId, responseType }) => ({
    properties: {
      ...raised(found, ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'StatusCode']),
      RestApiId: restApiId,
    },
    attributes: { Id: identifierOf(restApiId!, responseType!) },
  }),

  // PutGatewayResponse resets missing members to AWS's defaults.
  update: (key, _previous, desired, ctx) =>
    run(ctx, 'apigateway', 'PutGatewayResponse', { ...lowered(desired), ...key }),

  remove: 'DeleteGatewayResponse',
});

/**
 * Parts of an API's documentation.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-documentationpart.html
 */
export const documentationPart: AnyResourceProvider = defineProvider<DocumentationProperties>({
  typeName: 'AWS::ApiGateway::DocumentationPart',
  model,
  service: 'apigateway',
  handles: ['Location', 'Properties', 'RestApiId'],
  key: ['documentationPartId', 'restApiId'],
  gone: [GONE],

  async create({ Location, Properties: text, RestApiId }, ctx) {
    const input = { location: lowerNames(Location), properties: text, restApiId: RestApiId };
    const { id } = await run(ctx, 'apigateway', 'CreateDocumentationPart', input);
    return { identifier: identifierOf(id!, RestApiId), attributes: { DocumentationPartId: id } };
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetDocumentationPart', key),

  describe: ({ location, properties }, { documentationPartId, restApiId }) => ({
    properties: { Location: upperNames(location), Properties: properties, RestApiId: restApiId },
    attributes: { DocumentationPartId: documentationPartId },
  }),

  update: (key, previous, desired, ctx) =>
    patch('UpdateDocumentationPart', key, replacements(previous, desired, { Properties: '/properties' }), ctx),

  remove: 'DeleteDocumentationPart',
  list: partListing('GetDocumentationParts', (api, { id }) => identifierOf(id as string, api)),
});

/**
 * Versions of an API's documentation.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-documentationversion.html
 */
export const documentationVersion: AnyResourceProvider = defineProvider<VersionProperties>({
  typeName: 'AWS::ApiGateway::DocumentationVersion',
  model,
  service: 'apigateway',
  handles: ['Description', 'DocumentationVersion', 'RestApiId'],
  key: ['documentationVersion', 'restApiId'],
  gone: [GONE],

  async create(properties, ctx) {
    await run(ctx, 'apigateway', 'CreateDocumentationVersion', lowered(properties));
    return identifierOf(properties.DocumentationVersion, properties.RestApiId);
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetDocumentationVersion', key),

  describe: (found, { documentationVersion: version, restApiId }) => ({
    properties: { ...raised(found, ['Description']), DocumentationVersion: version, RestApiId: restApiId },
    attributes: {},
  }),

  update: (key, previous, desired, ctx) =>
    patch(
      'UpdateDocumentationVersion',
      key,
      replacements(previous, desired, { Description: '/description' }, { Description: '' }),
      ctx,
    ),

  remove: 'DeleteDocumentationVersion',
  list: partListing('GetDocumentationVersions', (api, { version }) => identifierOf(version as string, api)),
});
