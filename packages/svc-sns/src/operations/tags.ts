import type { InputOf, OutputOf } from '@emu/service-types/sns';
import { awsError } from '@emu/wire';
import type { SnsContext } from '../context.ts';
import { stateAt, type TopicTarget } from '../lookup.ts';
import { topicType } from '../resources.ts';
import { addTags, listOfTags, removeTags } from '../tags.ts';

/** @throws AwsError `ResourceNotFound` */
function resourceAt(arn: string, ctx: SnsContext): TopicTarget {
  const address = topicType.parse(arn);
  const state = address?.place.region === ctx.region ? stateAt(address.place, ctx) : undefined;
  const topic = state?.topic(address!.key.name);
  if (!state || !topic) throw awsError('ResourceNotFoundException', 'Resource does not exist');
  return { state, topic };
}

/** Lists the tags of a topic. */
export function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: SnsContext,
): OutputOf<'ListTagsForResource'> {
  const { topic } = resourceAt(input.ResourceArn, ctx);
  return { Tags: listOfTags(topic.record.tags) };
}

/** Adds or changes tags of a topic. */
export function TagResource(input: InputOf<'TagResource'>, ctx: SnsContext): OutputOf<'TagResource'> {
  const { state, topic } = resourceAt(input.ResourceArn, ctx);
  const tags = addTags(topic.record.tags, input.Tags);
  state.updateTopic(topic.name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** Removes tags of a topic. Unknown keys are ignored. */
export function UntagResource(input: InputOf<'UntagResource'>, ctx: SnsContext): OutputOf<'UntagResource'> {
  const { state, topic } = resourceAt(input.ResourceArn, ctx);
  state.updateTopic(topic.name, (draft) => {
    draft.tags = removeTags(draft.tags, input.TagKeys);
  });
  return {};
}
