import { tagOperations, tagPage } from '@emu/core/service';
import type { FirehoseOperations } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import { streamOf } from '../lookup.ts';
import { streamType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of delivery streams. @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_TagDeliveryStream.html */
export const tags = tagOperations<FirehoseOperations, FirehoseContext>()({
  tagging,
  tag: ['TagDeliveryStream', 'Tags'],
  untag: ['UntagDeliveryStream', 'TagKeys'],
  list: ['ListTagsForDeliveryStream', (tags, input) => tagPage(tagging.record(tags) ?? {}, input)],
  resource: ({ DeliveryStreamName }, ctx) => streamType.tagged(ctx.state, streamOf(DeliveryStreamName, ctx))!,
});
