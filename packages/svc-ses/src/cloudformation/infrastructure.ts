import {
  ask,
  defined,
  defineProvider,
  differs,
  everyItem,
  listChanges,
  type Properties,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { endpointType, poolType } from '../resources.ts';
import { GONE, tagsOf } from './tags.ts';

interface PoolProperties extends TaggedProperties {
  PoolName?: string;
  ScalingMode?: string;
}

interface EndpointProperties extends TaggedProperties {
  Details: { RouteDetails: readonly { Region: string }[] };
  EndpointName: string;
}

interface TenantProperties extends TaggedProperties {
  ResourceAssociations?: readonly { ResourceArn: string }[];
  TenantName: string;
}

/**
 * Dedicated IP pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-dedicatedippool.html
 */
export const dedicatedIpPool: AnyResourceProvider = defineProvider<PoolProperties>({
  typeName: 'AWS::SES::DedicatedIpPool',
  model,
  service: 'sesv2',
  handles: ['PoolName', 'ScalingMode', 'Tags'],
  key: ['PoolName'],
  gone: GONE,

  async create(properties, ctx) {
    const PoolName = properties.PoolName ?? ctx.name();
    await run(ctx, 'sesv2', 'CreateDedicatedIpPool', { ...properties, PoolName });
    return PoolName;
  },

  find: async (key, ctx) => (await ask(ctx, 'sesv2', 'GetDedicatedIpPool', key)).DedicatedIpPool as Properties,

  describe: async ({ ScalingMode }, { PoolName }, ctx) => ({
    properties: defined({ PoolName, ScalingMode, Tags: await tagsOf(poolType.arn({ name: PoolName! }, ctx), ctx) }),
    attributes: {},
  }),

  async update(key, previous, desired, ctx) {
    const { ScalingMode = 'STANDARD' } = desired;
    if (differs(previous, desired, 'ScalingMode'))
      await run(ctx, 'sesv2', 'PutDedicatedIpPoolScalingAttributes', { ...key, ScalingMode });
    await changeTagsOf(poolType.arn({ name: key.PoolName! }, ctx), previous, desired, ctx);
  },

  // A managed pool cannot be changed to a standard one.
  replaces: (previous, desired) => previous.ScalingMode === 'MANAGED' && desired.ScalingMode !== 'MANAGED',
  remove: 'DeleteDedicatedIpPool',
  list: {
    operation: 'ListDedicatedIpPools',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ DedicatedIpPools }: { DedicatedIpPools?: string[] }) => DedicatedIpPools,
  },
});

/**
 * Multi-region endpoints.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-multiregionendpoint.html
 */
export const multiRegionEndpoint: AnyResourceProvider = defineProvider<EndpointProperties>({
  typeName: 'AWS::SES::MultiRegionEndpoint',
  model,
  service: 'sesv2',
  handles: ['Details', 'EndpointName', 'Tags'],
  key: ['EndpointName'],
  gone: GONE,

  async create({ Details, EndpointName, Tags }, ctx) {
    const RoutesDetails = Details.RouteDetails;
    await run(ctx, 'sesv2', 'CreateMultiRegionEndpoint', { EndpointName, Details: { RoutesDetails }, Tags });
    return EndpointName;
  },

  find: (key, ctx) => ask(ctx, 'sesv2', 'GetMultiRegionEndpoint', key),

  async describe({ Routes }, { EndpointName }, ctx) {
    const others = (Routes as { Region: string }[]).filter(({ Region }) => Region !== ctx.region);
    const Tags = await tagsOf(endpointType.arn({ name: EndpointName! }, ctx), ctx);
    return { properties: defined({ EndpointName, Details: { RouteDetails: others }, Tags }), attributes: {} };
  },

  update: ({ EndpointName }, previous, desired, ctx) =>
    changeTagsOf(endpointType.arn({ name: EndpointName! }, ctx), previous, desired, ctx),

  remove: 'DeleteMultiRegionEndpoint',
  list: {
    operation: 'ListMultiRegionEndpoints',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ MultiRegionEndpoints }: { MultiRegionEndpoints?: { EndpointName: string }[] }) =>
      MultiRegionEndpoints?.map(({ EndpointName }) => EndpointName),
  },
});

/** Adds and removes the resources of a tenant. */
async function changeAssociations(
  TenantName: string,
  previous: TenantProperties['ResourceAssociations'],
  desired: TenantProperties['ResourceAssociations'],
  ctx: ProviderContext,
): Promise<void> {
  const { added, removed } = listChanges(previous, desired);
  for (const { ResourceArn } of removed)
    await unless(ctx.call('sesv2', 'DeleteTenantResourceAssociation', { TenantName, ResourceArn }), ...GONE);
  for (const { ResourceArn } of added)
    await ctx.call('sesv2', 'CreateTenantResourceAssociation', { TenantName, ResourceArn });
}

/**
 * Tenants with their resources.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-tenant.html
 */
export const tenant: AnyResourceProvider = defineProvider<TenantProperties>({
  typeName: 'AWS::SES::Tenant',
  model,
  service: 'sesv2',
  handles: ['ResourceAssociations', 'Tags', 'TenantName'],
  key: ['TenantName'],
  gone: GONE,

  async create({ ResourceAssociations, Tags, TenantName }, ctx) {
    await run(ctx, 'sesv2', 'CreateTenant', { TenantName, Tags });
    ctx.created(TenantName);
    await changeAssociations(TenantName, [], ResourceAssociations, ctx);
    return TenantName;
  },

  find: async (key, ctx) => (await ask(ctx, 'sesv2', 'GetTenant', key)).Tenant as Properties,

  async describe({ Tags, TenantArn }, key, ctx) {
    const resources = await everyItem(async (NextToken) => {
      const page = await run(ctx, 'sesv2', 'ListTenantResources', { ...key, NextToken });
      return [page.TenantResources, page.NextToken] as const;
    });
    return {
      properties: defined({
        ...key,
        ResourceAssociations: unlessEmpty(resources.map(({ ResourceArn }) => ({ ResourceArn }))),
        Tags: unlessEmpty(Tags as Properties[] | undefined),
      }),
      attributes: { Arn: TenantArn },
    };
  },

  async update(key, previous, desired, ctx) {
    await changeAssociations(key.TenantName!, previous.ResourceAssociations, desired.ResourceAssociations, ctx);
    const { Tenant } = await run(ctx, 'sesv2', 'GetTenant', key);
    await changeTagsOf(Tenant!.TenantArn!, previous, desired, ctx);
  },

  remove: async ({ TenantName }, { ResourceAssociations }, ctx) => {
    await changeAssociations(TenantName!, ResourceAssociations, [], ctx);
    await run(ctx, 'sesv2', 'DeleteTenant', { TenantName });
  },
  list: {
    operation: 'ListTenants',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Tenants }: { Tenants?: { TenantName: string }[] }) => Tenants?.map(({ TenantName }) => TenantName),
  },
});

/** Enables Virtual Deliverability Manager with its parts, or disables it. */
const putVdm = (enabled: boolean, { DashboardAttributes, GuardianAttributes }: Properties, ctx: ProviderContext) =>
  run(ctx, 'sesv2', 'PutAccountVdmAttributes', {
    VdmAttributes: defined({ VdmEnabled: enabled ? 'ENABLED' : 'DISABLED', DashboardAttributes, GuardianAttributes }),
  });

/**
 * Virtual Deliverability Manager of the account, which is enabled while the resource exists.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-vdmattributes.html
 */
export const vdmAttributes: AnyResourceProvider = defineProvider({
  typeName: 'AWS::SES::VdmAttributes',
  model,
  service: 'sesv2',
  handles: ['DashboardAttributes', 'GuardianAttributes'],
  key: ['Id'],
  gone: GONE,

  async create(properties, ctx) {
    await putVdm(true, properties, ctx);
    return ctx.accountId;
  },

  async find(_key, ctx) {
    const found = (await ask(ctx, 'sesv2', 'GetAccount', {})).VdmAttributes as Properties | undefined;
    return found?.VdmEnabled === 'ENABLED' ? found : undefined;
  },

  describe: ({ DashboardAttributes, GuardianAttributes }, { Id }) => ({
    properties: defined({ DashboardAttributes, GuardianAttributes }),
    attributes: { VdmAttributesResourceId: Id },
  }),

  update: (_key, _previous, desired, ctx) => putVdm(true, desired, ctx),
  remove: (_key, _properties, ctx) => putVdm(false, {}, ctx),
});
