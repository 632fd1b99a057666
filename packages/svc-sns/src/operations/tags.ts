import type {
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  TagResourceRequest,
  UntagResourceRequest,
} from '@emu/service-types/sns';
import { awsError } from '@emu/wire';
import { topicType } from '../resources.ts';
import { addTags, listOfTags, removeTags } from '../tags.ts';
import { type SnsContext, stateAt, type TopicTarget } from './context.ts';

/** @throws AwsError `ResourceNotFound` */
function resourceAt(arn: string, ctx: SnsContext): TopicTarget {
  const address = topicType.parse(arn);
  const state = address?.place.region === ctx.region ? stateAt(address.place, ctx) : undefined;
  const topic = state?.topic(address!.key.name);
  if (!state || !topic) throw awsError('ResourceNotFoundException', 'Resource does not exist');
  return { state, topic };
}

/** Tags of a topic. */
export function ListTagsForResource(input: ListTagsForResourceRequest, ctx: SnsContext): ListTagsForResourceResponse {
  const { topic } = resourceAt(input.ResourceArn, ctx);
  return { Tags: listOfTags(topic.record.tags) };
}

/** Adds or changes tags of a topic. */
export function TagResource(input: TagResourceRequest, ctx: SnsContext): Record<string, never> {
  const { state, topic } = resourceAt(input.ResourceArn, ctx);
  const tags = addTags(topic.record.tags, input.Tags);
  state.updateTopic(topic.name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** Removes tags of a topic; keys it does not have do not matter. */
export function UntagResource(input: UntagResourceRequest, ctx: SnsContext): Record<string, never> {
  const { state, topic } = resourceAt(input.ResourceArn, ctx);
  state.updateTopic(topic.name, (draft) => {
    draft.tags = removeTags(draft.tags, input.TagKeys);
  });
  return {};
}
