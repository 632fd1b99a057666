import type {
  AddTagsToStreamInput,
  ListTagsForResourceInput,
  ListTagsForResourceOutput,
  ListTagsForStreamInput,
  ListTagsForStreamOutput,
  RemoveTagsFromStreamInput,
  TagResourceInput,
  UntagResourceInput,
} from '@emu/service-types/kinesis';
import { type KinesisContext, streamOf } from '../lookup.ts';
import { resourceAt } from '../operations/resource.ts';
import { tagging } from '../tags.ts';

const DEFAULT_TAGS = 50;

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_AddTagsToStream.html */
export function AddTagsToStream(input: AddTagsToStreamInput, ctx: KinesisContext): Record<string, never> {
  const { state, stream } = streamOf(input, ctx);
  const tags = tagging.merge(stream.tags, input.Tags);
  state.updateStream(stream.name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_RemoveTagsFromStream.html */
export function RemoveTagsFromStream(input: RemoveTagsFromStreamInput, ctx: KinesisContext): Record<string, never> {
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
export function ListTagsForStream(input: ListTagsForStreamInput, ctx: KinesisContext): ListTagsForStreamOutput {
  const { stream } = streamOf(input, ctx);
  const { ExclusiveStartTagKey: after, Limit = DEFAULT_TAGS } = input;
  const tags = sorted(stream.tags).filter(({ Key }) => after === undefined || Key > after);
  return { Tags: tags.slice(0, Limit), HasMoreTags: tags.length > Limit };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListTagsForResource.html */
export const ListTagsForResource = (
  input: ListTagsForResourceInput,
  ctx: KinesisContext,
): ListTagsForResourceOutput => ({
  Tags: sorted(resourceAt(input.ResourceARN, ctx).record.tags),
});

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_TagResource.html */
export function TagResource(input: TagResourceInput, ctx: KinesisContext): Record<string, never> {
  const resource = resourceAt(input.ResourceARN, ctx);
  const tags = tagging.merge(resource.record.tags, input.Tags);
  resource.update((draft) => {
    draft.tags = tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UntagResource.html */
export function UntagResource(input: UntagResourceInput, ctx: KinesisContext): Record<string, never> {
  resourceAt(input.ResourceARN, ctx).update((draft) => {
    draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  return {};
}
