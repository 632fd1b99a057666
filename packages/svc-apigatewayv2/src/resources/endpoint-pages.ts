import { lowerId } from '@emu/core/descriptors';
import type { DeepReadonly } from '@emu/core/service';
import type { UpdateProductRestEndpointPageResponse } from '@emu/service-types/apigatewayv2';
import { descriptor } from '../descriptor.ts';
import { badRequest, notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import type { EndpointPageRecord } from '../records.ts';
import { endpointPageType } from '../resources.ts';
import { hostOf } from '../runtime/endpoints.ts';
import { portalProducts } from './portal-products.ts';

type Page = Pick<DeepReadonly<EndpointPageRecord>, 'overrides' | 'operationName' | 'RestEndpointIdentifier'>;

/** Returns the content of a page: overrides and the API's own documentation. */
function contentOf({ overrides, operationName, RestEndpointIdentifier }: Page, region: string) {
  const { RestApiId, Stage } = RestEndpointIdentifier.IdentifierParts!;
  const name = overrides.OperationName ?? operationName;
  return {
    Endpoint: overrides.Endpoint ?? `https://${hostOf(RestApiId, region)}/${Stage}`,
    ...(name !== undefined && { OperationName: name }),
    ...(overrides.Body !== undefined && { Body: overrides.Body }),
  };
}

/** Whether two pages are about the same REST API method. */
const isSame = ({ RestEndpointIdentifier: { IdentifierParts: one } }: Page, other: Page): boolean =>
  (['RestApiId', 'Stage', 'Path', 'Method'] as const).every(
    (name) => other.RestEndpointIdentifier.IdentifierParts?.[name] === one?.[name],
  );

/**
 * Pages of portal products about REST API methods.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html
 */
export const endpointPages = descriptor({
  name: 'ProductRestEndpointPage',
  records: 'endpointPages',
  owner: portalProducts,
  key: 'ProductRestEndpointPageId',
  id: lowerId(10),
  missing: (id) => notFound(`Invalid Product REST Endpoint Page identifier specified: ${id}`),
  rules: [
    (page, { at, ctx, before }) => {
      if (!before && ctx.state.endpointPages.list(at.PortalProductId).some((other) => isSame(page, other)))
        throw badRequest('The portal product has a page of this REST endpoint already');
    },
  ],
  show: (page, ctx, _state, at): UpdateProductRestEndpointPageResponse => {
    const { ProductRestEndpointPageId, RestEndpointIdentifier, TryItState } = page as EndpointPageRecord;
    const key = { product: at.PortalProductId, page: ProductRestEndpointPageId };
    return {
      DisplayContent: contentOf(page, ctx.region),
      LastModified: wholeSeconds(page.modifiedAt),
      ProductRestEndpointPageArn: endpointPageType.arn(key, ctx),
      ProductRestEndpointPageId,
      RestEndpointIdentifier,
      Status: 'AVAILABLE',
      TryItState,
    };
  },
});
