import { notEmulated } from '@emu/core/service';
import type {
  DisplayContentOverrides,
  EndpointDisplayContent,
  IdentifierParts,
  ProductRestEndpointPageSummaryNoBody,
} from '@emu/service-types/apigatewayv2';
import { AwsError } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { endpointPages } from '../resources/endpoint-pages.ts';
import { requireOwn } from '../resources/portal-products.ts';
import { endpointPageType } from '../resources.ts';

/**
 * Returns the overrides; undefined if there are none.
 * @throws AwsError `BadRequestException`
 */
function overridesOf(content: EndpointDisplayContent | undefined): DisplayContentOverrides | undefined {
  if (!content) return undefined;
  const { None, Overrides } = content;
  if ((None === undefined) === (Overrides === undefined))
    throw badRequest('DisplayContent must have exactly one of None and Overrides');
  return Overrides ?? {};
}

/**
 * Returns the REST API method of a page.
 * @throws AwsError `NotFoundException`
 */
async function methodOf(
  { RestApiId, Stage, Path, Method }: IdentifierParts,
  ctx: Apigatewayv2Context,
): Promise<{ operationName?: string | undefined }> {
  try {
    await ctx.call('apigateway', 'GetStage', { restApiId: RestApiId, stageName: Stage });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'NotFoundException') throw error;
    throw notFound(error.message);
  }
  let position: string | undefined;
  do {
    const input = { restApiId: RestApiId, embed: ['methods'], limit: 500, ...(position && { position }) };
    const page = await ctx.call('apigateway', 'GetResources', input);
    const method = page.items?.find(({ path }) => path === Path)?.resourceMethods?.[Method];
    if (method) return method;
    position = page.position;
  } while (position !== undefined);
  throw notFound(`The REST API ${RestApiId} has no method ${Method} ${Path}`);
}

const CONTENT = {
  DisplayContent: { read: { None: true, Overrides: { Body: true, Endpoint: true, OperationName: true } } },
} as const;

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages.html#CreateProductRestEndpointPage */
export const CreateProductRestEndpointPage = endpointPages.createHandler('CreateProductRestEndpointPage', {
  members: CONTENT,
  defaults: () => ({ TryItState: 'DISABLED' as const }),
  async values({ input: { DisplayContent, RestEndpointIdentifier }, ctx }) {
    const { IdentifierParts: parts } = RestEndpointIdentifier;
    if (!parts) throw badRequest('RestEndpointIdentifier must have IdentifierParts');
    const overrides = overridesOf(DisplayContent) ?? {};
    const { operationName } = await methodOf(parts, ctx);
    return { operationName, overrides, modifiedAt: ctx.clock.now() };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html#GetProductRestEndpointPage */
export const GetProductRestEndpointPage = endpointPages.getHandler('GetProductRestEndpointPage', {
  before(input, ctx) {
    requireOwn(input, ctx);
    if (input.IncludeRawDisplayContent === 'true')
      throw notEmulated('the raw content of product REST endpoint pages (IncludeRawDisplayContent)');
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages.html#ListProductRestEndpointPages */
export const ListProductRestEndpointPages = endpointPages.listHandler('ListProductRestEndpointPages', {
  before: requireOwn,
  entry(page, ctx, input) {
    const { DisplayContent, ...summary } = endpointPages.describe(page, ctx, input);
    const { Body: _, ...content } = DisplayContent!;
    return { ...summary, ...content } as ProductRestEndpointPageSummaryNoBody;
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html#UpdateProductRestEndpointPage */
export const UpdateProductRestEndpointPage = endpointPages.updateHandler('UpdateProductRestEndpointPage', {
  members: CONTENT,
  values({ input: { DisplayContent }, ctx }) {
    const overrides = overridesOf(DisplayContent);
    return { ...(overrides && { overrides }), modifiedAt: ctx.clock.now() };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html#DeleteProductRestEndpointPage */
export const DeleteProductRestEndpointPage = endpointPages.deleteHandler('DeleteProductRestEndpointPage', {
  check({ ProductRestEndpointPageId: page }, { owner: { PortalProductId: product, DisplayOrder: order }, ctx }) {
    const arn = endpointPageType.arn({ product, page }, ctx);
    if (order?.Contents?.some(({ ProductRestEndpointPageArns }) => ProductRestEndpointPageArns.includes(arn)))
      throw badRequest('The product REST endpoint page is in the display order of the portal product');
  },
});
