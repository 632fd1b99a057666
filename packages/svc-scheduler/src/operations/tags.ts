import type { InputOf, OutputOf, Tag } from '@emu/service-types/scheduler';
import type { SchedulerContext } from '../context.ts';
import { groupNotFound } from '../errors.ts';
import type { Group } from '../registry.ts';
import { groupType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Returns the group with an ARN. @throws AwsError `ResourceNotFoundException` */
function groupAt(arn: string, ctx: SchedulerContext): Group {
  const address = groupType.parse(arn);
  const here = address?.place.accountId === ctx.accountId && address.place.region === ctx.region;
  const group = address && here ? ctx.state.group(address.key.name) : undefined;
  if (!group) throw groupNotFound(address?.key.name ?? arn);
  return group;
}

/** @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_ListTagsForResource.html */
export function ListTagsForResource(
  { ResourceArn }: InputOf<'ListTagsForResource'>,
  ctx: SchedulerContext,
): OutputOf<'ListTagsForResource'> {
  return { Tags: groupAt(ResourceArn, ctx).tags as Tag[] };
}

/** @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_TagResource.html */
export function TagResource(
  { ResourceArn, Tags }: InputOf<'TagResource'>,
  ctx: SchedulerContext,
): OutputOf<'TagResource'> {
  const { name, tags } = groupAt(ResourceArn, ctx);
  ctx.state.tagGroup(name, tagging.merge(tags, Tags));
  return {};
}

/** @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_UntagResource.html */
export function UntagResource(
  { ResourceArn, TagKeys }: InputOf<'UntagResource'>,
  ctx: SchedulerContext,
): OutputOf<'UntagResource'> {
  const { name, tags } = groupAt(ResourceArn, ctx);
  ctx.state.tagGroup(name, tagging.remove(tags, TagKeys));
  return {};
}
