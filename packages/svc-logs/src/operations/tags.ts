import { notFound } from '../errors.ts';
import { groupNamed, type In, type LogsContext, type Out } from '../lookup.ts';
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
export function TagResource(input: In<'TagResource'>, ctx: LogsContext): Out<'TagResource'> {
  const resource = resourceOf(input.resourceArn, ctx);
  resource.set(tagging.merge(resource.tags, input.tags));
  return {};
}

/**
 * Takes tags of a resource away.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UntagResource.html
 */
export function UntagResource(input: In<'UntagResource'>, ctx: LogsContext): Out<'UntagResource'> {
  const resource = resourceOf(input.resourceArn, ctx);
  resource.set(tagging.remove(resource.tags, input.tagKeys));
  return {};
}

/**
 * The tags of a resource.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListTagsForResource.html
 */
export function ListTagsForResource(input: In<'ListTagsForResource'>, ctx: LogsContext): Out<'ListTagsForResource'> {
  return { tags: { ...resourceOf(input.resourceArn, ctx).tags } };
}

/**
 * Sets tags of a log group, by its name.
 * @throws AwsError `ResourceNotFoundException`, `TooManyTagsException`, `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TagLogGroup.html
 */
export function TagLogGroup(input: In<'TagLogGroup'>, ctx: LogsContext): Out<'TagLogGroup'> {
  const group = named(input.logGroupName, ctx);
  group.set(tagging.merge(group.tags, input.tags));
  return {};
}

/**
 * Takes tags of a log group away, by its name.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UntagLogGroup.html
 */
export function UntagLogGroup(input: In<'UntagLogGroup'>, ctx: LogsContext): Out<'UntagLogGroup'> {
  const group = named(input.logGroupName, ctx);
  group.set(tagging.remove(group.tags, input.tags));
  return {};
}

/**
 * The tags of a log group, by its name.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListTagsLogGroup.html
 */
export function ListTagsLogGroup(input: In<'ListTagsLogGroup'>, ctx: LogsContext): Out<'ListTagsLogGroup'> {
  return { tags: { ...named(input.logGroupName, ctx).tags } };
}
