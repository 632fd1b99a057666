import type { InputOf, OutputOf } from '@emu/service-types/stepfunctions';
import type { StepfunctionsContext } from '../context.ts';
import { invalidArn, taggedNotFound } from '../errors.ts';
import { activityType, machineType, qualifiedType } from '../resources.ts';
import { addTags, removeTags, tagList } from '../tags.ts';

/**
 * Returns the tags of a resource with their setter.
 * @throws AwsError `InvalidArn`, `ResourceNotFound`
 */
function tagged(arn: string, { state }: StepfunctionsContext) {
  if (qualifiedType.parse(arn)) throw taggedNotFound(arn);
  const machine = machineType.parse(arn);
  const activity = activityType.parse(arn);
  if (!machine && !activity) throw invalidArn(`Invalid ARN prefix: ${arn}`);
  const found = machine ? state.machine(machine.key.name) : state.activity(activity!.key.name);
  if (!found) throw taggedNotFound(arn);
  const put = (tags: Record<string, string>): void => {
    if (machine)
      state.updateMachine(found.name, (draft) => {
        draft.tags = tags;
      });
    else state.putActivity({ name: found.name, createdAt: found.createdAt, tags });
  };
  return { tags: found.tags, put };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_TagResource.html */
export function TagResource(input: InputOf<'TagResource'>, ctx: StepfunctionsContext): OutputOf<'TagResource'> {
  const { tags, put } = tagged(input.resourceArn, ctx);
  put(addTags(tags, input.tags));
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_UntagResource.html */
export function UntagResource(input: InputOf<'UntagResource'>, ctx: StepfunctionsContext): OutputOf<'UntagResource'> {
  const { tags, put } = tagged(input.resourceArn, ctx);
  put(removeTags(tags, input.tagKeys));
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListTagsForResource.html */
export function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: StepfunctionsContext,
): OutputOf<'ListTagsForResource'> {
  return {
    tags: tagList(tagged(input.resourceArn, ctx).tags),
  };
}
