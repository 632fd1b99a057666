import { taggedByOtherApi } from '@emu/apigateway-common';
import { type ResourceType, type TaggedResource, tagOperations } from '@emu/core/service';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { domainNamesOfOtherApi } from '../domains/shared.ts';
import { badRequest, notFound } from '../errors.ts';
import type { ApiRegistry } from '../registry.ts';
import { apis } from '../resources/apis.ts';
import { portalProducts } from '../resources/portal-products.ts';
import { portals } from '../resources/portals.ts';
import { stages } from '../resources/stages.ts';
import { vpcLinks } from '../resources/vpc-links.ts';
import { apiType, domainNameType, portalProductType, portalType, stageType, vpcLinkType } from '../resources.ts';
import { CUSTOM_ID, tagging } from '../tags.ts';

type Tags = Record<string, string>;
type Finder = (arn: string, ctx: Apigatewayv2Context) => TaggedResource<Tags> | undefined;

/**
 * Finds resources of a type.
 * @param check throws where the resource does not exist
 */
const finder =
  <Key>(type: ResourceType<Key, ApiRegistry, Tags>, check: (key: Key, ctx: Apigatewayv2Context) => unknown): Finder =>
  (arn, ctx) => {
    const address = type.parse(arn);
    if (!address) return undefined;
    if (address.place.region !== ctx.region) throw notFound('Invalid resource ARN specified: it is of another region');
    check(address.key, ctx);
    return type.tagged(ctx.state, address.key);
  };

const FINDERS: readonly Finder[] = [
  finder(stageType, ({ api: ApiId, stage: StageName }, ctx) => stages.find({ ApiId, StageName }, ctx)),
  finder(apiType, ({ api: ApiId }, ctx) => apis.find({ ApiId }, ctx)),
  finder(domainNameType, ({ name }, { state }) => {
    if (!state.domainNames.has(name))
      throw notFound('The domain name resource specified in the request was not found.');
  }),
  finder(vpcLinkType, ({ link: VpcLinkId }, ctx) => vpcLinks.find({ VpcLinkId }, ctx)),
  finder(portalType, ({ portal: PortalId }, ctx) => portals.find({ PortalId }, ctx)),
  finder(portalProductType, ({ product: PortalProductId }, ctx) => portalProducts.find({ PortalProductId }, ctx)),
];

/** Returns the resource of an ARN. @throws AwsError `NotFoundException`; `BadRequestException` for other ARNs */
function resourceOfArn(arn: string, ctx: Apigatewayv2Context): TaggedResource<Tags> {
  for (const find of FINDERS) {
    const found = find(arn, ctx);
    if (found) return found;
  }
  throw badRequest(`Invalid resource ARN specified: ${arn}`);
}

/** Returns the domain name with an ARN, where either API stores it. @throws AwsError `NotFoundException` */
async function domainOf(name: string, arn: string, ctx: Apigatewayv2Context): Promise<TaggedResource<Tags>> {
  if (!(await domainNamesOfOtherApi(ctx)).some(({ DomainName }) => DomainName === name)) return resourceOfArn(arn, ctx);
  return taggedByOtherApi({
    get: async () => (await ctx.call('apigateway', 'GetTags', { resourceArn: arn })).tags,
    set: (tags) => ctx.call('apigateway', 'TagResource', { resourceArn: arn, tags }),
    remove: (tagKeys) => ctx.call('apigateway', 'UntagResource', { resourceArn: arn, tagKeys }),
  });
}

/** Tags of resources. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/tags-resource-arn.html */
export const tags = tagOperations<Apigatewayv2Operations, Apigatewayv2Context>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['GetTags', 'Tags'],
  resource({ ResourceArn }, ctx) {
    const name = domainNameType.parse(ResourceArn)?.key.name;
    return name === undefined || ctx.state.domainNames.has(name)
      ? resourceOfArn(ResourceArn, ctx)
      : domainOf(name, ResourceArn, ctx);
  },
  check({ added = {} }, { tags = {} }) {
    if (added[CUSTOM_ID] !== undefined && added[CUSTOM_ID] !== tags[CUSTOM_ID])
      throw badRequest(`The tag ${CUSTOM_ID} can only be given when an API is created`);
  },
});
