import type {
  ListTagsForResourceInput,
  ListTagsForResourceOutput,
  TagResourceInput,
  UntagResourceInput,
} from '@emu/service-types/stepfunctions';
import { invalidArn, taggedNotFound } from '../errors.ts';
import type { SfnContext } from '../lookup.ts';
import { activityType, machineType, qualifiedType } from '../resources.ts';
import { addTags, removeTags, tagList } from '../tags.ts';

/** The tags of a resource and how they are changed. @throws AwsError `InvalidArn`, `ResourceNotFound` */
function tagged(arn: string, { state }: SfnContext) {
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
export function TagResource(input: TagResourceInput, ctx: SfnContext): Record<string, never> {
  const { tags, put } = tagged(input.resourceArn, ctx);
  put(addTags(tags, input.tags));
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_UntagResource.html */
export function UntagResource(input: UntagResourceInput, ctx: SfnContext): Record<string, never> {
  const { tags, put } = tagged(input.resourceArn, ctx);
  put(removeTags(tags, input.tagKeys));
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListTagsForResource.html */
export const ListTagsForResource = (input: ListTagsForResourceInput, ctx: SfnContext): ListTagsForResourceOutput => ({
  tags: tagList(tagged(input.resourceArn, ctx).tags),
});
