import type { DeepReadonly } from '@emu/core/service';
import type { ChildShard, Shard } from '@emu/service-types/kinesis';
import type { ShardRecord, StreamRecord } from '../records.ts';
import { type HashKey, hashKeyText } from './hash-keys.ts';
import { LAST_INDEX, sequenceNumber } from './sequence.ts';

type Stream = DeepReadonly<StreamRecord>;

/** Id of the shard of a number. */
export const shardId = (index: number): string => `shardId-${String(index).padStart(12, '0')}`;

/** The number in a shard's id, which may leave out zeros and the beginning; undefined for what is no id. */
export function shardIndex(id: string): number | undefined {
  const digits = /^(?:shardId-)?(\d+)$/.exec(id)?.[1];
  const index = digits === undefined ? Number.NaN : Number(digits);
  return index <= 0x7fffffff ? index : undefined;
}

/** A shard as answers show it. */
export function describeShard(shard: DeepReadonly<ShardRecord>): Shard {
  const { index, parent, adjacentParent, start, end, createdAt, closedAt } = shard;
  return {
    ShardId: shardId(index),
    ...(parent !== undefined && { ParentShardId: shardId(parent) }),
    ...(adjacentParent !== undefined && { AdjacentParentShardId: shardId(adjacentParent) }),
    HashKeyRange: { StartingHashKey: hashKeyText(start), EndingHashKey: hashKeyText(end) },
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceNumber(shard, 0, createdAt),
      ...(closedAt !== undefined && { EndingSequenceNumber: sequenceNumber(shard, LAST_INDEX, closedAt) }),
    },
  };
}

/** Shards that take records, in order of their hash keys. */
export const openShards = (stream: Stream): DeepReadonly<ShardRecord>[] =>
  stream.shards.filter(({ closedAt }) => closedAt === undefined).sort((a, b) => (a.start < b.start ? -1 : 1));

/** How many shards of a stream take records. */
export const openShardCount = (stream: Stream): number => sortedOpenShards(stream).length;

/** Open shards by stream; a changed stream is another object. */
const opened = new WeakMap<Stream, DeepReadonly<ShardRecord>[]>();

function sortedOpenShards(stream: Stream): DeepReadonly<ShardRecord>[] {
  let shards = opened.get(stream);
  if (!shards) {
    shards = openShards(stream);
    opened.set(stream, shards);
  }
  return shards;
}

/** The open shard that takes every record; undefined where there are several. */
export function onlyShard(stream: Stream): DeepReadonly<ShardRecord> | undefined {
  const shards = sortedOpenShards(stream);
  return shards.length === 1 ? shards[0] : undefined;
}

/** The open shard that a hash key belongs to. */
export function shardFor(stream: Stream, key: HashKey): DeepReadonly<ShardRecord> {
  const shards = sortedOpenShards(stream);
  let low = 0;
  let high = shards.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (shards[middle]!.start <= key) low = middle;
    else high = middle - 1;
  }
  return shards[low]!;
}

/** Shards that came from another one. */
const childrenOf = (stream: Stream, index: number): DeepReadonly<ShardRecord>[] =>
  stream.shards.filter(({ parent, adjacentParent }) => parent === index || adjacentParent === index);

/** The shards that came from a closed one, as its end shows them. */
export const describeChildren = (stream: Stream, index: number): ChildShard[] =>
  childrenOf(stream, index).map(({ index: child, parent, adjacentParent, start, end }) => ({
    ShardId: shardId(child),
    ParentShards: [parent, adjacentParent].filter((one) => one !== undefined).map(shardId),
    HashKeyRange: { StartingHashKey: hashKeyText(start), EndingHashKey: hashKeyText(end) },
  }));
