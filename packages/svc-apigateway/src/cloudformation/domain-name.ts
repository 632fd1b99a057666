import {
  ask,
  defined,
  defineProvider,
  documentValue,
  everyItem,
  identifierOf,
  lowerNames,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import type { PatchOperation } from '@emu/service-types/apigateway';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { controlArn, domainArn, domainType } from '../resources.ts';
import { GONE, listing, lowered, patch, raised, replacements } from './members.ts';

const NONE = '(none)';

interface Endpoints {
  readonly IpAddressType?: string;
  readonly Types?: readonly string[];
}

interface DomainProperties extends TaggedProperties {
  readonly DomainName: string;
  readonly MutualTlsAuthentication?: { readonly TruststoreUri?: string; readonly TruststoreVersion?: string };
  readonly EndpointConfiguration?: Endpoints;
}

interface PrivateProperties extends DomainProperties {
  readonly Policy?: unknown;
}

interface MappingProperties extends Properties {
  readonly BasePath?: string;
  readonly DomainName: string;
  readonly RestApiId: string;
}

interface PrivateMappingProperties extends Properties {
  readonly BasePath?: string;
  readonly DomainNameArn: string;
  readonly RestApiId: string;
}

const MEMBERS = [
  'CertificateArn',
  'DomainName',
  'EndpointAccessMode',
  'OwnershipVerificationCertificateArn',
  'RegionalCertificateArn',
  'RoutingMode',
  'SecurityPolicy',
] as const;
const PATHS = {
  CertificateArn: '/certificateArn',
  EndpointAccessMode: '/endpointAccessMode',
  OwnershipVerificationCertificateArn: '/ownershipVerificationCertificateArn',
  RegionalCertificateArn: '/regionalCertificateArn',
  RoutingMode: '/routingMode',
  SecurityPolicy: '/securityPolicy',
};
const DEFAULTS = { RoutingMode: 'BASE_PATH_MAPPING_ONLY', SecurityPolicy: 'TLS_1_2' };

const endpointsOut = (found: unknown): Properties =>
  upperNames(pick(found as Properties, ['types', 'ipAddressType'])) as Properties;

const truststoreOut = (found: unknown) =>
  found && upperNames(pick(found as Properties, ['truststoreUri', 'truststoreVersion']));

/** Returns the patch for a domain's endpoint types. */
function endpointChanges(
  { EndpointConfiguration: before = {} }: DomainProperties,
  { EndpointConfiguration: after = {} }: DomainProperties,
): PatchOperation[] {
  const [from = 'EDGE'] = before.Types ?? [];
  const [to = 'EDGE'] = after.Types ?? [];
  const changes: PatchOperation[] = [];
  if (from !== to) changes.push({ op: 'replace', path: `/endpointConfiguration/types/${from}`, value: to });
  const { IpAddressType: value = 'ipv4' } = after;
  if ((before.IpAddressType ?? 'ipv4') !== value)
    changes.push({ op: 'replace', path: '/endpointConfiguration/ipAddressType', value });
  return changes;
}

/** Returns the patch for the trust store of client certificates. */
const truststoreChanges = (
  { MutualTlsAuthentication: before = {} }: DomainProperties,
  { MutualTlsAuthentication: after = {} }: DomainProperties,
): PatchOperation[] =>
  replacements(
    before,
    after,
    {
      TruststoreUri: '/mutualTlsAuthentication/truststoreUri',
      // A version requires a trust store.
      ...(after.TruststoreUri !== undefined && { TruststoreVersion: '/mutualTlsAuthentication/truststoreVersion' }),
    },
    { TruststoreUri: '', TruststoreVersion: '' },
  );

const inputOf = ({ EndpointConfiguration, MutualTlsAuthentication, Tags, ...rest }: DomainProperties): Properties => ({
  ...lowered(rest),
  endpointConfiguration: EndpointConfiguration && lowerNames(EndpointConfiguration),
  mutualTlsAuthentication: MutualTlsAuthentication && lowerNames(MutualTlsAuthentication),
  tags: tagMap(Tags),
});

/**
 * Domain names of REST APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-domainname.html
 */
export const domainName: AnyResourceProvider = defineProvider<DomainProperties>({
  typeName: 'AWS::ApiGateway::DomainName',
  model,
  service: 'apigateway',
  handles: [...MEMBERS, 'EndpointConfiguration', 'MutualTlsAuthentication', 'Tags'],
  key: ['domainName'],
  gone: [GONE],

  create: async (properties, ctx) =>
    (await run(ctx, 'apigateway', 'CreateDomainName', inputOf(properties))).domainName!,

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetDomainName', key),

  describe: (found, key, ctx) => ({
    properties: defined({
      ...raised(found, MEMBERS),
      EndpointConfiguration: endpointsOut(found.endpointConfiguration),
      MutualTlsAuthentication: truststoreOut(found.mutualTlsAuthentication),
      Tags: tagList(found.tags as Record<string, string> | undefined),
    }),
    attributes: defined({
      DistributionDomainName: found.distributionDomainName,
      DistributionHostedZoneId: found.distributionHostedZoneId,
      DomainNameArn: domainType.arn({ name: key.domainName! }, ctx),
      RegionalDomainName: found.regionalDomainName,
      RegionalHostedZoneId: found.regionalHostedZoneId,
    }),
  }),

  async update(key, previous, desired, ctx) {
    const changes = [
      ...replacements(previous, desired, PATHS, DEFAULTS),
      ...endpointChanges(previous, desired),
      ...truststoreChanges(previous, desired),
    ];
    await patch('UpdateDomainName', key, changes, ctx);
    await changeTagsOf(domainType.arn({ name: key.domainName! }, ctx), previous, desired, ctx);
  },

  remove: 'DeleteDomainName',
  list: listing('GetDomainNames', (found) => found.domainName as string),
});

/** Returns the domain name and id in the ARN of a private domain. */
function privateKeyOf(arn: string): { domainName: string; domainNameId: string } {
  const [, name = '', id = ''] = /:\/domainnames\/([^+/]+)\+([^/]+)/.exec(arn) ?? [];
  return { domainName: name, domainNameId: id };
}

/**
 * Private domain names.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-domainnamev2.html
 */
export const privateDomainName: AnyResourceProvider = defineProvider<PrivateProperties>({
  typeName: 'AWS::ApiGateway::DomainNameV2',
  model,
  service: 'apigateway',
  handles: [
    'CertificateArn',
    'DomainName',
    'EndpointAccessMode',
    'EndpointConfiguration',
    'Policy',
    'RoutingMode',
    'SecurityPolicy',
    'Tags',
  ],
  key: ['arn'],
  gone: [GONE],

  async create({ Policy, ...properties }, ctx) {
    const policy = Policy === undefined ? undefined : textOf(Policy);
    const domain = properties as unknown as DomainProperties;
    const { Types = [], ...endpoints } = domain.EndpointConfiguration ?? {};
    const made = await run(ctx, 'apigateway', 'CreateDomainName', {
      ...inputOf({
        ...domain,
        EndpointConfiguration: { ...endpoints, Types: Types.length > 0 ? Types : ['PRIVATE'] },
      }),
      policy,
    });
    const { domainNameArn, domainNameId } = made;
    return {
      identifier: domainNameArn!,
      attributes: { DomainNameArn: domainNameArn, DomainNameId: domainNameId },
    };
  },

  find: ({ arn }, ctx) => ask(ctx, 'apigateway', 'GetDomainName', privateKeyOf(arn!)),

  describe: (found, { arn }) => ({
    properties: defined({
      ...raised(found, ['CertificateArn', 'DomainName', 'EndpointAccessMode', 'RoutingMode', 'SecurityPolicy']),
      EndpointConfiguration: endpointsOut(found.endpointConfiguration),
      Policy: documentValue(found.policy as string | undefined),
      Tags: tagList(found.tags as Record<string, string> | undefined),
    }),
    attributes: { DomainNameArn: arn, DomainNameId: found.domainNameId },
  }),

  async update({ arn }, previous, desired, ctx) {
    const paths = { ...pick(PATHS, ['CertificateArn', 'EndpointAccessMode', 'RoutingMode']), Policy: '/policy' };
    const changes = replacements(previous, desired, paths, DEFAULTS);
    const key = privateKeyOf(arn!);
    await patch('UpdateDomainName', key, changes, ctx);
    // The resource type's ARNs have no id.
    await changeTagsOf(domainType.arn({ name: key.domainName }, ctx), previous, desired, ctx);
  },

  remove: ({ arn }, _properties, ctx) => run(ctx, 'apigateway', 'DeleteDomainName', privateKeyOf(arn!)),
});

const mappingPaths = { RestApiId: '/restapiId', Stage: '/stage' };

/**
 * Mappings of base paths of a domain to APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-basepathmapping.html
 */
export const basePathMapping: AnyResourceProvider = defineProvider<MappingProperties>({
  typeName: 'AWS::ApiGateway::BasePathMapping',
  model,
  service: 'apigateway',
  handles: ['BasePath', 'DomainName', 'RestApiId', 'Stage'],
  key: ['domainName', 'basePath'],
  gone: [GONE],

  async create(properties, ctx) {
    const { basePath } = await run(ctx, 'apigateway', 'CreateBasePathMapping', lowered(properties));
    return identifierOf(properties.DomainName, basePath!);
  },

  find: (key, ctx) => ask(ctx, 'apigateway', 'GetBasePathMapping', key),

  describe: (found, { domainName: name }) => ({
    properties: {
      ...raised(found, ['RestApiId', 'Stage']),
      ...(found.basePath !== NONE && { BasePath: found.basePath }),
      DomainName: name,
    },
    attributes: {},
  }),

  update: (key, previous, desired, ctx) =>
    patch('UpdateBasePathMapping', key, replacements(previous, desired, mappingPaths), ctx),

  remove: 'DeleteBasePathMapping',
  list: {
    operation: 'GetBasePathMappings',
    by: ['DomainName'],
    input: ({ DomainName }) => ({ domainName: DomainName }),
    token: ['position', 'position'],
    identifiers: ({ items }: { items?: { basePath: string }[] }, { DomainName }) =>
      items?.map(({ basePath }) => identifierOf(String(DomainName), basePath)),
  },
});

const MAPPINGS = '/basepathmappings/';

/** Returns the domain and base path in the ARN of a private domain's mapping. */
function privateMappingOf(arn: string) {
  const at = arn.indexOf(MAPPINGS);
  return { ...privateKeyOf(arn), basePath: arn.slice(at + MAPPINGS.length) };
}

/**
 * Mappings of base paths of a private domain to APIs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-basepathmappingv2.html
 */
export const privateBasePathMapping: AnyResourceProvider = defineProvider<PrivateMappingProperties>({
  typeName: 'AWS::ApiGateway::BasePathMappingV2',
  model,
  service: 'apigateway',
  handles: ['BasePath', 'DomainNameArn', 'RestApiId', 'Stage'],
  key: ['arn'],
  gone: [GONE],

  async create({ DomainNameArn, ...properties }, ctx) {
    const key = privateKeyOf(DomainNameArn);
    const { basePath } = await run(ctx, 'apigateway', 'CreateBasePathMapping', { ...lowered(properties), ...key });
    const identifier = controlArn(ctx, `/domainnames/${key.domainName}+${key.domainNameId}${MAPPINGS}${basePath}`);
    return { identifier, attributes: { BasePathMappingArn: identifier } };
  },

  find: ({ arn }, ctx) => ask(ctx, 'apigateway', 'GetBasePathMapping', privateMappingOf(arn!)),

  describe(found, { arn }, ctx) {
    const { domainName: name, domainNameId } = privateKeyOf(arn!);
    return {
      properties: {
        ...raised(found, ['RestApiId', 'Stage']),
        ...(found.basePath !== NONE && { BasePath: found.basePath }),
        DomainNameArn: domainArn(ctx, name, domainNameId),
      },
      attributes: { BasePathMappingArn: arn },
    };
  },

  update: ({ arn }, previous, desired, ctx) =>
    patch('UpdateBasePathMapping', privateMappingOf(arn!), replacements(previous, desired, mappingPaths), ctx),

  remove: ({ arn }, _properties, ctx) => run(ctx, 'apigateway', 'DeleteBasePathMapping', privateMappingOf(arn!)),
});

const associations = (ctx: ProviderContext) =>
  everyItem(async (position) => {
    const page = await ctx.call('apigateway', 'GetDomainNameAccessAssociations', defined({ position }));
    return [page.items as unknown as Properties[] | undefined, page.position] as const;
  });

/**
 * Associations of VPC endpoints with private domains.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-domainnameaccessassociation.html
 */
export const accessAssociation: AnyResourceProvider = defineProvider<TaggedProperties>({
  typeName: 'AWS::ApiGateway::DomainNameAccessAssociation',
  model,
  service: 'apigateway',
  handles: ['AccessAssociationSource', 'AccessAssociationSourceType', 'DomainNameArn', 'Tags'],
  key: ['domainNameAccessAssociationArn'],
  gone: [GONE],

  async create({ Tags, ...properties }, ctx) {
    const input = { ...lowered(properties), tags: tagMap(Tags) };
    const made = await run(ctx, 'apigateway', 'CreateDomainNameAccessAssociation', input);
    const identifier = made.domainNameAccessAssociationArn!;
    return { identifier, attributes: { DomainNameAccessAssociationArn: identifier } };
  },

  find: async ({ domainNameAccessAssociationArn: arn }, ctx) =>
    (await associations(ctx)).find((one) => one.domainNameAccessAssociationArn === arn),

  describe: (found, key) => ({
    properties: defined({
      ...raised(found, ['AccessAssociationSource', 'AccessAssociationSourceType', 'DomainNameArn']),
      Tags: tagList(found.tags as Record<string, string> | undefined),
    }),
    attributes: { DomainNameAccessAssociationArn: key.domainNameAccessAssociationArn },
  }),

  remove: 'DeleteDomainNameAccessAssociation',
  list: listing('GetDomainNameAccessAssociations', (one) => one.domainNameAccessAssociationArn as string),
});
