import { defineResource, tagCallsBy, taggedResource } from '@emu/core/service';
import type { StreamRegistry } from './registry.ts';
import { tagging } from './tags.ts';

/**
 * Delivery streams, named in the request's account and region.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisfirehose.html
 */
export const streamType = defineResource({
  name: 'deliverystream',
  service: 'firehose',
  scope: 'region',
  format: 'deliverystream/{name}',
  cloudFormation: 'AWS::KinesisFirehose::DeliveryStream',
  identify: ({ DeliveryStreamName: name }, place) => (typeof name === 'string' ? { key: { name }, place } : undefined),
  find: (state: StreamRegistry, { name }) => (state.stream(name) ? { name } : undefined),
  list: (state) => state.listStreams().map(({ name }) => ({ name })),
  tagged: {
    tagging,
    find: (state, { name }) =>
      taggedResource(
        () => state.stream(name),
        (change) => state.updateStream(name, change),
      ),
  },
  tagCalls: tagCallsBy('TagDeliveryStream', 'UntagDeliveryStream', ({ name }: { name: string }) => ({
    DeliveryStreamName: name,
  })),
});

/** All types. */
export const resources = [streamType] as const;
