import { defineResource, type Place, type ResourceAddress, taggedResource } from '@emu/core/service';
import { readIterator } from './records/iterator.ts';
import type { StreamRegistry } from './registry.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Streams, identified by ARN, or by name in the request's account and region.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisdatastreams.html
 */
export const streamType = defineResource({
  name: 'stream',
  service: 'kinesis',
  scope: 'region',
  format: 'stream/{name}',
  cloudFormation: 'AWS::Kinesis::Stream',
  identify: (input, place) => identifyStream(input, place),
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
  policy: (state, { name }) => state.stream(name)?.policy,
});

function identifyStream(input: Input, place: Place): ResourceAddress<{ name: string }> | undefined {
  for (const member of ['StreamARN', 'ResourceARN']) {
    const arn = input[member];
    const address = typeof arn === 'string' ? streamType.parse(arn) : undefined;
    if (address) return address;
  }
  if (typeof input.StreamName === 'string') return { key: { name: input.StreamName }, place };
  return typeof input.ShardIterator === 'string'
    ? { key: { name: readIterator(input.ShardIterator).streamName }, place }
    : undefined;
}

/** Registered consumers, identified by ARN, which ends with the second of their registration, or by stream and name. */
export const consumerType = defineResource({
  name: 'consumer',
  service: 'kinesis',
  scope: 'region',
  format: 'stream/{stream}/consumer/{name}:{createdAt}',
  cloudFormation: 'AWS::Kinesis::StreamConsumer',
  arnMembers: ['ConsumerARN', 'ResourceARN'],
  find(state: StreamRegistry, { stream, name, createdAt }) {
    const consumer = state.consumers.get(stream, name);
    return consumer && String(Math.floor(consumer.createdAt / 1000)) === createdAt
      ? { stream, name, createdAt }
      : undefined;
  },
  list: (state) => state.consumers.list().map((consumer) => consumerKey(consumer)),
  tagged: {
    tagging,
    find: ({ consumers }, { stream, name }) =>
      taggedResource(
        () => consumers.get(stream, name),
        (change) => consumers.update(stream, name, change),
      ),
  },
  policy: (state, { stream, name }) => state.consumers.get(stream, name)?.policy,
});

/** Returns the parts of a consumer's ARN. */
export const consumerKey = ({ stream, name, createdAt }: { stream: string; name: string; createdAt: number }) => ({
  stream,
  name,
  createdAt: String(Math.floor(createdAt / 1000)),
});

/** All types, most specific first. */
export const resources = [consumerType, streamType] as const;
