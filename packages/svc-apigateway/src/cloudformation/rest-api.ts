import { type DefinitionLocation, readDefinition } from '@emu/apigateway-common';
import {
  defined,
  defineProvider,
  differs,
  documentValue,
  everyItem,
  listChanges,
  lowerNames,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import type { PatchOperation } from '@emu/service-types/apigateway';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { policyOf } from '../apis/policy.ts';
import { nodeOf, OpenApi, scalarText } from '../openapi/document.ts';
import { apiType } from '../resources.ts';
import { GONE, pathPart, raised, replacements } from './members.ts';

/** Patch paths of properties that can be replaced. */
const PATHS = {
  ApiKeySourceType: '/apiKeySource',
  Description: '/description',
  DisableExecuteApiEndpoint: '/disableExecuteApiEndpoint',
  EndpointAccessMode: '/endpointAccessMode',
  MinimumCompressionSize: '/minimumCompressionSize',
  Name: '/name',
  Policy: '/policy',
  SecurityPolicy: '/securityPolicy',
};
/** Values of removed properties. */
const DEFAULTS = { ApiKeySourceType: 'HEADER', DisableExecuteApiEndpoint: 'false', MinimumCompressionSize: '' };
const DEFINITION = ['Body', 'BodyS3Location', 'FailOnWarnings', 'Mode', 'Parameters'] as const;

interface Endpoint {
  IpAddressType?: string;
  Types?: readonly string[];
  VpcEndpointIds?: readonly string[];
}

interface RestApiProperties extends TaggedProperties {
  ApiKeySourceType?: string;
  BinaryMediaTypes?: readonly string[];
  Body?: unknown;
  BodyS3Location?: DefinitionLocation;
  Description?: string;
  EndpointConfiguration?: Endpoint;
  FailOnWarnings?: boolean;
  Mode?: string;
  Name?: string;
  Parameters?: Readonly<Record<string, string>>;
  Policy?: unknown;
}

const apiOf = (restApiId: string, ctx: ProviderContext) =>
  unless(ctx.call('apigateway', 'GetRestApi', { restApiId }), GONE);

/** Returns the title of a definition, the default name of an API. */
const titleOf = (definition: string): string | undefined =>
  scalarText(nodeOf(OpenApi.read(definition)?.root.info).title);

/** Returns the definition in the properties or in S3 as text; undefined if they have none. */
async function definitionOf(
  { Body, BodyS3Location }: RestApiProperties,
  ctx: ProviderContext,
): Promise<string | undefined> {
  if (Body !== undefined) return textOf(Body);
  const location = unlessEmpty(BodyS3Location);
  return location && readDefinition(location, ctx);
}

/** Imports a definition, replacing the API's. */
async function define(
  restApiId: string,
  definition: string,
  properties: RestApiProperties,
  ctx: ProviderContext,
): Promise<void> {
  await run(ctx, 'apigateway', 'PutRestApi', {
    restApiId,
    body: Buffer.from(definition).toString('base64'),
    failOnWarnings: properties.FailOnWarnings,
    mode: properties.Mode ?? 'overwrite',
    parameters: properties.Parameters,
  });
}

const patch = async (restApiId: string, patchOperations: PatchOperation[], ctx: ProviderContext): Promise<void> => {
  if (patchOperations.length) await ctx.call('apigateway', 'UpdateRestApi', { restApiId, patchOperations });
};

/** Returns the patch for settings in properties, which override those of a definition. */
function changes(previous: RestApiProperties, desired: RestApiProperties): PatchOperation[] {
  const media = listChanges(previous.BinaryMediaTypes, desired.BinaryMediaTypes);
  const { EndpointConfiguration: before = {} } = previous;
  const { EndpointConfiguration: after = {} } = desired;
  const [type = 'EDGE'] = after.Types ?? [];
  const [typeBefore = 'EDGE'] = before.Types ?? [];
  const endpoints = listChanges(before.VpcEndpointIds, after.VpcEndpointIds);
  const vpc = (op: 'add' | 'remove') => (value: string) => ({
    op,
    path: '/endpointConfiguration/vpcEndpointIds',
    value,
  });
  return [
    ...replacements(previous, desired, PATHS, DEFAULTS).flatMap((step): PatchOperation[] => {
      if (step.value !== '' || step.path === PATHS.Policy || step.path === PATHS.MinimumCompressionSize) return [step];
      // API Gateway does not support removal of the others.
      return step.path === PATHS.Description ? [{ op: 'remove', path: step.path }] : [];
    }),
    ...media.removed.map((name): PatchOperation => ({ op: 'remove', path: `/binaryMediaTypes/${pathPart(name)}` })),
    ...media.added.map((name): PatchOperation => ({ op: 'add', path: `/binaryMediaTypes/${pathPart(name)}` })),
    ...(type === typeBefore
      ? []
      : [{ op: 'replace' as const, path: `/endpointConfiguration/types/${typeBefore}`, value: type }]),
    ...(type === 'PRIVATE' ? [...endpoints.removed.map(vpc('remove')), ...endpoints.added.map(vpc('add'))] : []),
    ...(after.IpAddressType === undefined || after.IpAddressType === before.IpAddressType
      ? []
      : [{ op: 'replace' as const, path: '/endpointConfiguration/ipAddressType', value: after.IpAddressType }]),
  ];
}

/**
 * REST APIs, from properties or an OpenAPI definition.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html
 */
export const restApi: AnyResourceProvider = defineProvider<RestApiProperties>({
  typeName: 'AWS::ApiGateway::RestApi',
  model,
  handles: [
    ...Object.keys(PATHS),
    ...DEFINITION,
    'BinaryMediaTypes',
    'CloneFrom',
    'EndpointConfiguration',
    'Tags',
    'Version',
  ],

  async create(properties, ctx) {
    const { ApiKeySourceType, BinaryMediaTypes, Description, EndpointConfiguration, Policy } = properties;
    const definition = await definitionOf(properties, ctx);
    const made = await run(ctx, 'apigateway', 'CreateRestApi', {
      apiKeySource: ApiKeySourceType,
      binaryMediaTypes: BinaryMediaTypes,
      cloneFrom: properties.CloneFrom,
      description: Description,
      disableExecuteApiEndpoint: properties.DisableExecuteApiEndpoint,
      endpointAccessMode: properties.EndpointAccessMode,
      endpointConfiguration: EndpointConfiguration && lowerNames(EndpointConfiguration),
      minimumCompressionSize: properties.MinimumCompressionSize,
      name: properties.Name || (definition === undefined ? properties.Name : titleOf(definition)),
      policy: Policy === undefined ? undefined : textOf(Policy),
      securityPolicy: properties.SecurityPolicy,
      tags: tagMap(properties.Tags),
      version: properties.Version,
    });
    const restApiId = made.id!;
    if (definition !== undefined) {
      ctx.created(restApiId);
      await define(restApiId, definition, properties, ctx);
      // An import with mode `overwrite` resets all settings, so they are applied again.
      const { EndpointConfiguration: _, Name, ...settings } = properties;
      await patch(restApiId, changes({}, { ...settings, ...(Name && { Name }) }), ctx);
    }
    return { identifier: restApiId, attributes: { RestApiId: restApiId, RootResourceId: made.rootResourceId } };
  },

  async read(restApiId, ctx) {
    const found = await apiOf(restApiId, ctx);
    if (!found) return undefined;
    const { apiKeySource, endpointConfiguration, policy, tags } = found;
    const names = ['BinaryMediaTypes', 'Description', 'DisableExecuteApiEndpoint', 'EndpointAccessMode'];
    return {
      properties: defined({
        ...raised(found as never, [...names, 'MinimumCompressionSize', 'Name', 'SecurityPolicy', 'Version']),
        ApiKeySourceType: apiKeySource as string,
        EndpointConfiguration: upperNames(endpointConfiguration) as Endpoint,
        Policy: documentValue(policy === undefined ? undefined : policyOf(policy)),
        Tags: tagList(tags),
      }),
      attributes: { RestApiId: restApiId, RootResourceId: found.rootResourceId },
    };
  },

  async update(restApiId, previous, desired, ctx) {
    const definition = differs(previous, desired, ...DEFINITION) ? await definitionOf(desired, ctx) : undefined;
    if (definition !== undefined) await define(restApiId, definition, desired, ctx);
    const { EndpointConfiguration } = previous;
    await patch(restApiId, changes(definition === undefined ? previous : { EndpointConfiguration }, desired), ctx);
    await changeTagsOf(apiType.arn({ api: restApiId }, ctx), previous, desired, ctx);
  },

  async delete(restApiId, _properties, ctx) {
    await unless(ctx.call('apigateway', 'DeleteRestApi', { restApiId }), GONE);
  },

  list: (ctx) =>
    everyItem(async (position) => {
      const page = await ctx.call('apigateway', 'GetRestApis', defined({ position }));
      return [page.items?.map(({ id }) => id!), page.position] as const;
    }),
});
