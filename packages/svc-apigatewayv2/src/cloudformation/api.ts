import { type DefinitionLocation, readDefinition } from '@emu/apigateway-common';
import {
  defined,
  defineProvider,
  differs,
  everyItem,
  omit,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { nodeOf, readDocument } from '../openapi/document.ts';
import { apiType, executionArn } from '../resources.ts';
import { changeTagMap, withDefaults } from './changes.ts';

const GONE = 'NotFoundException';
/** Properties with the same name as request members; all are mutable except the protocol. */
const SETTINGS = [
  'ApiKeySelectionExpression',
  'CorsConfiguration',
  'CredentialsArn',
  'Description',
  'DisableExecuteApiEndpoint',
  'DisableSchemaValidation',
  'IpAddressType',
  'Name',
  'RouteKey',
  'RouteSelectionExpression',
  'Target',
  'Version',
] as const;
/** Values of removed properties. */
const DEFAULTS: Properties = {
  ApiKeySelectionExpression: '$request.header.x-api-key',
  Description: '',
  DisableExecuteApiEndpoint: false,
  DisableSchemaValidation: false,
  IpAddressType: 'ipv4',
};

interface ApiProperties extends Properties {
  BasePath?: string;
  Body?: unknown;
  BodyS3Location?: Omit<DefinitionLocation, 'ETag'> & { readonly Etag?: string };
  FailOnWarnings?: boolean;
  ProtocolType?: string;
  Tags?: Readonly<Record<string, string>>;
}

const apiOf = (ApiId: string, ctx: ProviderContext) => unless(ctx.call('apigatewayv2', 'GetApi', { ApiId }), GONE);

/** Properties of a definition. */
const DEFINITION = ['BasePath', 'Body', 'BodyS3Location', 'FailOnWarnings'] as const;

/** Returns the import input of the properties; undefined if they have no definition. */
async function definitionOf(
  { BasePath, Body, BodyS3Location, FailOnWarnings }: ApiProperties,
  ctx: ProviderContext,
): Promise<(Properties & { Body: string }) | undefined> {
  if (Body !== undefined) return { Basepath: BasePath, Body: textOf(Body), FailOnWarnings };
  const location = unlessEmpty(BodyS3Location);
  if (!location) return undefined;
  const { Etag: ETag, ...at } = location;
  return { Basepath: BasePath, Body: await readDefinition(defined({ ...at, ETag }), ctx), FailOnWarnings };
}

/** Creates an API from a definition; one without a title gets the name in the properties. */
async function importDefinition(
  definition: Properties & { Body: string },
  { Name }: ApiProperties,
  ctx: ProviderContext,
): Promise<string> {
  if (!Name || nodeOf(readDocument(definition.Body, ctx).info).title !== undefined)
    return (await run(ctx, 'apigatewayv2', 'ImportApi', definition)).ApiId!;
  const { ApiId } = await run(ctx, 'apigatewayv2', 'CreateApi', { Name, ProtocolType: 'HTTP' });
  ctx.created(ApiId!);
  await run(ctx, 'apigatewayv2', 'ReimportApi', { ...definition, ApiId });
  return ApiId!;
}

const tag = (ApiId: string, previous: ApiProperties['Tags'], desired: ApiProperties['Tags'], ctx: ProviderContext) =>
  changeTagMap(apiType.arn({ api: ApiId }, ctx), previous, desired, ctx);

/**
 * HTTP and WebSocket APIs, from properties or an OpenAPI definition.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-api.html
 */
export const api: AnyResourceProvider = defineProvider<ApiProperties>({
  typeName: 'AWS::ApiGatewayV2::Api',
  model,
  handles: [...SETTINGS, ...DEFINITION, 'ProtocolType', 'Tags'],

  async create(properties, ctx) {
    const { ProtocolType, Tags } = properties;
    const definition = await definitionOf(properties, ctx);
    if (!definition) {
      const made = await run(ctx, 'apigatewayv2', 'CreateApi', { ...pick(properties, SETTINGS), ProtocolType, Tags });
      return { identifier: made.ApiId! };
    }
    const ApiId = await importDefinition(definition, properties, ctx);
    ctx.created(ApiId);
    const named = pick(properties, SETTINGS);
    const settings = named.Name === '' ? omit(named, 'Name') : named;
    if (unlessEmpty(settings)) await run(ctx, 'apigatewayv2', 'UpdateApi', { ...settings, ApiId });
    await tag(ApiId, undefined, Tags, ctx);
    return { identifier: ApiId };
  },

  async read(ApiId, ctx) {
    const found = await apiOf(ApiId, ctx);
    if (!found) return undefined;
    return {
      properties: defined({
        ...pick(found, SETTINGS as never),
        CorsConfiguration: unlessEmpty(found.CorsConfiguration),
        Description: found.Description || undefined,
        ProtocolType: found.ProtocolType as string,
        Tags: unlessEmpty(found.Tags as Record<string, string> | undefined),
      }),
      attributes: { ApiId, ApiEndpoint: found.ApiEndpoint, ExecuteApiArn: executionArn(ApiId, ctx) },
    };
  },

  async update(ApiId, previous, desired, ctx) {
    const definition = differs(previous, desired, ...DEFINITION) ? await definitionOf(desired, ctx) : undefined;
    if (definition) await run(ctx, 'apigatewayv2', 'ReimportApi', { ...definition, ApiId });
    if (previous.CorsConfiguration !== undefined && desired.CorsConfiguration === undefined)
      await ctx.call('apigatewayv2', 'DeleteCorsConfiguration', { ApiId });
    const settings = withDefaults(previous, desired, SETTINGS, DEFAULTS);
    if (unlessEmpty(settings)) await run(ctx, 'apigatewayv2', 'UpdateApi', { ...settings, ApiId });
    await tag(ApiId, previous.Tags, desired.Tags, ctx);
  },

  async delete(ApiId, _properties, ctx) {
    await unless(ctx.call('apigatewayv2', 'DeleteApi', { ApiId }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('apigatewayv2', 'GetApis', defined({ NextToken }));
      return [page.Items?.map((found) => found.ApiId!), page.NextToken] as const;
    }),
});
