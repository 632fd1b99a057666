import type { InputOf, OutputOf, Tag } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';
import { invalidValue, noSuchResource } from '../errors.ts';
import { alarmType, dashboardType, insightRuleType, metricStreamType, muteRuleType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of a resource, with their setter. */
interface Tagged {
  tags: readonly Readonly<Tag>[] | undefined;
  set(tags: Tag[]): void;
}

/** A collection of records with tags. */
interface TaggedCollection {
  get(key: string): { readonly tags?: readonly Readonly<Tag>[] } | undefined;
  update(key: string, change: (draft: { tags?: Tag[] }) => void): unknown;
}

/**
 * Returns the tagged resource of an ARN; undefined if it does not exist.
 * @throws AwsError `InvalidParameterValue` for an ARN of another service
 */
function taggedAt(arn: string, ctx: CloudwatchContext): Tagged | undefined {
  const { state } = ctx;
  const places = [
    [alarmType, state.alarms],
    [dashboardType, state.dashboards],
    [insightRuleType, state.insightRules],
    [metricStreamType, state.streams],
    [muteRuleType, state.muteRules],
  ] as const;
  for (const [type, records] of places) {
    const address = type.parse(arn);
    if (!address) continue;
    const { accountId, region } = address.place;
    if (accountId !== ctx.accountId || (region && region !== ctx.region)) return undefined;
    const { name } = address.key;
    const collection = records as unknown as TaggedCollection;
    const found = collection.get(name);
    return (
      found && {
        tags: found.tags,
        set: (tags) => {
          collection.update(name, (draft) => {
            draft.tags = tags;
          });
        },
      }
    );
  }
  throw invalidValue(`Invalid ARN: ${arn}`);
}

const notFound = (arn: string) => noSuchResource('Unknown', 'Resource', arn);

/**
 * Lists the tags of a resource; none for an unknown one.
 * @throws AwsError `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListTagsForResource.html
 */
export function ListTagsForResource(
  { ResourceARN }: InputOf<'ListTagsForResource'>,
  ctx: CloudwatchContext,
): OutputOf<'ListTagsForResource'> {
  return { Tags: (taggedAt(ResourceARN, ctx)?.tags ?? []).map((tag) => ({ ...tag })) };
}

/**
 * Adds or changes tags of a resource.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_TagResource.html
 */
export function TagResource(
  { ResourceARN, Tags }: InputOf<'TagResource'>,
  ctx: CloudwatchContext,
): OutputOf<'TagResource'> {
  const tagged = taggedAt(ResourceARN, ctx);
  if (!tagged) throw notFound(ResourceARN);
  tagged.set(tagging.merge(tagged.tags, Tags));
  return {};
}

/**
 * Removes tags of a resource; ignores unknown keys.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterValue`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_UntagResource.html
 */
export function UntagResource(
  { ResourceARN, TagKeys }: InputOf<'UntagResource'>,
  ctx: CloudwatchContext,
): OutputOf<'UntagResource'> {
  const tagged = taggedAt(ResourceARN, ctx);
  if (!tagged) throw notFound(ResourceARN);
  tagged.set(tagging.remove(tagged.tags, TagKeys));
  return {};
}
