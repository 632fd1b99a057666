import { taggedByOtherApi } from '@emu/apigateway-common';
import {
  formatArn,
  parseArn,
  type TaggedResource,
  taggable,
  taggedByArn,
  taggedRecord,
  tagOperations,
} from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { domainsOfOtherApi } from '../domains/shared.ts';
import { badRequest, notFound } from '../errors.ts';
import { apiType, associationType, certificateType, keyType, linkType, planType, stageType } from '../resources.ts';
import { tagging } from '../tags.ts';

type Tagged = TaggedResource<Record<string, string>>;

const missing = () => notFound('Invalid resource ARN specified');

/** Resources other than domain names, whose ARNs may end with an id. */
const resourceOfArn = taggedByArn({
  member: 'resourceArn',
  types: [taggable([apiType, stageType, keyType, planType, linkType, certificateType, associationType], missing)],
  unknown: missing,
});

/** Returns the domain name with a name or an ARN's `<name>+<id>`, where either API stores it. @throws AwsError `NotFoundException` */
async function domainOf(named: string, ResourceArn: string, ctx: ApigatewayContext): Promise<Tagged> {
  const own = taggedRecord<Record<string, string>>(ctx.state.domains, named.split('+')[0]!);
  if (own) return own;
  if (!(await domainsOfOtherApi(ctx)).some(({ domainName }) => domainName === named)) throw missing();
  return taggedByOtherApi({
    get: async () => (await ctx.call('apigatewayv2', 'GetTags', { ResourceArn })).Tags,
    set: (Tags) => ctx.call('apigatewayv2', 'TagResource', { ResourceArn, Tags }),
    remove: (TagKeys) => ctx.call('apigatewayv2', 'UntagResource', { ResourceArn, TagKeys }),
  });
}

/** Tags of resources. @see https://docs.aws.amazon.com/apigateway/latest/api/API_TagResource.html */
export const tags = tagOperations<ApigatewayOperations, ApigatewayContext>()({
  tagging,
  tag: ['TagResource', 'tags'],
  untag: ['UntagResource', 'tagKeys'],
  list: ['GetTags', 'tags'],
  resource({ resourceArn }, ctx, purpose): Tagged | Promise<Tagged> {
    const arn = parseArn(resourceArn);
    if (arn?.service !== 'apigateway') throw badRequest('Invalid ARN specified in the request');
    const { accountId, region, resource } = arn;
    if ((accountId && accountId !== ctx.accountId) || (region && region !== ctx.region)) throw missing();
    const [, kind, name = '', child] = resource.split('/');
    const own = formatArn({
      ...arn,
      region: ctx.region,
      accountId: kind === 'domainnameaccessassociations' ? accountId : '',
    });
    return kind === 'domainnames' && child === undefined
      ? domainOf(name, own, ctx)
      : resourceOfArn({ resourceArn: own }, ctx, purpose);
  },
});
