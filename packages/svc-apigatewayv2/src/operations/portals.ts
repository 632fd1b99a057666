import { notEmulated } from '@emu/core/service';
import type { InputOf, PortalContent } from '@emu/service-types/apigatewayv2';
import { AwsError } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest, conflict } from '../errors.ts';
import { signInOf } from '../portals/sign-in.ts';
import { siteOf } from '../portals/site.ts';
import type { PortalRecord } from '../records.ts';
import { portals } from '../resources/portals.ts';
import { portalProductType } from '../resources.ts';

/**
 * CloudFront certificates must be in us-east-1.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-portals-create-portal.html
 */
const CERTIFICATE = /^arn:[^:]+:acm:us-east-1:\d{12}:certificate\/.+$/;
const USER_POOL = /^arn:[^:]+:cognito-idp:[^:]+:\d{12}:userpool\/[\w-]+_[0-9A-Za-z]+$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
/** Lifetime of a preview in milliseconds. */
const PREVIEW = 3_600_000;
const S3_OBJECT = /^s3:\/\/([^/]+)\/(.+)$/s;

type Settings = Omit<InputOf<'UpdatePortal'>, 'PortalId'>;

/** Members that the record stores in other forms. */
const READ = {
  EndpointConfiguration: { read: { AcmManaged: { CertificateArn: true, DomainName: true }, None: true } },
  IncludedPortalProductArns: 'read',
  LogoUri: 'read',
  PortalContent: { read: { Description: true, DisplayName: true, Theme: true } },
} as const;

/** Whether exactly one member of a union is given. */
const isOne = (...members: readonly unknown[]): boolean =>
  members.filter((member) => member !== undefined).length === 1;

/** Rejects unknown products of a portal. @throws AwsError `BadRequestException`; `NotImplemented` for those of other accounts */
function checkProducts(arns: readonly string[], { state, accountId, region }: Apigatewayv2Context): void {
  for (const arn of arns) {
    const product = portalProductType.parse(arn);
    if (!product) throw badRequest(`Invalid portal product ARN specified: ${arn}`);
    const { place, key } = product;
    if (place.accountId !== accountId) throw notEmulated('portal products of other accounts');
    if (place.region !== region || !state.products.has(key.product))
      throw badRequest(`The portal product does not exist: ${arn}`);
  }
}

/**
 * Validates the members of a portal.
 * @throws AwsError `BadRequestException`
 */
function check(
  { Authorization, EndpointConfiguration, IncludedPortalProductArns }: Settings,
  ctx: Apigatewayv2Context,
) {
  if (Authorization) {
    const { CognitoConfig, None } = Authorization;
    if (!isOne(CognitoConfig, None)) throw badRequest('Authorization must have exactly one of CognitoConfig and None');
    if (CognitoConfig && !USER_POOL.test(CognitoConfig.UserPoolArn))
      throw badRequest(`Invalid user pool ARN specified: ${CognitoConfig.UserPoolArn}`);
  }
  if (EndpointConfiguration) {
    const { AcmManaged, None } = EndpointConfiguration;
    if (!isOne(AcmManaged, None))
      throw badRequest('EndpointConfiguration must have exactly one of AcmManaged and None');
    if (AcmManaged && !CERTIFICATE.test(AcmManaged.CertificateArn))
      throw badRequest('CertificateArn must be the ARN of a certificate of ACM in us-east-1');
    if (AcmManaged && !DOMAIN.test(AcmManaged.DomainName))
      throw badRequest(`Invalid domain name specified: ${AcmManaged.DomainName}`);
  }
  if (IncludedPortalProductArns) checkProducts(IncludedPortalProductArns, ctx);
}

/**
 * Rejects a logo that is not an S3 object or that the caller may not read.
 * @throws AwsError `BadRequestException`
 */
async function checkLogo(uri: string, ctx: Apigatewayv2Context): Promise<void> {
  const [, Bucket, Key] = S3_OBJECT.exec(uri) ?? [];
  if (Bucket === undefined || Key === undefined) throw badRequest(`Invalid logo URI specified: ${uri}`);
  try {
    await ctx.call('s3', 'HeadObject', { Bucket, Key }, { authorize: {} });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw badRequest(`The logo could not be read: ${uri}`);
  }
}

/** Returns the record members that a request sets, after validation. */
async function changesOf(settings: Settings, ctx: Apigatewayv2Context) {
  check(settings, ctx);
  const { LogoUri: logo, PortalContent, EndpointConfiguration, IncludedPortalProductArns } = settings;
  if (logo) await checkLogo(logo, ctx);
  return {
    ...(PortalContent && contentOf(PortalContent)),
    ...(EndpointConfiguration && { endpoint: EndpointConfiguration.AcmManaged }),
    ...(IncludedPortalProductArns && { productArns: IncludedPortalProductArns }),
    ...(logo !== undefined && {
      logoAt: logo === '' ? undefined : ctx.clock.now(),
      logoUri: logo === '' ? undefined : logo,
    }),
    modifiedAt: ctx.clock.now(),
  };
}

function contentOf({ Theme, ...content }: PortalContent): Pick<PortalRecord, 'content' | 'colors'> {
  return { content, colors: Theme.CustomColors };
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals.html#CreatePortal */
export const CreatePortal = portals.createHandler('CreatePortal', {
  members: READ,
  defaults: ({ input }) => ({ productArns: [], ...contentOf(input.PortalContent) }),
  values: ({ input, ctx }) => changesOf(input, ctx),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html#GetPortal */
export const GetPortal = portals.getHandler('GetPortal', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals.html#ListPortals */
export const ListPortals = portals.listHandler('ListPortals', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html#UpdatePortal */
export const UpdatePortal = portals.updateHandler('UpdatePortal', {
  members: READ,
  values: ({ input, ctx }) => changesOf(input, ctx),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html#DeletePortal */
export const DeletePortal = portals.deleteHandler('DeletePortal', {
  missing: (id) => badRequest(`Invalid Portal identifier specified: ${id}`),
  check({ published }) {
    if (published) throw badRequest('The portal is published. Disable it before you delete it');
  },
});

/**
 * Publishes the current state of a portal; later changes require publishing again.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid-publish.html#PublishPortal
 */
export const PublishPortal = portals.updateHandler('PublishPortal', {
  members: { Description: 'read' },
  async values({ before, input: { Description: description }, ctx }) {
    const { Authorization, RumAppMonitorName } = before;
    if (RumAppMonitorName) throw notEmulated('monitors of CloudWatch RUM in published portals');
    const { CognitoConfig } = Authorization;
    const signIn = CognitoConfig && (await signInOf(CognitoConfig, ctx));
    const site = await siteOf(before, ctx);
    return { published: { site, at: ctx.clock.now(), description, signIn } };
  },
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid-publish.html#DisablePortal */
export const DisablePortal = portals.updateHandler('DisablePortal', {
  values({ before }) {
    if (!before.published) throw conflict('The portal is not published');
    return { published: undefined };
  },
});

/**
 * Creates a preview of the current state of a portal at a secret URL, valid for an hour.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid-preview.html#PreviewPortal
 */
export const PreviewPortal = portals.updateHandler('PreviewPortal', {
  async values({ before, ctx }) {
    const site = await siteOf(before, ctx);
    return { preview: { site, token: ctx.ids.hex(32), until: ctx.clock.now() + PREVIEW } };
  },
});
