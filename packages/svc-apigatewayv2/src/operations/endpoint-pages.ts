import type { DeepReadonly } from '@emu/core';
import type {
  DisplayContentOverrides,
  EndpointDisplayContent,
  IdentifierParts,
  InputOf,
  OutputOf,
  ProductRestEndpointPageSummaryNoBody,
  UpdateProductRestEndpointPageResponse,
} from '@emu/service-types/apigatewayv2';
import { AwsError } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { invalid, notEmulated, notFound } from '../errors.ts';
import { productOf } from '../lookup.ts';
import { timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { EndpointPageRecord } from '../records.ts';
import { endpointPageType } from '../resources.ts';
import { hostOf } from '../runtime/endpoints.ts';
import { requireOwn } from './portal-products.ts';

interface PageInput {
  PortalProductId: string;
  ProductRestEndpointPageId: string;
}

type View = DeepReadonly<EndpointPageRecord>;

function pageOf(input: PageInput, ctx: Apigatewayv2Context): View {
  const { PortalProductId } = productOf(input, ctx);
  const { ProductRestEndpointPageId: id } = input;
  const page = ctx.state.endpointPages.get(PortalProductId, id);
  if (!page) throw notFound(`Invalid Product REST Endpoint Page identifier specified: ${id}`);
  return page;
}

/** The content of a page: what is overridden, and what the API says itself. */
function contentOf({ overrides, operationName, RestEndpointIdentifier }: View, { region }: Apigatewayv2Context) {
  const { RestApiId, Stage } = RestEndpointIdentifier.IdentifierParts!;
  const name = overrides.OperationName ?? operationName;
  return {
    Endpoint: overrides.Endpoint ?? `https://${hostOf(RestApiId, region)}/${Stage}`,
    ...(name !== undefined && { OperationName: name }),
  };
}

const factsOf = (product: string, page: View, ctx: Apigatewayv2Context) => ({
  LastModified: timeOf(page.modifiedAt),
  ProductRestEndpointPageArn: endpointPageType.arn({ product, page: page.ProductRestEndpointPageId }, ctx),
  ProductRestEndpointPageId: page.ProductRestEndpointPageId,
  RestEndpointIdentifier: page.RestEndpointIdentifier as EndpointPageRecord['RestEndpointIdentifier'],
  Status: 'AVAILABLE' as const,
  TryItState: page.TryItState,
});

const describe = (product: string, page: View, ctx: Apigatewayv2Context): UpdateProductRestEndpointPageResponse => ({
  ...factsOf(product, page, ctx),
  DisplayContent: {
    ...contentOf(page, ctx),
    ...(page.overrides.Body !== undefined && { Body: page.overrides.Body }),
  },
});

/** What is overridden; undefined where nothing is said. @throws AwsError `BadRequestException` */
function overridesOf(content: EndpointDisplayContent | undefined): DisplayContentOverrides | undefined {
  if (!content) return undefined;
  const { None, Overrides } = content;
  if ((None === undefined) === (Overrides === undefined))
    throw invalid('DisplayContent must have exactly one of None and Overrides');
  return Overrides ?? {};
}

/** The method of a REST API that a page is on. @throws AwsError `NotFoundException` */
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

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages.html#CreateProductRestEndpointPage */
export async function CreateProductRestEndpointPage(
  input: InputOf<'CreateProductRestEndpointPage'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'CreateProductRestEndpointPage'>> {
  productOf(input, ctx);
  const { RestEndpointIdentifier, TryItState = 'DISABLED' } = input;
  const { IdentifierParts: parts } = RestEndpointIdentifier;
  if (!parts) throw invalid('RestEndpointIdentifier must have IdentifierParts');
  const overrides = overridesOf(input.DisplayContent) ?? {};
  const { operationName } = await methodOf(parts, ctx);
  const { PortalProductId } = productOf(input, ctx);
  const isSame = ({ RestEndpointIdentifier: { IdentifierParts: other } }: View): boolean =>
    (['RestApiId', 'Stage', 'Path', 'Method'] as const).every((name) => other?.[name] === parts[name]);
  if (ctx.state.endpointPages.list(PortalProductId).some(isSame))
    throw invalid('The portal product has a page of this REST endpoint already');
  const ProductRestEndpointPageId = ctx.state.newApiId();
  const page: EndpointPageRecord = {
    ProductRestEndpointPageId,
    RestEndpointIdentifier,
    TryItState,
    ...(operationName !== undefined && { operationName }),
    overrides,
    modifiedAt: ctx.clock.now(),
  };
  return describe(PortalProductId, ctx.state.endpointPages.put(PortalProductId, ProductRestEndpointPageId, page), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html#GetProductRestEndpointPage */
export function GetProductRestEndpointPage(
  input: InputOf<'GetProductRestEndpointPage'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetProductRestEndpointPage'> {
  requireOwn(input.ResourceOwnerAccountId, ctx);
  if (input.IncludeRawDisplayContent === 'true')
    throw notEmulated('the raw content of product REST endpoint pages (IncludeRawDisplayContent)');
  return describe(input.PortalProductId, pageOf(input, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages.html#ListProductRestEndpointPages */
export function ListProductRestEndpointPages(
  input: InputOf<'ListProductRestEndpointPages'>,
  ctx: Apigatewayv2Context,
): OutputOf<'ListProductRestEndpointPages'> {
  requireOwn(input.ResourceOwnerAccountId, ctx);
  const { PortalProductId } = productOf(input, ctx);
  const pages = ctx.state.endpointPages.list(PortalProductId);
  return paging
    .page('ListProductRestEndpointPages', withLimit(input), pages, (page) => page.ProductRestEndpointPageId)
    .list(
      (page): ProductRestEndpointPageSummaryNoBody => ({
        ...factsOf(PortalProductId, page, ctx),
        ...contentOf(page, ctx),
      }),
    );
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html#UpdateProductRestEndpointPage */
export function UpdateProductRestEndpointPage(
  input: InputOf<'UpdateProductRestEndpointPage'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateProductRestEndpointPage'> {
  const { ProductRestEndpointPageId: id } = pageOf(input, ctx);
  const overrides = overridesOf(input.DisplayContent);
  const { PortalProductId, TryItState } = input;
  const changed = ctx.state.endpointPages.update(PortalProductId, id, (draft) => {
    if (overrides) draft.overrides = overrides;
    if (TryItState) draft.TryItState = TryItState;
    draft.modifiedAt = ctx.clock.now();
  });
  return describe(PortalProductId, changed, ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portalproducts-portalproductid-productrestendpointpages-productrestendpointpageid.html#DeleteProductRestEndpointPage */
export function DeleteProductRestEndpointPage(
  input: InputOf<'DeleteProductRestEndpointPage'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteProductRestEndpointPage'> {
  const page = pageOf(input, ctx);
  const { PortalProductId } = input;
  const { ProductRestEndpointPageArn: arn } = factsOf(PortalProductId, page, ctx);
  const sections = productOf(input, ctx).DisplayOrder?.Contents ?? [];
  if (sections.some(({ ProductRestEndpointPageArns }) => ProductRestEndpointPageArns.includes(arn)))
    throw invalid('The product REST endpoint page is in the display order of the portal product');
  ctx.state.endpointPages.delete(PortalProductId, page.ProductRestEndpointPageId);
  return {};
}
