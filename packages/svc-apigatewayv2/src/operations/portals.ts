import type { DeepReadonly } from '@emu/core';
import type { InputOf, OutputOf, PortalSummary, UpdatePortalRequest } from '@emu/service-types/apigatewayv2';
import { AwsError } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid, notEmulated } from '../errors.ts';
import { portalOf } from '../lookup.ts';
import { given, timeOf } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import { signInOf } from '../portals/sign-in.ts';
import { siteOf } from '../portals/site.ts';
import type { PortalRecord } from '../records.ts';
import { portalProductType, portalType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Zone of the distributions of CloudFront that portals have. @see https://docs.aws.amazon.com/general/latest/gr/cf_region.html */
const DISTRIBUTIONS = 'Z2FDTNDATAQYW2';
/** Certificates of distributions are of one region. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-portals-create-portal.html */
const CERTIFICATE = /^arn:[^:]+:acm:us-east-1:\d{12}:certificate\/.+$/;
const USER_POOL = /^arn:[^:]+:cognito-idp:[^:]+:\d{12}:userpool\/[\w-]+_[0-9A-Za-z]+$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
/** Milliseconds for which a preview is shown. */
const PREVIEW = 3_600_000;
const S3_OBJECT = /^s3:\/\/([^/]+)\/(.+)$/s;

type Settings = Omit<UpdatePortalRequest, 'PortalId'>;

function describe(portal: DeepReadonly<PortalRecord>, ctx: Apigatewayv2Context): PortalSummary {
  const { PortalId, content, colors, endpoint, productArns, logoAt, logoUri, modifiedAt, published, preview, ...rest } =
    portal as PortalRecord;
  const domain = `p-${PortalId}.apigw-portal.${ctx.region}.on.aws`;
  return {
    ...rest,
    EndpointConfiguration: {
      ...endpoint,
      PortalDefaultDomainName: domain,
      PortalDomainHostedZoneId: DISTRIBUTIONS,
    },
    IncludedPortalProductArns: productArns,
    LastModified: timeOf(modifiedAt),
    PortalArn: portalType.arn({ portal: PortalId }, ctx),
    PortalContent: {
      ...content,
      Theme: { CustomColors: colors, ...(logoAt !== undefined && { LogoLastUploaded: timeOf(logoAt) }) },
    },
    PortalId,
    ...(published && {
      LastPublished: timeOf(published.at),
      ...(published.description !== undefined && { LastPublishedDescription: published.description }),
    }),
    ...(preview &&
      preview.until > ctx.clock.now() && {
        Preview: { PreviewStatus: 'PREVIEW_READY' as const, PreviewUrl: `https://${domain}/preview/${preview.token}` },
      }),
    PublishStatus: published ? 'PUBLISHED' : 'DISABLED',
  };
}

/** Whether exactly one member of a union is given. */
const isOne = (...members: readonly unknown[]): boolean =>
  members.filter((member) => member !== undefined).length === 1;

/** Has products in a portal be products that there are. @throws AwsError `BadRequestException`; `NotImplemented` for those of others */
function checkProducts(arns: readonly string[], { state, accountId, region }: Apigatewayv2Context): void {
  for (const arn of arns) {
    const product = portalProductType.parse(arn);
    if (!product) throw invalid(`Invalid portal product ARN specified: ${arn}`);
    const { place, key } = product;
    if (place.accountId !== accountId) throw notEmulated('portal products of other accounts');
    if (place.region !== region || !state.products.has(key.product))
      throw invalid(`The portal product does not exist: ${arn}`);
  }
}

/** Checks what a request says of a portal. @throws AwsError `BadRequestException` */
function check(
  { Authorization, EndpointConfiguration, IncludedPortalProductArns }: Settings,
  ctx: Apigatewayv2Context,
) {
  if (Authorization) {
    const { CognitoConfig, None } = Authorization;
    if (!isOne(CognitoConfig, None)) throw invalid('Authorization must have exactly one of CognitoConfig and None');
    if (CognitoConfig && !USER_POOL.test(CognitoConfig.UserPoolArn))
      throw invalid(`Invalid user pool ARN specified: ${CognitoConfig.UserPoolArn}`);
  }
  if (EndpointConfiguration) {
    const { AcmManaged, None } = EndpointConfiguration;
    if (!isOne(AcmManaged, None)) throw invalid('EndpointConfiguration must have exactly one of AcmManaged and None');
    if (AcmManaged && !CERTIFICATE.test(AcmManaged.CertificateArn))
      throw invalid('CertificateArn must be the ARN of a certificate of ACM in us-east-1');
    if (AcmManaged && !DOMAIN.test(AcmManaged.DomainName))
      throw invalid(`Invalid domain name specified: ${AcmManaged.DomainName}`);
  }
  if (IncludedPortalProductArns) checkProducts(IncludedPortalProductArns, ctx);
}

/** Has a logo be an object of S3. @throws AwsError `BadRequestException` */
async function checkLogo(uri: string, ctx: Apigatewayv2Context): Promise<void> {
  const [, Bucket, Key] = S3_OBJECT.exec(uri) ?? [];
  if (Bucket === undefined || Key === undefined) throw invalid(`Invalid logo URI specified: ${uri}`);
  try {
    await ctx.call('s3', 'HeadObject', { Bucket, Key });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw invalid(`The logo could not be read: ${uri}`);
  }
}

/** What a request changes of the record of a portal. */
async function changesOf(settings: Settings, ctx: Apigatewayv2Context): Promise<Partial<PortalRecord>> {
  check(settings, ctx);
  const { LogoUri: logo, PortalContent, EndpointConfiguration, IncludedPortalProductArns } = settings;
  if (logo) await checkLogo(logo, ctx);
  const { Theme, ...content } = PortalContent ?? {};
  return {
    ...given(settings, ['Authorization', 'RumAppMonitorName']),
    ...(PortalContent && { content: content as PortalRecord['content'], colors: PortalContent.Theme.CustomColors }),
    ...(EndpointConfiguration && { endpoint: EndpointConfiguration.AcmManaged }),
    ...(IncludedPortalProductArns && { productArns: IncludedPortalProductArns }),
    ...(logo !== undefined && {
      logoAt: logo === '' ? undefined : ctx.clock.now(),
      logoUri: logo === '' ? undefined : logo,
    }),
    modifiedAt: ctx.clock.now(),
  };
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals.html#CreatePortal */
export async function CreatePortal(
  input: InputOf<'CreatePortal'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'CreatePortal'>> {
  const changes = await changesOf(input, ctx);
  const Tags = tagging.merge(undefined, input.Tags);
  const PortalId = ctx.state.newApiId();
  const portal = { productArns: [], ...changes, PortalId, Tags } as PortalRecord;
  return describe(ctx.state.portals.put(PortalId, portal), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html#GetPortal */
export function GetPortal(input: InputOf<'GetPortal'>, ctx: Apigatewayv2Context): OutputOf<'GetPortal'> {
  return describe(portalOf(input, ctx), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals.html#ListPortals */
export function ListPortals(input: InputOf<'ListPortals'>, ctx: Apigatewayv2Context): OutputOf<'ListPortals'> {
  return paging
    .page('ListPortals', withLimit(input), ctx.state.portals.values(), ({ PortalId }) => PortalId)
    .list((portal) => describe(portal, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html#UpdatePortal */
export async function UpdatePortal(
  input: InputOf<'UpdatePortal'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'UpdatePortal'>> {
  portalOf(input, ctx);
  const changes = await changesOf(input, ctx);
  const before = portalOf(input, ctx) as PortalRecord;
  return describe(ctx.state.portals.put(before.PortalId, { ...before, ...changes }), ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html#DeletePortal */
export function DeletePortal(
  { PortalId }: InputOf<'DeletePortal'>,
  { state }: Apigatewayv2Context,
): OutputOf<'DeletePortal'> {
  if (state.portals.get(PortalId)?.published) throw invalid('The portal is published. Disable it before you delete it');
  if (!state.portals.delete(PortalId)) throw invalid(`Invalid Portal identifier specified: ${PortalId}`);
  return {};
}

/**
 * Shows a portal as it is now to the public; later changes show when it is published again.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid-publish.html#PublishPortal
 */
export async function PublishPortal(
  input: InputOf<'PublishPortal'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'PublishPortal'>> {
  const { Authorization, RumAppMonitorName } = portalOf(input, ctx);
  if (RumAppMonitorName) throw notEmulated('monitors of CloudWatch RUM in published portals');
  const { CognitoConfig } = Authorization;
  const signIn = CognitoConfig && (await signInOf(CognitoConfig, ctx));
  const site = await siteOf(portalOf(input, ctx), ctx);
  const { PortalId } = portalOf(input, ctx);
  const { Description: description } = input;
  ctx.state.portals.update(PortalId, (draft) =>
    Object.assign(draft, { published: { site, at: ctx.clock.now(), description, signIn } }),
  );
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid-publish.html#DisablePortal */
export function DisablePortal(input: InputOf<'DisablePortal'>, ctx: Apigatewayv2Context): OutputOf<'DisablePortal'> {
  const { PortalId, published } = portalOf(input, ctx);
  if (!published) throw conflict('The portal is not published');
  ctx.state.portals.update(PortalId, (draft) => {
    delete draft.published;
  });
  return {};
}

/**
 * Shows a portal as it is now to whoever knows the URL of the preview, for an hour.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid-preview.html#PreviewPortal
 */
export async function PreviewPortal(
  input: InputOf<'PreviewPortal'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'PreviewPortal'>> {
  const site = await siteOf(portalOf(input, ctx), ctx);
  const { PortalId } = portalOf(input, ctx);
  const preview = { site, token: ctx.ids.hex(32), until: ctx.clock.now() + PREVIEW };
  ctx.state.portals.update(PortalId, (draft) => Object.assign(draft, { preview }));
  return {};
}
