import { type AnyResourceProvider, defineProvider, type ProviderContext } from '@emu/core';
import {
  defined,
  factsOf,
  identifierOf,
  identifierParts,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { TIMEOUTS } from '../validation/integration.ts';
import { mapChanges, withDefaults } from './changes.ts';

const GONE = 'NotFoundException';
type Part = 'Authorizer' | 'Deployment' | 'Integration' | 'Route';

/** How one kind of an API's parts is written. */
interface PartRules {
  part: Part;
  /** Properties that are members of the same name, or become one by `input`. */
  members: readonly string[];
  /** What a member becomes that the template no longer gives. */
  defaults?: Properties | ((api: string, ctx: ProviderContext) => Promise<Properties>);
  /** The properties as operations take them. */
  input?(properties: Properties): Properties;
  /** What an operation told, as properties. */
  output?(found: Properties): Properties;
  /** Maps whose entries are taken away by an empty value, with that value. */
  maps?: Properties;
}

interface PartProperties extends Properties {
  ApiId: string;
}

/** A provider of parts of APIs, each of which has an id within its API and the same five operations. */
function partProvider(rules: PartRules): AnyResourceProvider {
  const { part, members, defaults = {}, input = (all) => all, output = (all) => all, maps = {} } = rules;
  const typeName = `AWS::ApiGatewayV2::${part}`;
  const idName = `${part}Id`;
  const facts = factsOf(model, typeName);
  const isApiFirst = facts.primaryIdentifier[0] === 'ApiId';

  const identifier = (api: string, id: string) => (isApiFirst ? identifierOf(api, id) : identifierOf(id, api));
  function keyOf(text: string): Properties & PartProperties {
    const [first, second] = identifierParts(text, 2) as [string, string];
    return isApiFirst ? { ApiId: first, [idName]: second } : { ApiId: second, [idName]: first };
  }

  return defineProvider<PartProperties>({
    typeName,
    facts,
    handles: ['ApiId', ...members],

    async create(properties, ctx) {
      const { ApiId } = properties;
      const made = (await run(ctx, 'apigatewayv2', `Create${part}`, input(properties))) as Properties;
      const id = made[idName] as string;
      return { identifier: identifier(ApiId, id), attributes: { [idName]: id } };
    },

    async read(text, ctx) {
      const key = keyOf(text);
      const found = (await unless(run(ctx, 'apigatewayv2', `Get${part}`, key), GONE)) as Properties | undefined;
      if (!found) return undefined;
      // What was taken back is told as empty text or as an empty map.
      const told = Object.entries(output(pick(found, members as never[]))).filter(
        ([, value]) => value !== '' && (typeof value !== 'object' || unlessEmpty(value as object)),
      );
      return {
        properties: { ApiId: key.ApiId, ...Object.fromEntries(told) },
        attributes: { [idName]: key[idName] },
      };
    },

    async update(text, previous, desired, ctx) {
      const before = input(previous);
      const after = input(desired);
      const plain = members.filter((name) => !(name in maps));
      const changed = Object.fromEntries(
        Object.entries(maps).map(([name, none]) => [
          name,
          mapChanges(before[name] as Properties | undefined, after[name] as Properties | undefined, none),
        ]),
      );
      const key = keyOf(text);
      const none = typeof defaults === 'function' ? await defaults(key.ApiId, ctx) : defaults;
      const changes = { ...withDefaults(before, after, plain, none), ...defined(changed) };
      if (unlessEmpty(changes)) await run(ctx, 'apigatewayv2', `Update${part}`, { ...changes, ...key });
    },

    async delete(text, _properties, ctx) {
      await unless(run(ctx, 'apigatewayv2', `Delete${part}`, keyOf(text)), GONE);
    },
  });
}

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
 * Deployments: snapshots of an API, which go to a stage where one is named.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-deployment.html
 */
export const deployment: AnyResourceProvider = partProvider({
  part: 'Deployment',
  members: ['Description'],
  defaults: { Description: '' },
});

type ResponseParameter = { readonly Destination: string; readonly Source: string };

/** Parameters of responses as operations take them: a map of each status. */
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

/** Parameters of responses as templates write them. */
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
  async defaults(ApiId, ctx) {
    const { ProtocolType } = await ctx.call('apigatewayv2', 'GetApi', { ApiId });
    return {
      ConnectionType: 'INTERNET',
      Description: '',
      PayloadFormatVersion: '1.0',
      RequestTemplates: {},
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
