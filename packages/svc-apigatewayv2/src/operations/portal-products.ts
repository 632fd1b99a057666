import { type DeepReadonly, type PolicyRules, PRINCIPALS, parsePolicy } from '@emu/core';
import type {
  DisplayOrder,
  InputOf,
  OutputOf,
  PortalProductSummary,
  UpdatePortalProductResponse,
} from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { invalid, notEmulated, notFound } from '../errors.ts';
import { productOf } from '../lookup.ts';
import { given, timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { PortalProductRecord } from '../records.ts';
import { endpointPageType, portalProductType, productPageType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** What sharing policies can have. */
const SHARING: PolicyRules = {
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  resource: 'required',
};

function describe(product: DeepReadonly<PortalProductRecord>, ctx: Apigatewayv2Context): UpdatePortalProductResponse {
  const { PortalProductId, modifiedAt, policy: _, ...rest } = product as PortalProductRecord;
  return {
    ...rest,
    LastModified: timeOf(modifiedAt),
    PortalProductArn: portalProductType.arn({ product: PortalProductId }, ctx),
    PortalProductId,
  };
}

/** Refuses what is of other accounts. @throws AwsError `NotImplemented` */
export function requireOwn(owner: string | undefined, { accountId }: Apigatewayv2Context): void {
  if (owner !== undefined && owner !== accountId) throw notEmulated('portal products of other accounts');
}

/** Has an order name pages of the product only. @throws AwsError `BadRequestException` */
function checkOrder(product: string, order: DisplayOrder, { state, accountId, region }: Apigatewayv2Context): void {
  const isHere = (place: { accountId: string; region: string }): boolean =>
    place.accountId === accountId && place.region === region;
  const { OverviewPageArn, ProductPageArns = [], Contents = [] } = order;
  for (const arn of [...(OverviewPageArn === undefined ? [] : [OverviewPageArn]), ...ProductPageArns]) {
    const page = productPageType.parse(arn);
    if (!page || !isHere(page.place) || page.key.product !== product || !state.pages.get(product, page.key.page))
      throw invalid(`The product page does not exist in the portal product: ${arn}`);
  }
  for (const arn of Contents.flatMap(({ ProductRestEndpointPageArns }) => ProductRestEndpointPageArns)) {
    const page = endpointPageType.parse(arn);
    if (
      !page ||
      !isHere(page.place) ||
      page.key.product !== product ||
      !state.endpointPages.get(product, page.key.page)
    )
      throw invalid(`The product REST endpoint page does not exist in the portal product: ${arn}`);
  }
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts.html#CreatePortalProduct */
export function CreatePortalProduct(
  input: InputOf<'CreatePortalProduct'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreatePortalProduct'> {
  const Tags = tagging.merge(undefined, input.Tags);
  const PortalProductId = ctx.state.newApiId();
  const { DisplayName } = input;
  const product: PortalProductRecord = {
    ...given(input, ['Description']),
    DisplayName,
    PortalProductId,
    Tags,
    modifiedAt: ctx.clock.now(),
  };
  return describe(ctx.state.products.put(PortalProductId, product), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html#GetPortalProduct */
export function GetPortalProduct(
  input: InputOf<'GetPortalProduct'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetPortalProduct'> {
  requireOwn(input.ResourceOwnerAccountId, ctx);
  return describe(productOf(input, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts.html#ListPortalProducts */
export function ListPortalProducts(
  input: InputOf<'ListPortalProducts'>,
  ctx: Apigatewayv2Context,
): OutputOf<'ListPortalProducts'> {
  const { ResourceOwner = 'SELF' } = input;
  if (ResourceOwner === 'OTHER_ACCOUNTS') throw notEmulated('portal products of other accounts');
  if (ResourceOwner !== 'SELF') throw invalid(`Invalid ResourceOwner specified: ${ResourceOwner}`);
  return paging
    .page('ListPortalProducts', withLimit(input), ctx.state.products.values(), ({ PortalProductId }) => PortalProductId)
    .list((product): PortalProductSummary => {
      const { DisplayOrder: _, ...summary } = describe(product, ctx);
      return { Description: '', ...summary } as PortalProductSummary;
    });
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html#UpdatePortalProduct */
export function UpdatePortalProduct(
  input: InputOf<'UpdatePortalProduct'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdatePortalProduct'> {
  const { PortalProductId } = productOf(input, ctx);
  if (input.DisplayOrder) checkOrder(PortalProductId, input.DisplayOrder, ctx);
  const changes = given(input, ['Description', 'DisplayName', 'DisplayOrder']);
  return describe(
    ctx.state.products.update(PortalProductId, (draft) =>
      Object.assign(draft, changes, { modifiedAt: ctx.clock.now() }),
    ),
    ctx,
  );
}

/**
 * Deletes a product with its pages. One that a portal shows stays.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html#DeletePortalProduct
 */
export function DeletePortalProduct(
  input: InputOf<'DeletePortalProduct'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeletePortalProduct'> {
  const { state } = ctx;
  const { PortalProductId } = productOf(input, ctx);
  const arn = portalProductType.arn({ product: PortalProductId }, ctx);
  for (const { PortalId, productArns } of state.portals.values())
    if (productArns.includes(arn)) throw invalid(`The portal product is included in the portal ${PortalId}`);
  state.pages.clear(PortalProductId);
  state.endpointPages.clear(PortalProductId);
  state.products.delete(PortalProductId);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-sharingpolicy.html#PutPortalProductSharingPolicy */
export function PutPortalProductSharingPolicy(
  input: InputOf<'PutPortalProductSharingPolicy'>,
  ctx: Apigatewayv2Context,
): OutputOf<'PutPortalProductSharingPolicy'> {
  const { PortalProductId } = productOf(input, ctx);
  const { PolicyDocument: policy } = input;
  const { problem } = parsePolicy(policy, SHARING);
  if (problem) throw invalid(`Invalid policy document: ${problem.code}`);
  ctx.state.products.update(PortalProductId, (draft) => Object.assign(draft, { policy }));
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-sharingpolicy.html#GetPortalProductSharingPolicy */
export function GetPortalProductSharingPolicy(
  input: InputOf<'GetPortalProductSharingPolicy'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetPortalProductSharingPolicy'> {
  const { PortalProductId, policy } = productOf(input, ctx);
  if (policy === undefined) throw notFound('The portal product has no sharing policy');
  return { PolicyDocument: policy, PortalProductId };
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-sharingpolicy.html#DeletePortalProductSharingPolicy */
export function DeletePortalProductSharingPolicy(
  input: InputOf<'DeletePortalProductSharingPolicy'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeletePortalProductSharingPolicy'> {
  const { PortalProductId, policy } = productOf(input, ctx);
  if (policy === undefined) throw notFound('The portal product has no sharing policy');
  ctx.state.products.update(PortalProductId, (draft) => {
    delete draft.policy;
  });
  return {};
}
