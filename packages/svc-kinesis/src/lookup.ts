import { type DeepReadonly, type Place, stateInRegion } from '@emu/core/service';
import type { KinesisContext } from './context.ts';
import { inUse, invalidArgument, notFound } from './errors.ts';
import type { ConsumerRecord, ShardRecord, StreamRecord } from './records.ts';
import { consumerType, streamType } from './resources.ts';
import type { KinesisState } from './state.ts';
import { shardId, shardIndex } from './streams/shards.ts';

export type Stream = DeepReadonly<StreamRecord>;
export type Consumer = DeepReadonly<ConsumerRecord>;
export type OpenShard = DeepReadonly<ShardRecord>;

/** A stream and its state. */
export interface StreamTarget {
  readonly state: KinesisState;
  readonly stream: Stream;
}

/** Members that name a stream. */
export interface StreamInput {
  StreamName?: string | undefined;
  StreamARN?: string | undefined;
}

/** Creates the error for a missing stream. */
export const streamNotFound = (name: string, accountId: string) =>
  notFound(`Stream ${name} under account ${accountId} not found.`);

/**
 * Returns account and name of a request's stream.
 * @throws AwsError `InvalidArgumentException` without a name
 */
function addressOf({ StreamName, StreamARN }: StreamInput, ctx: KinesisContext): { place: Place; name: string } {
  if (StreamARN === undefined) {
    if (StreamName === undefined) throw invalidArgument('Either StreamName or StreamARN must be specified.');
    return { place: ctx, name: StreamName };
  }
  const address = streamType.parse(StreamARN);
  if (!address) throw invalidArgument(`StreamARN ${StreamARN} is invalid.`);
  const { name } = address.key;
  if (StreamName !== undefined && StreamName !== name)
    throw invalidArgument(`StreamName ${StreamName} and StreamARN ${StreamARN} are not of the same stream.`);
  if (address.place.region !== ctx.region) throw streamNotFound(name, address.place.accountId);
  return { place: address.place, name };
}

/**
 * Returns the stream of a request.
 * @throws AwsError `ResourceNotFoundException`; `InvalidArgumentException` without a name
 */
export function streamOf(input: StreamInput, ctx: KinesisContext): StreamTarget {
  const { place, name } = addressOf(input, ctx);
  const state = stateInRegion(place, ctx);
  const stream = state?.stream(name);
  if (!state || !stream) throw streamNotFound(name, place.accountId);
  return { state, stream };
}

/**
 * Returns the stream of a request for a change.
 * @throws AwsError `ResourceInUseException` while it is created, changed or deleted
 */
export function activeStreamOf(input: StreamInput, ctx: KinesisContext): StreamTarget {
  const target = streamOf(input, ctx);
  checkActive(target);
  return target;
}

/** @throws AwsError `ResourceInUseException` while a stream is created, changed or deleted */
export function checkActive({ state, stream: { name, status } }: StreamTarget): void {
  if (status !== 'ACTIVE')
    throw inUse(`Stream ${name} under account ${state.accountId} not ACTIVE, instead in state ${status}`);
}

/**
 * Returns the stream of a request that reads or writes records, which is possible during changes.
 * @throws AwsError `ResourceNotFoundException`, also while the stream is created
 */
export function usableStreamOf(input: StreamInput, ctx: KinesisContext): StreamTarget {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  if (stream.status === 'CREATING' || stream.status === 'DELETING') throw streamNotFound(stream.name, state.accountId);
  return target;
}

/**
 * Returns the shard with an id.
 * @throws AwsError `ResourceNotFoundException`
 */
export function shardOf(target: StreamTarget, id: string): OpenShard {
  const index = shardIndex(id);
  if (index === undefined) throw notFound(`Could not find shard ${id} ${placeOf(target)}.`);
  return shardOfIndex(target, index);
}

/**
 * Returns the shard with a number.
 * @throws AwsError `ResourceNotFoundException`
 */
export function shardOfIndex(target: StreamTarget, index: number): OpenShard {
  const shard = target.stream.shards.find((one) => one.index === index);
  if (!shard) throw notFound(`Shard ${shardId(index)} ${placeOf(target)} does not exist`);
  return shard;
}

const placeOf = ({ state, stream }: StreamTarget): string =>
  `in stream ${stream.name} under account ${state.accountId}`;

/**
 * Returns the consumer with an ARN and its stream.
 * @throws AwsError `ResourceNotFoundException`
 */
export function consumerAt(arn: string, ctx: KinesisContext): StreamTarget & { consumer: Consumer } {
  const address = consumerType.parse(arn);
  const state = address && stateInRegion(address.place, ctx);
  const key = state && consumerType.find(state, address.key);
  const consumer = key && state.consumers.get(key.stream, key.name);
  const stream = consumer && state.stream(consumer.stream);
  if (!state || !stream) throw notFound(`Consumer ${arn} not found.`);
  return { state, stream, consumer };
}
