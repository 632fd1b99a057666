import { notEmulated, type PolicyRules, PRINCIPALS, parsePolicy } from '@emu/core/service';
import type { DisplayOrder, PortalProductSummary } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { portalProducts, requireOwn } from '../resources/portal-products.ts';
import { endpointPageType, portalProductType, productPageType } from '../resources.ts';

/** Rules for sharing policies. */
const SHARING: PolicyRules = {
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  resource: 'required',
};

/**
 * Rejects an order with pages of other products.
 * @throws AwsError `BadRequestException`
 */
function checkOrder(product: string, order: DisplayOrder, { state, accountId, region }: Apigatewayv2Context): void {
  const isHere = (place: { accountId: string; region: string }): boolean =>
    place.accountId === accountId && place.region === region;
  const { OverviewPageArn, ProductPageArns = [], Contents = [] } = order;
  for (const arn of [...(OverviewPageArn === undefined ? [] : [OverviewPageArn]), ...ProductPageArns]) {
    const page = productPageType.parse(arn);
    if (!page || !isHere(page.place) || page.key.product !== product || !state.pages.get(product, page.key.page))
      throw badRequest(`The product page does not exist in the portal product: ${arn}`);
  }
  for (const arn of Contents.flatMap(({ ProductRestEndpointPageArns }) => ProductRestEndpointPageArns)) {
    const page = endpointPageType.parse(arn);
    if (
      !page ||
      !isHere(page.place) ||
      page.key.product !== product ||
      !state.endpointPages.get(product, page.key.page)
    )
      throw badRequest(`The product REST endpoint page does not exist in the portal product: ${arn}`);
  }
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts.html#CreatePortalProduct */
export const CreatePortalProduct = portalProducts.createHandler('CreatePortalProduct', {
  values: ({ ctx }) => ({ modifiedAt: ctx.clock.now() }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html#GetPortalProduct */
export const GetPortalProduct = portalProducts.getHandler('GetPortalProduct', { before: requireOwn });

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts.html#ListPortalProducts */
export const ListPortalProducts = portalProducts.listHandler('ListPortalProducts', {
  before({ ResourceOwner = 'SELF' }) {
    if (ResourceOwner === 'OTHER_ACCOUNTS') throw notEmulated('portal products of other accounts');
    if (ResourceOwner !== 'SELF') throw badRequest(`Invalid ResourceOwner specified: ${ResourceOwner}`);
  },
  entry(product, ctx) {
    const { DisplayOrder: _, ...summary } = portalProducts.describe(product, ctx, {});
    return { Description: '', ...summary } as PortalProductSummary;
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html#UpdatePortalProduct */
export const UpdatePortalProduct = portalProducts.updateHandler('UpdatePortalProduct', {
  values({ before, input, ctx }) {
    if (input.DisplayOrder) checkOrder(before.PortalProductId, input.DisplayOrder, ctx);
    return { modifiedAt: ctx.clock.now() };
  },
});

/**
 * Deletes a product with its pages, unless a portal shows it.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html#DeletePortalProduct
 */
export const DeletePortalProduct = portalProducts.deleteHandler('DeletePortalProduct', {
  check({ PortalProductId: product }, { ctx }) {
    const arn = portalProductType.arn({ product }, ctx);
    for (const { PortalId, productArns } of ctx.state.portals.values())
      if (productArns.includes(arn)) throw badRequest(`The portal product is included in the portal ${PortalId}`);
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-sharingpolicy.html#PutPortalProductSharingPolicy */
export const PutPortalProductSharingPolicy = portalProducts.updateHandler('PutPortalProductSharingPolicy', {
  members: {
    PolicyDocument: {
      moved: 'policy',
      rule(policy) {
        const { problem } = parsePolicy(policy, SHARING);
        if (problem) throw badRequest(`Invalid policy document: ${problem.code}`);
      },
    },
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-sharingpolicy.html#GetPortalProductSharingPolicy */
export const GetPortalProductSharingPolicy = portalProducts.getHandler('GetPortalProductSharingPolicy', {
  answer(_product, { record: { policy, PortalProductId } }) {
    if (policy === undefined) throw notFound('The portal product has no sharing policy');
    return { PolicyDocument: policy, PortalProductId };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-sharingpolicy.html#DeletePortalProductSharingPolicy */
export const DeletePortalProductSharingPolicy = portalProducts.updateHandler('DeletePortalProductSharingPolicy', {
  values({ before }) {
    if (before.policy === undefined) throw notFound('The portal product has no sharing policy');
    return { policy: undefined };
  },
});
