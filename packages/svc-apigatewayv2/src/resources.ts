import { defineResource, formatArn, type Place, type ResourceAddress, type TaggedResource } from '@emu/core/service';
import type { ApiRegistry } from './registry.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

const SERVICE = 'apigateway';

/** Returns the ARN of a path for IAM permissions. */
export const pathArn = (path: string, { region }: Pick<Place, 'region'>): string =>
  formatArn({ service: SERVICE, region, accountId: '', resource: path }, region);

/** Returns the ARN of a path that has the account. */
export const accountPathArn = (path: string, { accountId, region }: Place): string =>
  formatArn({ service: SERVICE, region, accountId, resource: path }, region);

/**
 * Returns the ARN of an invocation for policies.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-control-access-using-iam-policies-to-invoke-api.html
 */
export const executionArn = (resource: string, { accountId, region }: Place): string =>
  formatArn({ service: 'execute-api', region, accountId, resource }, region);

/** Returns an address if all of its members are present. */
function named<const Names extends Readonly<Record<string, string>>>(
  input: Input,
  place: Place,
  members: Names,
): ResourceAddress<{ [Name in keyof Names]: string }> | undefined {
  const key: Record<string, string> = {};
  for (const [name, member] of Object.entries(members)) {
    const value = input[member];
    if (typeof value !== 'string') return undefined;
    key[name] = value;
  }
  return { key: key as { [Name in keyof Names]: string }, place };
}

type Tags = Record<string, string>;

/** Returns the tags of a record, whose member for them begins with an upper-case letter. */
function tagged(
  read: () => { readonly Tags: Readonly<Tags> } | undefined,
  update: (change: (draft: { Tags: Tags }) => void) => unknown,
): TaggedResource<Tags> | undefined {
  if (!read()) return undefined;
  return {
    get tags() {
      return read()?.Tags;
    },
    replace: (tags) =>
      update((draft) => {
        draft.Tags = tags;
      }),
  };
}

/** Stages, with tags of their own. */
export const stageType = defineResource({
  name: 'Stage',
  service: SERVICE,
  scope: 'region-only',
  format: '/apis/{api}/stages/{stage}',
  cloudFormation: 'AWS::ApiGatewayV2::Stage',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { api: 'ApiId', stage: 'StageName' }),
  find: (registry: ApiRegistry, { api, stage }) => (registry.stages.get(api, stage) ? { api, stage } : undefined),
  list: (registry) =>
    [...registry.apis.keys()].flatMap((api) =>
      registry.stages.list(api).map(({ StageName }) => ({ api, stage: StageName })),
    ),
  tagged: {
    tagging,
    find: ({ stages }, { api, stage }) =>
      tagged(
        () => stages.get(api, stage),
        (change) => stages.update(api, stage, change),
      ),
  },
});

/** HTTP and WebSocket APIs. */
export const apiType = defineResource({
  name: 'Api',
  service: SERVICE,
  scope: 'region-only',
  format: '/apis/{api}',
  cloudFormation: 'AWS::ApiGatewayV2::Api',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { api: 'ApiId' }),
  records: (registry: ApiRegistry) => registry.apis,
  tagged: {
    tagging,
    find: ({ apis }, { api }) =>
      tagged(
        () => apis.get(api),
        (change) => apis.update(api, change),
      ),
  },
});

/** Custom domain names. */
export const domainNameType = defineResource({
  name: 'DomainName',
  service: SERVICE,
  scope: 'region-only',
  format: '/domainnames/{name}',
  cloudFormation: 'AWS::ApiGatewayV2::DomainName',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { name: 'DomainName' }),
  records: (registry: ApiRegistry) => registry.domainNames,
  tagged: {
    tagging,
    find: ({ domainNames }, { name }) =>
      tagged(
        () => domainNames.get(name),
        (change) => domainNames.update(name, change),
      ),
  },
});

/** VPC links. */
export const vpcLinkType = defineResource({
  name: 'VpcLink',
  service: SERVICE,
  scope: 'region-only',
  format: '/vpclinks/{link}',
  cloudFormation: 'AWS::ApiGatewayV2::VpcLink',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { link: 'VpcLinkId' }),
  records: (registry: ApiRegistry) => registry.vpcLinks,
  tagged: {
    tagging,
    find: ({ vpcLinks }, { link }) =>
      tagged(
        () => vpcLinks.get(link),
        (change) => vpcLinks.update(link, change),
      ),
  },
});

/** Portals. @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagementv2.html */
export const portalType = defineResource({
  name: 'Portal',
  service: SERVICE,
  scope: 'region',
  format: '/portals/{portal}',
  cloudFormation: 'AWS::ApiGatewayV2::Portal',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { portal: 'PortalId' }),
  records: (registry: ApiRegistry) => registry.portals,
  tagged: {
    tagging,
    find: ({ portals }, { portal }) =>
      tagged(
        () => portals.get(portal),
        (change) => portals.update(portal, change),
      ),
  },
});

/** Pages of portal products. */
export const productPageType = defineResource({
  name: 'ProductPage',
  service: SERVICE,
  scope: 'region',
  format: '/portalproducts/{product}/productpages/{page}',
  cloudFormation: 'AWS::ApiGatewayV2::ProductPage',
  identify: (input, place) => named(input, place, { product: 'PortalProductId', page: 'ProductPageId' }),
  find: (registry: ApiRegistry, { product, page }) =>
    registry.pages.get(product, page) ? { product, page } : undefined,
  list: (registry) =>
    [...registry.products.keys()].flatMap((product) =>
      registry.pages.list(product).map(({ ProductPageId: page }) => ({ product, page })),
    ),
});

/** Pages of portal products about REST API methods. */
export const endpointPageType = defineResource({
  name: 'ProductRestEndpointPage',
  service: SERVICE,
  scope: 'region',
  format: '/portalproducts/{product}/productrestendpointpages/{page}',
  cloudFormation: 'AWS::ApiGatewayV2::ProductRestEndpointPage',
  identify: (input, place) => named(input, place, { product: 'PortalProductId', page: 'ProductRestEndpointPageId' }),
  find: (registry: ApiRegistry, { product, page }) =>
    registry.endpointPages.get(product, page) ? { product, page } : undefined,
  list: (registry) =>
    [...registry.products.keys()].flatMap((product) =>
      registry.endpointPages.list(product).map(({ ProductRestEndpointPageId: page }) => ({ product, page })),
    ),
});

/** Portal products. */
export const portalProductType = defineResource({
  name: 'PortalProduct',
  service: SERVICE,
  scope: 'region',
  format: '/portalproducts/{product}',
  cloudFormation: 'AWS::ApiGatewayV2::PortalProduct',
  arnMembers: ['ResourceArn'],
  identify: (input, place) => named(input, place, { product: 'PortalProductId' }),
  records: (registry: ApiRegistry) => registry.products,
  tagged: {
    tagging,
    find: ({ products }, { product }) =>
      tagged(
        () => products.get(product),
        (change) => products.update(product, change),
      ),
  },
});

/** All resource types with an ARN. */
export const resources = [
  stageType,
  apiType,
  domainNameType,
  vpcLinkType,
  portalType,
  productPageType,
  endpointPageType,
  portalProductType,
];

/** Returns the ARN of a domain name's routing rule. */
export const routingRuleArn = (domainName: string, id: string, { accountId, region }: Place): string =>
  formatArn({ service: SERVICE, region, accountId, resource: `/domainnames/${domainName}/routingrules/${id}` }, region);
