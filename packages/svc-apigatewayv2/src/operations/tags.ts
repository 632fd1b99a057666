import type { InputOf, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { domainNamesOfOtherApi } from '../domains/shared.ts';
import { invalid, notFound } from '../errors.ts';
import { apis } from '../resources/apis.ts';
import { portalProducts } from '../resources/portal-products.ts';
import { portals } from '../resources/portals.ts';
import { stages } from '../resources/stages.ts';
import { vpcLinks } from '../resources/vpc-links.ts';
import { apiType, domainNameType, portalProductType, portalType, stageType, vpcLinkType } from '../resources.ts';
import { CUSTOM_ID, tagging } from '../tags.ts';

type Tags = Readonly<Record<string, string>>;

/** Tags of a resource, with their setter. */
interface Tagged {
  readonly tags: Tags;
  set(tags: Record<string, string>): void;
}

/**
 * Returns the tagged resource of an ARN.
 * @throws AwsError `NotFoundException`; `BadRequestException` for other ARNs
 */
function taggedAt(arn: string, ctx: Apigatewayv2Context): Tagged {
  const { state, region } = ctx;
  const here = (place: { region: string }): void => {
    if (place.region !== region) throw notFound('Invalid resource ARN specified: it is of another region');
  };
  const stage = stageType.parse(arn);
  if (stage) {
    here(stage.place);
    const { api: ApiId, stage: StageName } = stage.key;
    return {
      tags: stages.find({ ApiId, StageName }, ctx).Tags,
      set: (Tags) => state.stages.update(ApiId, StageName, (draft) => Object.assign(draft, { Tags })),
    };
  }
  const api = apiType.parse(arn);
  if (api) {
    here(api.place);
    const { ApiId, Tags: tags } = apis.find({ ApiId: api.key.api }, ctx);
    return { tags, set: (Tags) => state.apis.update(ApiId, (draft) => Object.assign(draft, { Tags })) };
  }
  const domain = domainNameType.parse(arn);
  if (domain) {
    here(domain.place);
    const { name } = domain.key;
    const tags = state.domainNames.get(name)?.Tags;
    if (!tags) throw notFound('The domain name resource specified in the request was not found.');
    return { tags, set: (Tags) => state.domainNames.update(name, (draft) => Object.assign(draft, { Tags })) };
  }
  const link = vpcLinkType.parse(arn);
  if (link) {
    here(link.place);
    const { VpcLinkId, Tags: tags } = vpcLinks.find({ VpcLinkId: link.key.link }, ctx);
    return { tags, set: (Tags) => state.vpcLinks.update(VpcLinkId, (draft) => Object.assign(draft, { Tags })) };
  }
  return ofPortals(arn, ctx, here);
}

/** Returns the tagged portal or product of an ARN. */
function ofPortals(arn: string, ctx: Apigatewayv2Context, here: (place: { region: string }) => void): Tagged {
  const { state } = ctx;
  const portal = portalType.parse(arn);
  if (portal) {
    here(portal.place);
    const { PortalId, Tags: tags } = portals.find({ PortalId: portal.key.portal }, ctx);
    return { tags, set: (Tags) => state.portals.update(PortalId, (draft) => Object.assign(draft, { Tags })) };
  }
  const product = portalProductType.parse(arn);
  if (!product) throw invalid(`Invalid resource ARN specified: ${arn}`);
  here(product.place);
  const { PortalProductId, Tags: tags } = portalProducts.find({ PortalProductId: product.key.product }, ctx);
  return { tags, set: (Tags) => state.products.update(PortalProductId, (draft) => Object.assign(draft, { Tags })) };
}

/** Whether an ARN is that of a domain name stored by the REST API service. */
async function isInOtherApi(arn: string, ctx: Apigatewayv2Context): Promise<boolean> {
  const name = domainNameType.parse(arn)?.key.name;
  if (name === undefined || ctx.state.domainNames.has(name)) return false;
  return (await domainNamesOfOtherApi(ctx)).some(({ DomainName }) => DomainName === name);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/tags-resource-arn.html#GetTags */
export async function GetTags(
  { ResourceArn }: InputOf<'GetTags'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'GetTags'>> {
  if (!(await isInOtherApi(ResourceArn, ctx))) return { Tags: taggedAt(ResourceArn, ctx).tags };
  const { tags } = await ctx.call('apigateway', 'GetTags', { resourceArn: ResourceArn });
  return { Tags: tags };
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/tags-resource-arn.html#TagResource */
export async function TagResource(
  { ResourceArn, Tags = {} }: InputOf<'TagResource'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'TagResource'>> {
  if (await isInOtherApi(ResourceArn, ctx)) {
    await ctx.call('apigateway', 'TagResource', { resourceArn: ResourceArn, tags: Tags });
    return {};
  }
  const resource = taggedAt(ResourceArn, ctx);
  if (Tags[CUSTOM_ID] !== undefined && Tags[CUSTOM_ID] !== resource.tags[CUSTOM_ID])
    throw invalid(`The tag ${CUSTOM_ID} can only be given when an API is created`);
  resource.set(tagging.merge(resource.tags, Tags));
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/tags-resource-arn.html#UntagResource */
export async function UntagResource(
  { ResourceArn, TagKeys }: InputOf<'UntagResource'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'UntagResource'>> {
  if (await isInOtherApi(ResourceArn, ctx)) {
    await ctx.call('apigateway', 'UntagResource', { resourceArn: ResourceArn, tagKeys: TagKeys });
    return {};
  }
  const resource = taggedAt(ResourceArn, ctx);
  resource.set(tagging.remove(resource.tags, TagKeys));
  return {};
}
