import { parseArn } from '@emu/core';
import { awsError } from '@emu/wire';
import type {
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  TagResourceRequest,
  UntagResourceRequest,
} from '../generated/sns.ts';
import { addTags, tagsOf } from '../tags.ts';
import { type SnsContext, stateOf, type TopicTarget } from './context.ts';

/** @throws AwsError `ResourceNotFound` */
function resourceAt(arn: string, ctx: SnsContext): TopicTarget {
  const parsed = parseArn(arn);
  if (parsed?.service === 'sns' && parsed.region === ctx.region && /^\d{12}$/.test(parsed.accountId)) {
    const state = stateOf(parsed, ctx);
    const topic = state.topic(parsed.resource);
    if (topic) return { state, topic };
  }
  throw awsError('ResourceNotFoundException', 'Resource does not exist');
}

/** Tags of a topic. */
export function ListTagsForResource(input: ListTagsForResourceRequest, ctx: SnsContext): ListTagsForResourceResponse {
  const { topic } = resourceAt(input.ResourceArn, ctx);
  return { Tags: Object.entries(topic.record.tags).map(([Key, Value]) => ({ Key, Value })) };
}

/** Adds or changes tags of a topic. */
export function TagResource(input: TagResourceRequest, ctx: SnsContext): Record<string, never> {
  const { state, topic } = resourceAt(input.ResourceArn, ctx);
  const tags = addTags(topic.record.tags, tagsOf(input.Tags));
  state.updateTopic(topic.name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** Removes tags of a topic; keys it does not have do not matter. */
export function UntagResource(input: UntagResourceRequest, ctx: SnsContext): Record<string, never> {
  const { state, topic } = resourceAt(input.ResourceArn, ctx);
  state.updateTopic(topic.name, (draft) => {
    for (const key of input.TagKeys) delete draft.tags[key];
  });
  return {};
}
