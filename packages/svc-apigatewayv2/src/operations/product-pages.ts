import type { ProductPageSummaryNoBody } from '@emu/service-types/apigatewayv2';
import { badRequest } from '../errors.ts';
import { requireOwn } from '../resources/portal-products.ts';
import { productPages } from '../resources/product-pages.ts';
import { productPageType } from '../resources.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages.html#CreateProductPage */
export const CreateProductPage = productPages.createHandler('CreateProductPage', {
  members: { DisplayContent: { read: { Body: true, Title: true } } },
  values: ({ input: { DisplayContent }, ctx }) => ({
    title: DisplayContent.Title,
    body: DisplayContent.Body,
    modifiedAt: ctx.clock.now(),
  }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html#GetProductPage */
export const GetProductPage = productPages.getHandler('GetProductPage', { before: requireOwn });

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages.html#ListProductPages */
export const ListProductPages = productPages.listHandler('ListProductPages', {
  before: requireOwn,
  entry(page, ctx, input) {
    const { DisplayContent: _, ...summary } = productPages.describe(page, ctx, input);
    return { ...summary, PageTitle: page.title } as ProductPageSummaryNoBody;
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html#UpdateProductPage */
export const UpdateProductPage = productPages.updateHandler('UpdateProductPage', {
  members: { DisplayContent: { read: { Body: true, Title: true } } },
  values: ({ input: { DisplayContent: content }, ctx }) => ({
    ...(content && { title: content.Title, body: content.Body }),
    modifiedAt: ctx.clock.now(),
  }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html#DeleteProductPage */
export const DeleteProductPage = productPages.deleteHandler('DeleteProductPage', {
  check({ ProductPageId: page }, { owner: { PortalProductId: product, DisplayOrder: order }, ctx }) {
    const arn = productPageType.arn({ product, page }, ctx);
    if (order?.OverviewPageArn === arn || order?.ProductPageArns?.includes(arn))
      throw badRequest('The product page is in the display order of the portal product');
  },
});
