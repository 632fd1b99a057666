import type { DeepReadonly } from '@emu/core/service';
import type { ChildShard, Shard } from '@emu/service-types/kinesis';
import type { ShardRecord, StreamRecord } from '../records.ts';
import { type HashKey, hashKeyText } from './hash-keys.ts';
import { LAST_INDEX, sequenceNumber } from './sequence.ts';

type Stream = DeepReadonly<StreamRecord>;

/** Returns the shard id of a number. */
export const shardId = (index: number): string => `shardId-${String(index).padStart(12, '0')}`;

/** Parses the number of a shard id, which may omit zeros and the prefix; undefined if it is invalid. */
export function shardIndex(id: string): number | undefined {
  const digits = /^(?:shardId-)?(\d+)$/.exec(id)?.[1];
  const index = digits === undefined ? Number.NaN : Number(digits);
  return index <= 0x7fffffff ? index : undefined;
}

/** Returns a shard as in responses. */
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

/** Returns the open shards in order of hash key. */
export const openShards = (stream: Stream): DeepReadonly<ShardRecord>[] =>
  stream.shards.filter(({ closedAt }) => closedAt === undefined).sort((a, b) => (a.start < b.start ? -1 : 1));

/** Returns the number of open shards of a stream. */
export const openShardCount = (stream: Stream): number => sortedOpenShards(stream).length;

/** Cached open shards by stream record; a changed stream is a new record. */
const opened = new WeakMap<Stream, DeepReadonly<ShardRecord>[]>();

function sortedOpenShards(stream: Stream): DeepReadonly<ShardRecord>[] {
  let shards = opened.get(stream);
  if (!shards) {
    shards = openShards(stream);
    opened.set(stream, shards);
  }
  return shards;
}

/** Returns the open shard if there is only one; otherwise undefined. */
export function onlyShard(stream: Stream): DeepReadonly<ShardRecord> | undefined {
  const shards = sortedOpenShards(stream);
  return shards.length === 1 ? shards[0] : undefined;
}

/** Returns the open shard of a hash key. */
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

/** Returns the child shards of a shard. */
const childrenOf = (stream: Stream, index: number): DeepReadonly<ShardRecord>[] =>
  stream.shards.filter(({ parent, adjacentParent }) => parent === index || adjacentParent === index);

/** Returns the child shards of a closed shard, as its end returns them. */
export const describeChildren = (stream: Stream, index: number): ChildShard[] =>
  childrenOf(stream, index).map(({ index: child, parent, adjacentParent, start, end }) => ({
    ShardId: shardId(child),
    ParentShards: [parent, adjacentParent].filter((one) => one !== undefined).map(shardId),
    HashKeyRange: { StartingHashKey: hashKeyText(start), EndingHashKey: hashKeyText(end) },
  }));
