import { lowerId } from '@emu/core/descriptors';
import type { UpdateProductPageResponse } from '@emu/service-types/apigatewayv2';
import { descriptor } from '../descriptor.ts';
import { notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import { productPageType } from '../resources.ts';
import { portalProducts } from './portal-products.ts';

/**
 * Pages of portal products.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productpages-productpageid.html
 */
export const productPages = descriptor({
  name: 'ProductPage',
  records: 'pages',
  owner: portalProducts,
  key: 'ProductPageId',
  id: lowerId(10),
  missing: (id) => notFound(`Invalid Product Page identifier specified: ${id}`),
  show: ({ ProductPageId: page, title, body, modifiedAt }, ctx, _state, at): UpdateProductPageResponse => ({
    DisplayContent: { Body: body, Title: title },
    LastModified: wholeSeconds(modifiedAt),
    ProductPageArn: productPageType.arn({ product: at.PortalProductId, page }, ctx),
    ProductPageId: page,
  }),
});
