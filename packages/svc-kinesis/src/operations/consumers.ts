import type {
  Consumer as DescribedConsumer,
  DescribeStreamConsumerInput,
  InputOf,
  OutputOf,
} from '@emu/service-types/kinesis';
import { eventsOf } from '../consumers/events.ts';
import type { KinesisContext } from '../context.ts';
import { inUse, invalidArgument, limitExceeded, notFound } from '../errors.ts';
import { type Consumer, consumerAt, type StreamTarget, shardOf, streamOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { positionOf } from '../records/position.ts';
import { consumerKey, consumerType } from '../resources.ts';
import { useForReading } from '../streams/encryption.ts';
import { tagging } from '../tags.ts';

/** Maximum consumers per stream: "Quotas and limits" of the developer guide. */
const MAX_CONSUMERS = 20;

const arnOf = (consumer: Consumer, { state }: StreamTarget): string => consumerType.arn(consumerKey(consumer), state);

const describe = (consumer: Consumer, target: StreamTarget): DescribedConsumer => ({
  ConsumerName: consumer.name,
  ConsumerARN: arnOf(consumer, target),
  ConsumerStatus: consumer.active ? 'ACTIVE' : 'CREATING',
  ConsumerCreationTimestamp: new Date(consumer.createdAt),
});

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_RegisterStreamConsumer.html */
export function RegisterStreamConsumer(
  input: InputOf<'RegisterStreamConsumer'>,
  ctx: KinesisContext,
): OutputOf<'RegisterStreamConsumer'> {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  const { ConsumerName: name } = input;
  const { consumers } = state;
  if (consumers.get(stream.name, name))
    throw inUse(`Consumer ${name} of stream ${stream.name} under account ${state.accountId} already exists.`);
  if (consumers.of(stream.name).length >= MAX_CONSUMERS)
    throw limitExceeded(
      `Stream ${stream.name} under account ${state.accountId} cannot have more than ${MAX_CONSUMERS} registered consumers.`,
    );
  const tags = tagging.merge(undefined, input.Tags);
  const createdAt = Math.floor(ctx.clock.now());
  const consumer = consumers.put({ stream: stream.name, name, createdAt, active: false, tags });
  state.transitions.activate(stream.name, name);
  return { Consumer: describe(consumer, target) };
}

/** Returns a consumer by ARN, or by name and stream ARN. */
function consumerOf(input: DescribeStreamConsumerInput, ctx: KinesisContext): StreamTarget & { consumer: Consumer } {
  if (input.ConsumerARN !== undefined) return consumerAt(input.ConsumerARN, ctx);
  const { StreamARN, ConsumerName } = input;
  if (StreamARN === undefined || ConsumerName === undefined)
    throw invalidArgument('Either ConsumerARN or both StreamARN and ConsumerName must be specified.');
  const target = streamOf({ StreamARN }, ctx);
  const consumer = target.state.consumers.get(target.stream.name, ConsumerName);
  if (!consumer)
    throw notFound(
      `Consumer ${ConsumerName} of stream ${target.stream.name} under account ${target.state.accountId} not found.`,
    );
  return { ...target, consumer };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeStreamConsumer.html */
export function DescribeStreamConsumer(
  input: InputOf<'DescribeStreamConsumer'>,
  ctx: KinesisContext,
): OutputOf<'DescribeStreamConsumer'> {
  const found = consumerOf(input, ctx);
  return {
    ConsumerDescription: { ...describe(found.consumer, found), StreamARN: found.state.arnOf(found.stream.name) },
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DeregisterStreamConsumer.html */
export function DeregisterStreamConsumer(
  input: InputOf<'DeregisterStreamConsumer'>,
  ctx: KinesisContext,
): OutputOf<'DeregisterStreamConsumer'> {
  const { state, stream, consumer } = consumerOf(input, ctx);
  state.consumers.delete(stream.name, consumer.name);
  state.subscriptions.wake(stream.number);
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListStreamConsumers.html */
export function ListStreamConsumers(
  input: InputOf<'ListStreamConsumers'>,
  ctx: KinesisContext,
): OutputOf<'ListStreamConsumers'> {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  const created = input.StreamCreationTimestamp?.getTime();
  if (created !== undefined && Math.floor(created / 1000) !== Math.floor(stream.createdAt / 1000))
    throw notFound(`Stream ${stream.name} under account ${state.accountId} not found.`);
  return paging
    .page('ListStreamConsumers', input, state.consumers.of(stream.name), ({ name }) => name)
    .list((consumer) => describe(consumer, target));
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_SubscribeToShard.html */
export async function SubscribeToShard(
  input: InputOf<'SubscribeToShard'>,
  ctx: KinesisContext,
): Promise<OutputOf<'SubscribeToShard'>> {
  const found = consumerAt(input.ConsumerARN, ctx);
  if (!found.consumer.active) throw inUse(`Consumer ${input.ConsumerARN} not ACTIVE, instead in state CREATING`);
  const shard = shardOf(found, input.ShardId);
  const { Type: type, SequenceNumber: sequence, Timestamp: timestamp } = input.StartingPosition;
  const index = await positionOf(found, shard, 'SubscribeToShard', { type, sequence, timestamp });
  await useForReading(found, ctx);
  const subscription = found.state.subscriptions.begin(input.ConsumerARN, input.ShardId);
  return { EventStream: eventsOf(found, shard.index, index, subscription, ctx.signal) };
}
