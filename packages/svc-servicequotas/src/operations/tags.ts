import { type TaggedResource, tagOperations } from '@emu/core/service';
import type { ServicequotasOperations } from '@emu/service-types/servicequotas';
import { directoryOf } from '../catalogue.ts';
import type { ServicequotasContext } from '../context.ts';
import { illegalArgument, noSuchResource } from '../errors.ts';
import { globalQuotaType, HOME_REGION, quotaType, taggedQuota } from '../resources.ts';
import { tagging } from '../tags.ts';

/**
 * Returns the quota with an ARN, in the caller's account and region.
 * @throws AwsError `IllegalArgumentException` for an ARN of another type, `NoSuchResourceException`
 */
async function quotaAt(arn: string, ctx: ServicequotasContext): Promise<TaggedResource<Record<string, string>>> {
  const global = globalQuotaType.parse(arn);
  const address = global ?? quotaType.parse(arn);
  if (!address) throw illegalArgument(`${arn} is no ARN of a quota.`);
  const { key, place } = address;
  const quota = await (await directoryOf(ctx)).find(key.service, key.code);
  const own = place.accountId === ctx.accountId && (global !== undefined || place.region === ctx.region);
  if (!quota || !own || (quota.global ?? false) !== (global !== undefined))
    throw noSuchResource('The request failed because the specified quota does not exist.');
  return taggedQuota(global ? ctx.handle.state(ctx.accountId, HOME_REGION) : ctx.state, key, global !== undefined);
}

/** Tags of quotas. @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_TagResource.html */
export const tags = tagOperations<ServicequotasOperations, ServicequotasContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: ({ ResourceARN }, ctx) => quotaAt(ResourceARN, ctx),
});
