import type { DeclaredQuota } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/servicequotas';
import { directoryOf } from '../catalogue.ts';
import type { ServicequotasContext } from '../context.ts';
import { illegalArgument, noSuchResource } from '../errors.ts';
import { globalQuotaType, HOME_REGION, type QuotaKey, quotaId, quotaType } from '../resources.ts';
import type { ServicequotasState } from '../state.ts';
import { tagging } from '../tags.ts';

interface TaggedQuota {
  readonly key: QuotaKey;
  readonly quota: DeclaredQuota;
  readonly state: ServicequotasState;
}

/**
 * Returns the quota with an ARN, in the caller's account and region.
 * @throws AwsError `IllegalArgumentException` for an ARN of another type, `NoSuchResourceException`
 */
async function quotaAt(arn: string, ctx: ServicequotasContext): Promise<TaggedQuota> {
  const global = globalQuotaType.parse(arn);
  const address = global ?? quotaType.parse(arn);
  if (!address) throw illegalArgument(`${arn} is no ARN of a quota.`);
  const { key, place } = address;
  const quota = await (await directoryOf(ctx)).find(key.service, key.code);
  const own = place.accountId === ctx.accountId && (global !== undefined || place.region === ctx.region);
  if (!quota || !own || (quota.global ?? false) !== (global !== undefined))
    throw noSuchResource('The request failed because the specified quota does not exist.');
  return { key, quota, state: global ? ctx.handle.state(ctx.accountId, HOME_REGION) : ctx.state };
}

/** Sets the tags of a quota. Without tags, its record is deleted. */
function put({ key, quota, state }: TaggedQuota, tags: Record<string, string>): void {
  if (Object.keys(tags).length) state.tags.put(quotaId(key), { ...key, global: quota.global ?? false, tags });
  else state.tags.delete(quotaId(key));
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_TagResource.html */
export async function TagResource(
  { ResourceARN, Tags }: InputOf<'TagResource'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'TagResource'>> {
  const tagged = await quotaAt(ResourceARN, ctx);
  const added = Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
  put(tagged, tagging.merge(tagged.state.tags.get(quotaId(tagged.key))?.tags, added));
  return {};
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_UntagResource.html */
export async function UntagResource(
  { ResourceARN, TagKeys }: InputOf<'UntagResource'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'UntagResource'>> {
  const tagged = await quotaAt(ResourceARN, ctx);
  const record = tagged.state.tags.get(quotaId(tagged.key));
  if (record) put(tagged, tagging.remove(record.tags, TagKeys));
  return {};
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListTagsForResource.html */
export async function ListTagsForResource(
  { ResourceARN }: InputOf<'ListTagsForResource'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListTagsForResource'>> {
  const { key, state } = await quotaAt(ResourceARN, ctx);
  const tags = Object.entries(state.tags.get(quotaId(key))?.tags ?? {});
  return { Tags: tags.map(([Key, Value]) => ({ Key, Value })) };
}
