import type { DeepReadonly, Place } from '@emu/core/service';
import type { KinesisContext } from './context.ts';
import { inUse, invalidArgument, notFound } from './errors.ts';
import type { ConsumerRecord, ShardRecord, StreamRecord } from './records.ts';
import { consumerType, streamType } from './resources.ts';
import type { KinesisState } from './state.ts';
import { shardId, shardIndex } from './streams/shards.ts';

export type Stream = DeepReadonly<StreamRecord>;
export type Consumer = DeepReadonly<ConsumerRecord>;
export type OpenShard = DeepReadonly<ShardRecord>;

/** A stream and the state it is in. */
export interface StreamTarget {
  readonly state: KinesisState;
  readonly stream: Stream;
}

/** How a request names a stream. */
export interface StreamInput {
  StreamName?: string | undefined;
  StreamARN?: string | undefined;
}

/** The state of an account and region; undefined where it holds nothing, so that asking makes none. */
export const stateAt = ({ accountId, region }: Place, ctx: KinesisContext): KinesisState | undefined =>
  accountId === ctx.accountId && region === ctx.region ? ctx.state : ctx.handle.existingState(accountId, region);

/** The error of a stream that is not there. */
export const streamNotFound = (name: string, accountId: string) =>
  notFound(`Stream ${name} under account ${accountId} not found.`);

/** Account and name of the stream that a request names. @throws AwsError `InvalidArgumentException` where it names none */
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
 * The stream that a request names.
 * @throws AwsError `ResourceNotFoundException`; `InvalidArgumentException` where it names none
 */
export function streamOf(input: StreamInput, ctx: KinesisContext): StreamTarget {
  const { place, name } = addressOf(input, ctx);
  const state = stateAt(place, ctx);
  const stream = state?.stream(name);
  if (!state || !stream) throw streamNotFound(name, place.accountId);
  return { state, stream };
}

/**
 * The stream that a request names, which is to be changed.
 * @throws AwsError `ResourceInUseException` where it is being made, changed or deleted
 */
export function activeStreamOf(input: StreamInput, ctx: KinesisContext): StreamTarget {
  const target = streamOf(input, ctx);
  checkActive(target);
  return target;
}

/** @throws AwsError `ResourceInUseException` where a stream is being made, changed or deleted */
export function checkActive({ state, stream: { name, status } }: StreamTarget): void {
  if (status !== 'ACTIVE')
    throw inUse(`Stream ${name} under account ${state.accountId} not ACTIVE, instead in state ${status}`);
}

/**
 * The stream that a request names, whose records are read or written: it takes part while it is changed.
 * @throws AwsError `ResourceNotFoundException`, also while the stream is being made
 */
export function usableStreamOf(input: StreamInput, ctx: KinesisContext): StreamTarget {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  if (stream.status === 'CREATING' || stream.status === 'DELETING') throw streamNotFound(stream.name, state.accountId);
  return target;
}

/**
 * The shard of an id.
 * @throws AwsError `ResourceNotFoundException`
 */
export function shardOf(target: StreamTarget, id: string): OpenShard {
  const index = shardIndex(id);
  if (index === undefined) throw notFound(`Could not find shard ${id} ${placeOf(target)}.`);
  return shardOfIndex(target, index);
}

/** The shard of a number. @throws AwsError `ResourceNotFoundException` */
export function shardOfIndex(target: StreamTarget, index: number): OpenShard {
  const shard = target.stream.shards.find((one) => one.index === index);
  if (!shard) throw notFound(`Shard ${shardId(index)} ${placeOf(target)} does not exist`);
  return shard;
}

const placeOf = ({ state, stream }: StreamTarget): string =>
  `in stream ${stream.name} under account ${state.accountId}`;

/**
 * The consumer that an ARN names, with its stream.
 * @throws AwsError `ResourceNotFoundException`
 */
export function consumerAt(arn: string, ctx: KinesisContext): StreamTarget & { consumer: Consumer } {
  const address = consumerType.parse(arn);
  const state = address && stateAt(address.place, ctx);
  const key = state && consumerType.find(state, address.key);
  const consumer = key && state.consumers.get(key.stream, key.name);
  const stream = consumer && state.stream(consumer.stream);
  if (!state || !stream) throw notFound(`Consumer ${arn} not found.`);
  return { state, stream, consumer };
}
