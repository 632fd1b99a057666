import type { InputOf, OutputOf } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { streamOf } from '../lookup.ts';
import { resourceAt } from '../operations/resource.ts';
import { tagging } from '../tags.ts';

const DEFAULT_TAGS = 50;

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_AddTagsToStream.html */
export function AddTagsToStream(input: InputOf<'AddTagsToStream'>, ctx: KinesisContext): OutputOf<'AddTagsToStream'> {
  const { state, stream } = streamOf(input, ctx);
  const tags = tagging.merge(stream.tags, input.Tags);
  state.updateStream(stream.name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_RemoveTagsFromStream.html */
export function RemoveTagsFromStream(
  input: InputOf<'RemoveTagsFromStream'>,
  ctx: KinesisContext,
): OutputOf<'RemoveTagsFromStream'> {
  const { state, stream } = streamOf(input, ctx);
  state.updateStream(stream.name, (draft) => {
    draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  return {};
}

const sorted = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListTagsForStream.html */
export function ListTagsForStream(
  input: InputOf<'ListTagsForStream'>,
  ctx: KinesisContext,
): OutputOf<'ListTagsForStream'> {
  const { stream } = streamOf(input, ctx);
  const { ExclusiveStartTagKey: after, Limit = DEFAULT_TAGS } = input;
  const tags = sorted(stream.tags).filter(({ Key }) => after === undefined || Key > after);
  return { Tags: tags.slice(0, Limit), HasMoreTags: tags.length > Limit };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListTagsForResource.html */
export function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: KinesisContext,
): OutputOf<'ListTagsForResource'> {
  return {
    Tags: sorted(resourceAt(input.ResourceARN, ctx).record.tags),
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_TagResource.html */
export function TagResource(input: InputOf<'TagResource'>, ctx: KinesisContext): OutputOf<'TagResource'> {
  const resource = resourceAt(input.ResourceARN, ctx);
  const tags = tagging.merge(resource.record.tags, input.Tags);
  resource.update((draft) => {
    draft.tags = tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UntagResource.html */
export function UntagResource(input: InputOf<'UntagResource'>, ctx: KinesisContext): OutputOf<'UntagResource'> {
  resourceAt(input.ResourceARN, ctx).update((draft) => {
    draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  return {};
}
