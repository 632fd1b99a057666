import { parseArn, taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { Sesv2Operations } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import {
  configurationSetType,
  contactListType,
  endpointType,
  identityType,
  poolType,
  templateType,
  tenantType,
  testReportType,
  verificationTemplateType,
  withAccount,
} from '../../resources.ts';
import { tagging } from '../../tags.ts';

const missing = (arn: string) => notFound(`Resource <${arn}> does not exist.`);

const byArn = taggedByArn({
  member: 'ResourceArn',
  types: [
    taggable(
      [
        identityType,
        configurationSetType,
        templateType,
        verificationTemplateType,
        contactListType,
        poolType,
        testReportType,
        tenantType,
        endpointType,
      ],
      (_key: object, arn: string) => missing(arn),
    ),
  ],
  unknown: (arn) => (parseArn(arn)?.service === 'ses' ? missing(arn) : badRequest(`Invalid resource ARN <${arn}>.`)),
});

/** Tags of resources. @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_TagResource.html */
export const tags = tagOperations<Sesv2Operations, SesContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  // Terraform's provider has no account in its ARNs with skip_requesting_account_id.
  resource: ({ ResourceArn }, ctx, purpose) => byArn({ ResourceArn: withAccount(ResourceArn, ctx) }, ctx, purpose),
});
