import { lowerId } from '@emu/core/descriptors';
import type { DeepReadonly } from '@emu/core/service';
import type { PortalSummary } from '@emu/service-types/apigatewayv2';
import { descriptor } from '../descriptor.ts';
import { notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';
import type { PortalRecord } from '../records.ts';
import { portalType } from '../resources.ts';

/**
 * Hosted zone of CloudFront distributions, which portals use.
 * @see https://docs.aws.amazon.com/general/latest/gr/cf_region.html
 */
const DISTRIBUTIONS = 'Z2FDTNDATAQYW2';

const publication = ({ published }: DeepReadonly<PortalRecord>) =>
  published && {
    LastPublished: wholeSeconds(published.at),
    ...(published.description !== undefined && { LastPublishedDescription: published.description }),
  };

/** Portals. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/portals-portalid.html */
export const portals = descriptor({
  name: 'Portal',
  records: 'portals',
  key: 'PortalId',
  id: lowerId(10),
  missing: (id) => notFound(`Invalid Portal identifier specified: ${id}`),
  tagged: true,
  show(portal, ctx): PortalSummary {
    const { Authorization, PortalId, RumAppMonitorName, Tags, colors, logoAt, preview } = portal as PortalRecord;
    const domain = `p-${PortalId}.apigw-portal.${ctx.region}.on.aws`;
    return {
      Authorization,
      EndpointConfiguration: {
        ...portal.endpoint,
        PortalDefaultDomainName: domain,
        PortalDomainHostedZoneId: DISTRIBUTIONS,
      },
      IncludedPortalProductArns: [...portal.productArns],
      LastModified: wholeSeconds(portal.modifiedAt),
      PortalArn: portalType.arn({ portal: PortalId }, ctx),
      PortalContent: {
        ...portal.content,
        Theme: { CustomColors: colors, ...(logoAt !== undefined && { LogoLastUploaded: wholeSeconds(logoAt) }) },
      },
      PortalId,
      ...publication(portal),
      ...(preview &&
        preview.until > ctx.clock.now() && {
          Preview: {
            PreviewStatus: 'PREVIEW_READY' as const,
            PreviewUrl: `https://${domain}/preview/${preview.token}`,
          },
        }),
      PublishStatus: portal.published ? 'PUBLISHED' : 'DISABLED',
      RumAppMonitorName,
      Tags,
    };
  },
});
