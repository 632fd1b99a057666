import type { DeepReadonly } from '@emu/core/service';
import { AwsError, piecesOf } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest } from '../errors.ts';
import type { PortalProductRecord, PortalRecord } from '../records.ts';
import { endpointPageType, portalProductType, productPageType } from '../resources.ts';
import { hostOf } from '../runtime/endpoints.ts';
import { operationOf } from './operation-document.ts';
import type { PortalSite, SiteEndpoint, SiteProduct } from './portal-site.ts';

/** Maximum bytes of a logo. */
const MAX_LOGO = 1024 * 1024;
const S3_OBJECT = /^s3:\/\/([^/]+)\/(.+)$/s;

/**
 * Returns the logo of a portal as a data URL, read as the caller.
 * @throws AwsError `BadRequestException` if it cannot be read
 */
async function logoOf({ logoUri }: DeepReadonly<PortalRecord>, ctx: Apigatewayv2Context): Promise<string | undefined> {
  const [, Bucket, Key] = S3_OBJECT.exec(logoUri ?? '') ?? [];
  if (Bucket === undefined || Key === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let type = 'image/png';
  try {
    const { Body, ContentType } = await ctx.call('s3', 'GetObject', { Bucket, Key }, { authorize: {} });
    if (ContentType?.startsWith('image/')) type = ContentType;
    for await (const chunk of piecesOf(Body)) {
      size += chunk.length;
      if (size > MAX_LOGO) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw badRequest(`The logo could not be read: ${logoUri}`);
  }
  if (size > MAX_LOGO) throw badRequest('The logo is larger than 1 MB');
  return `data:${type};base64,${Buffer.concat(chunks).toString('base64')}`;
}

/** Returns the pages of a product in its display order, or else in order of creation. */
async function productSite(product: DeepReadonly<PortalProductRecord>, ctx: Apigatewayv2Context): Promise<SiteProduct> {
  const { PortalProductId: id, DisplayName: name, Description: description, DisplayOrder: order } = product;
  const { state } = ctx;
  const pages = state.pages.list(id).map(({ ProductPageId, title, body }) => ({ id: ProductPageId, title, body }));
  const pageOf = (arn: string) => pages.find((page) => page.id === productPageType.parse(arn)?.key.page);
  const overview = order?.OverviewPageArn === undefined ? undefined : pageOf(order.OverviewPageArn);
  const endpoints = await Promise.all(
    state.endpointPages.list(id).map(async (page): Promise<SiteEndpoint> => {
      const {
        RestApiId: apiId,
        Stage: stage,
        Path: path,
        Method: method,
      } = page.RestEndpointIdentifier.IdentifierParts!;
      const { OperationName, Endpoint, Body: body } = page.overrides;
      const url = Endpoint ?? `https://${hostOf(apiId, ctx.region)}/${stage}`;
      return {
        id: page.ProductRestEndpointPageId,
        name: OperationName ?? page.operationName ?? `${method} ${path}`,
        url: `${url}${path}`,
        body,
        method,
        path,
        apiId,
        stage,
        tryIt: page.TryItState === 'ENABLED',
        operation: await operationOf({ apiId, stage, path, method }, ctx),
      };
    }),
  );
  const endpointOf = (arn: string) => endpoints.filter((one) => one.id === endpointPageType.parse(arn)?.key.page);
  return {
    id,
    name,
    description,
    overview,
    pages: order?.ProductPageArns
      ? order.ProductPageArns.flatMap((arn) => pageOf(arn) ?? [])
      : pages.filter((page) => page !== overview),
    sections: order?.Contents
      ? order.Contents.map(({ SectionName, ProductRestEndpointPageArns }) => ({
          name: SectionName,
          endpoints: ProductRestEndpointPageArns.flatMap(endpointOf),
        }))
      : [{ name: 'Endpoints', endpoints }],
  };
}

/**
 * Returns the current state of a portal for publication.
 * @throws AwsError `BadRequestException` if its logo cannot be read
 */
export async function siteOf(portal: DeepReadonly<PortalRecord>, ctx: Apigatewayv2Context): Promise<PortalSite> {
  const products: SiteProduct[] = [];
  for (const arn of portal.productArns) {
    const product = ctx.state.products.get(portalProductType.parse(arn)?.key.product ?? '');
    if (product) products.push(await productSite(product, ctx));
  }
  const { DisplayName: name, Description: description } = portal.content;
  return { name, description, colors: { ...portal.colors }, logo: await logoOf(portal, ctx), products };
}
