import type { DeepReadonly } from '@emu/core/service';
import type { ShardFilter } from '@emu/service-types/kinesis';
import { invalidArgument } from '../errors.ts';
import type { ShardRecord, StreamRecord } from '../records.ts';
import { horizonOf } from '../state.ts';
import { shardIndex } from './shards.ts';

type Shard = DeepReadonly<ShardRecord>;

/** Whether a shard was open at a time. */
const openAt = ({ createdAt, closedAt }: Shard, time: number): boolean =>
  createdAt <= time && (closedAt === undefined || closedAt > time);

/** Whether a shard was open at or after a time. */
const openSince = ({ closedAt }: Shard, time: number): boolean => closedAt === undefined || closedAt > time;

/**
 * Returns the shards of a stream that match a filter, in order of number.
 * @throws AwsError `InvalidArgumentException` if the filter lacks members that its type requires
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ShardFilter.html
 */
export function filterShards(
  stream: DeepReadonly<StreamRecord>,
  filter: ShardFilter | undefined,
  now: number,
): readonly Shard[] {
  const { shards } = stream;
  if (!filter) return shards;
  // The trim horizon of a new stream is its creation.
  const horizon = Math.max(horizonOf(stream, now), stream.createdAt);
  switch (filter.Type) {
    case 'AFTER_SHARD_ID': {
      const after = filter.ShardId === undefined ? undefined : shardIndex(filter.ShardId);
      if (after === undefined) throw invalidArgument('ShardId must be specified for a filter of type AFTER_SHARD_ID.');
      return shards.filter(({ index }) => index > after);
    }
    case 'AT_LATEST':
      return shards.filter(({ closedAt }) => closedAt === undefined);
    case 'AT_TRIM_HORIZON':
      return shards.filter((shard) => openAt(shard, horizon));
    case 'FROM_TRIM_HORIZON':
      return shards.filter((shard) => openSince(shard, horizon));
    default: {
      const time = filterTime(filter);
      return shards.filter((shard) =>
        filter.Type === 'AT_TIMESTAMP' ? openAt(shard, Math.max(time, horizon)) : openSince(shard, time),
      );
    }
  }
}

/** Returns the time of a filter, which is text in tokens. */
function filterTime({ Type, Timestamp }: ShardFilter): number {
  if (Timestamp === undefined) throw invalidArgument(`Timestamp must be specified for a filter of type ${Type}.`);
  return new Date(Timestamp).getTime();
}
