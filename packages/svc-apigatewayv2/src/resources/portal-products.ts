import { lowerId } from '@emu/core/descriptors';
import { notEmulated } from '@emu/core/service';
import type { UpdatePortalProductResponse } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { descriptor } from '../descriptor.ts';
import { notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import { portalProductType } from '../resources.ts';

/** Rejects resources of other accounts. @throws AwsError `NotImplemented` */
export function requireOwn(
  { ResourceOwnerAccountId: owner }: { readonly ResourceOwnerAccountId?: string | undefined },
  { accountId }: Apigatewayv2Context,
): void {
  if (owner !== undefined && owner !== accountId) throw notEmulated('portal products of other accounts');
}

/**
 * Portal products.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid.html
 */
export const portalProducts = descriptor({
  name: 'PortalProduct',
  records: 'products',
  key: 'PortalProductId',
  id: lowerId(10),
  missing: (id) => notFound(`Invalid Portal Product identifier specified: ${id}`),
  tagged: true,
  show: ({ modifiedAt, policy: _, ...product }, ctx): UpdatePortalProductResponse =>
    ({
      ...product,
      LastModified: wholeSeconds(modifiedAt),
      PortalProductArn: portalProductType.arn({ product: product.PortalProductId }, ctx),
    }) as UpdatePortalProductResponse,
});
