import type { InputOf, OutputOf } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import { streamOf } from '../lookup.ts';
import { tagging } from '../tags.ts';

const DEFAULT_TAGS = 50;

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_TagDeliveryStream.html */
export function TagDeliveryStream(
  input: InputOf<'TagDeliveryStream'>,
  ctx: FirehoseContext,
): OutputOf<'TagDeliveryStream'> {
  const { name, tags } = streamOf(input.DeliveryStreamName, ctx);
  const added = Object.fromEntries(input.Tags.map(({ Key, Value = '' }) => [Key, Value]));
  const after = tagging.merge(tags, added);
  ctx.state.updateStream(name, (draft) => {
    draft.tags = after;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_UntagDeliveryStream.html */
export function UntagDeliveryStream(
  input: InputOf<'UntagDeliveryStream'>,
  ctx: FirehoseContext,
): OutputOf<'UntagDeliveryStream'> {
  const { name } = streamOf(input.DeliveryStreamName, ctx);
  ctx.state.updateStream(name, (draft) => {
    draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  return {};
}

/** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_ListTagsForDeliveryStream.html */
export function ListTagsForDeliveryStream(
  input: InputOf<'ListTagsForDeliveryStream'>,
  ctx: FirehoseContext,
): OutputOf<'ListTagsForDeliveryStream'> {
  const { ExclusiveStartTagKey: after, Limit = DEFAULT_TAGS } = input;
  const tags = Object.entries(streamOf(input.DeliveryStreamName, ctx).tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }))
    .filter(({ Key }) => after === undefined || Key > after);
  return { Tags: tags.slice(0, Limit), HasMoreTags: tags.length > Limit };
}
