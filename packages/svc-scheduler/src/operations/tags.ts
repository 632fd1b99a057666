import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { SchedulerOperations } from '@emu/service-types/scheduler';
import type { SchedulerContext } from '../context.ts';
import { groupNotFound } from '../errors.ts';
import { groupType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of groups. @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<SchedulerOperations, SchedulerContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: taggedByArn({
    member: 'ResourceArn',
    types: [taggable(groupType, ({ name }) => groupNotFound(name))],
    unknown: groupNotFound,
  }),
});
