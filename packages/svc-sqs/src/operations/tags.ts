import type {
  ListQueueTagsRequest,
  ListQueueTagsResult,
  TagQueueRequest,
  UntagQueueRequest,
} from '@emu/service-types/sqs';
import { missingParameter } from '../errors.ts';
import { taggingOf, tagKeyLength } from '../tags.ts';
import { queueAt, type SqsContext } from './context.ts';

/** Adds tags to a queue, over those of the same keys. */
export function TagQueue(input: TagQueueRequest, ctx: SqsContext): Record<string, never> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  if (!Object.keys(input.Tags).length) throw missingParameter('Tags');
  const tags = taggingOf(queue.name).merge(queue.record.tags, input.Tags);
  state.update(queue, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** Removes tags by their keys. */
export function UntagQueue(input: UntagQueueRequest, ctx: SqsContext): Record<string, never> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  if (!input.TagKeys.length || input.TagKeys.includes('')) throw tagKeyLength();
  const tags = taggingOf(queue.name).remove(queue.record.tags, input.TagKeys);
  state.update(queue, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** The tags of a queue. */
export function ListQueueTags(input: ListQueueTagsRequest, ctx: SqsContext): ListQueueTagsResult {
  const { queue } = queueAt(input.QueueUrl, ctx);
  return Object.keys(queue.record.tags).length ? { Tags: { ...queue.record.tags } } : {};
}
