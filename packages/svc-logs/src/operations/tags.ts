import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { groupNamed } from '../lookup.ts';
import { type Tagged, taggedAt, taggedGroup } from '../tagged.ts';
import { tagging } from '../tags.ts';

const named = (name: string, ctx: LogsContext): Tagged => {
  const { state, group } = groupNamed(name, ctx);
  return taggedGroup(state, group);
};

/** @throws AwsError `ResourceNotFoundException` */
function resourceOf(arn: string, ctx: LogsContext): Tagged {
  const resource = taggedAt(arn, ctx);
  if (!resource) throw notFound('The specified resource does not exist.');
  return resource;
}

/**
 * Sets tags of a resource.
 * @throws AwsError `ResourceNotFoundException`, `TooManyTagsException`, `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TagResource.html
 */
export function TagResource(input: InputOf<'TagResource'>, ctx: LogsContext): OutputOf<'TagResource'> {
  const resource = resourceOf(input.resourceArn, ctx);
  resource.set(tagging.merge(resource.tags, input.tags));
  return {};
}

/**
 * Removes tags of a resource.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UntagResource.html
 */
export function UntagResource(input: InputOf<'UntagResource'>, ctx: LogsContext): OutputOf<'UntagResource'> {
  const resource = resourceOf(input.resourceArn, ctx);
  resource.set(tagging.remove(resource.tags, input.tagKeys));
  return {};
}

/**
 * Returns the tags of a resource.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListTagsForResource.html
 */
export function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: LogsContext,
): OutputOf<'ListTagsForResource'> {
  return { tags: { ...resourceOf(input.resourceArn, ctx).tags } };
}

/**
 * Sets tags of a log group by name.
 * @throws AwsError `ResourceNotFoundException`, `TooManyTagsException`, `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TagLogGroup.html
 */
export function TagLogGroup(input: InputOf<'TagLogGroup'>, ctx: LogsContext): OutputOf<'TagLogGroup'> {
  const group = named(input.logGroupName, ctx);
  group.set(tagging.merge(group.tags, input.tags));
  return {};
}

/**
 * Removes tags of a log group by name.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UntagLogGroup.html
 */
export function UntagLogGroup(input: InputOf<'UntagLogGroup'>, ctx: LogsContext): OutputOf<'UntagLogGroup'> {
  const group = named(input.logGroupName, ctx);
  group.set(tagging.remove(group.tags, input.tags));
  return {};
}

/**
 * Returns the tags of a log group by name.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListTagsLogGroup.html
 */
export function ListTagsLogGroup(input: InputOf<'ListTagsLogGroup'>, ctx: LogsContext): OutputOf<'ListTagsLogGroup'> {
  return { tags: { ...named(input.logGroupName, ctx).tags } };
}
