import type { InputOf, OutputOf } from '@emu/service-types/sqs';
import type { SqsContext } from '../context.ts';
import { missingParameter } from '../errors.ts';
import { queueAt } from '../lookup.ts';
import { taggingOf, tagKeyLength } from '../tags.ts';

/** Adds tags to a queue, over those of the same keys. */
export function TagQueue(input: InputOf<'TagQueue'>, ctx: SqsContext): OutputOf<'TagQueue'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  if (!Object.keys(input.Tags).length) throw missingParameter('Tags');
  const tags = taggingOf(queue.name).merge(queue.record.tags, input.Tags);
  state.update(queue, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** Removes tags by their keys. */
export function UntagQueue(input: InputOf<'UntagQueue'>, ctx: SqsContext): OutputOf<'UntagQueue'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  if (!input.TagKeys.length || input.TagKeys.includes('')) throw tagKeyLength();
  const tags = taggingOf(queue.name).remove(queue.record.tags, input.TagKeys);
  state.update(queue, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** The tags of a queue. */
export function ListQueueTags(input: InputOf<'ListQueueTags'>, ctx: SqsContext): OutputOf<'ListQueueTags'> {
  const { queue } = queueAt(input.QueueUrl, ctx);
  return Object.keys(queue.record.tags).length ? { Tags: { ...queue.record.tags } } : {};
}
