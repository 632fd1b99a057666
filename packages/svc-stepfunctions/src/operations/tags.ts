import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import type { StepfunctionsContext } from '../context.ts';
import { invalidArn, taggedNotFound } from '../errors.ts';
import { activityType, machineType, qualifiedType } from '../resources.ts';
import { tagging } from '../tags.ts';

const missing = (_key: object, arn: string) => taggedNotFound(arn);

/**
 * Tags of state machines and activities; versions and aliases have none.
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_TagResource.html
 */
export const tags = tagOperations<StepfunctionsOperations, StepfunctionsContext>()({
  tagging,
  tag: ['TagResource', 'tags'],
  untag: ['UntagResource', 'tagKeys'],
  list: ['ListTagsForResource', 'tags'],
  resource: taggedByArn({
    member: 'resourceArn',
    types: [taggable([qualifiedType, machineType, activityType], missing)],
    unknown: (arn) => invalidArn(`Invalid ARN prefix: ${arn}`),
  }),
});
