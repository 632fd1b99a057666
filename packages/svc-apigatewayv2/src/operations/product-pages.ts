import type { DeepReadonly } from '@emu/core';
import type { InputOf, OutputOf, UpdateProductPageResponse } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { productOf } from '../lookup.ts';
import { timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { PortalProductRecord, ProductPageRecord } from '../records.ts';
import { productPageType } from '../resources.ts';
import { requireOwn } from './portal-products.ts';

interface PageInput {
  PortalProductId: string;
  ProductPageId: string;
}

function pageOf(input: PageInput, ctx: Apigatewayv2Context): DeepReadonly<ProductPageRecord> {
  const { PortalProductId } = productOf(input, ctx);
  const page = ctx.state.pages.get(PortalProductId, input.ProductPageId);
  if (!page) throw notFound(`Invalid Product Page identifier specified: ${input.ProductPageId}`);
  return page;
}

const factsOf = (
  product: string,
  { ProductPageId, modifiedAt }: DeepReadonly<ProductPageRecord>,
  ctx: Apigatewayv2Context,
) => ({
  LastModified: timeOf(modifiedAt),
  ProductPageArn: productPageType.arn({ product, page: ProductPageId }, ctx),
  ProductPageId,
});

const describe = (
  product: string,
  page: DeepReadonly<ProductPageRecord>,
  ctx: Apigatewayv2Context,
): UpdateProductPageResponse => ({
  ...factsOf(product, page, ctx),
  DisplayContent: { Body: page.body, Title: page.title },
});

/** Arns of the pages that an order names. */
const ordered = ({ DisplayOrder }: DeepReadonly<PortalProductRecord>): readonly (string | undefined)[] => [
  DisplayOrder?.OverviewPageArn,
  ...(DisplayOrder?.ProductPageArns ?? []),
];

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages.html#CreateProductPage */
export function CreateProductPage(
  input: InputOf<'CreateProductPage'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateProductPage'> {
  const { PortalProductId } = productOf(input, ctx);
  const ProductPageId = ctx.state.newApiId();
  const { Body: body, Title: title } = input.DisplayContent;
  const page = { ProductPageId, title, body, modifiedAt: ctx.clock.now() };
  return describe(PortalProductId, ctx.state.pages.put(PortalProductId, ProductPageId, page), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html#GetProductPage */
export function GetProductPage(input: InputOf<'GetProductPage'>, ctx: Apigatewayv2Context): OutputOf<'GetProductPage'> {
  requireOwn(input.ResourceOwnerAccountId, ctx);
  return describe(input.PortalProductId, pageOf(input, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages.html#ListProductPages */
export function ListProductPages(
  input: InputOf<'ListProductPages'>,
  ctx: Apigatewayv2Context,
): OutputOf<'ListProductPages'> {
  requireOwn(input.ResourceOwnerAccountId, ctx);
  const { PortalProductId } = productOf(input, ctx);
  const pages = ctx.state.pages.list(PortalProductId);
  return paging
    .page('ListProductPages', withLimit(input), pages, ({ ProductPageId }) => ProductPageId)
    .list((page) => ({ ...factsOf(PortalProductId, page, ctx), PageTitle: page.title }));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html#UpdateProductPage */
export function UpdateProductPage(
  input: InputOf<'UpdateProductPage'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateProductPage'> {
  const { ProductPageId } = pageOf(input, ctx);
  const { PortalProductId, DisplayContent: content } = input;
  const changed = ctx.state.pages.update(PortalProductId, ProductPageId, (draft) => {
    if (content) Object.assign(draft, { title: content.Title, body: content.Body });
    draft.modifiedAt = ctx.clock.now();
  });
  return describe(PortalProductId, changed, ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html#DeleteProductPage */
export function DeleteProductPage(
  input: InputOf<'DeleteProductPage'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteProductPage'> {
  const page = pageOf(input, ctx);
  const { PortalProductId } = input;
  const { ProductPageArn } = factsOf(PortalProductId, page, ctx);
  if (ordered(productOf(input, ctx)).includes(ProductPageArn))
    throw invalid('The product page is in the display order of the portal product');
  ctx.state.pages.delete(PortalProductId, page.ProductPageId);
  return {};
}
