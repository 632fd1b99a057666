import { sortedTags, taggedResource, tagOperations, tagPage } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { streamOf } from '../lookup.ts';
import { tagging } from '../tags.ts';
import { resourceAt } from './resource.ts';

/** Tags of streams and consumers. @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_TagResource.html */
const resourceTags = tagOperations<KinesisOperations, KinesisContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', (tags) => ({ Tags: sortedTags(tags) })],
  resource({ ResourceARN }, ctx) {
    const { record, update } = resourceAt(ResourceARN, ctx);
    return taggedResource(() => record, update)!;
  },
});

/**
 * Tags of streams only. @see
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_AddTagsToStream.html
 */
const streamTags = tagOperations<KinesisOperations, KinesisContext>()({
  tagging,
  tag: ['AddTagsToStream', 'Tags'],
  untag: ['RemoveTagsFromStream', 'TagKeys'],
  list: ['ListTagsForStream', (tags, input) => tagPage(tags, input)],
  resource(input, ctx) {
    const { state, stream } = streamOf(input, ctx);
    return taggedResource(
      () => stream,
      (change) => state.updateStream(stream.name, change),
    )!;
  },
});

/** Both kinds of operations. */
export const tags = { ...resourceTags, ...streamTags };
