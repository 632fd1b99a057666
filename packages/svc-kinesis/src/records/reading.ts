import type { Record as KinesisRecord } from '@emu/service-types/kinesis';
import type { OpenShard, StreamTarget } from '../lookup.ts';
import { horizonOf } from '../state.ts';
import { sequenceNumber } from '../streams/sequence.ts';

/** Maximum records per page. */
const MAX_RECORDS = 10_000;
/** Maximum bytes per page. */
const MAX_BYTES = 10 * 1024 * 1024;

/** A page of a shard as in responses. */
export interface ShardPage {
  readonly records: KinesisRecord[];
  /** Index of the next page. */
  readonly next: number;
  /** Whether nothing can follow: the shard is closed and completely read. */
  readonly ended: boolean;
  /** Milliseconds by which the page is behind the newest record. */
  readonly behind: number;
}

/** Reads a page of a shard from an index. */
export async function pageOf(
  { state, stream }: StreamTarget,
  shard: OpenShard,
  from: number,
  limit = MAX_RECORDS,
): Promise<ShardPage> {
  const now = state.clock.now();
  const limits = { records: limit, bytes: MAX_BYTES };
  const read = state.log.read(stream.number, shard.index, from, horizonOf(stream, now), limits);
  const { records, next, last } = read instanceof Promise ? await read : read;
  const newest = records.at(-1);
  return {
    records: records.map(({ index, at, partitionKey, data }) => ({
      SequenceNumber: sequenceNumber(shard, index, at),
      ApproximateArrivalTimestamp: new Date(at),
      Data: data,
      PartitionKey: partitionKey,
      ...(stream.encryption && { EncryptionType: 'KMS' as const }),
    })),
    next,
    ended: last && shard.closedAt !== undefined,
    behind: last || !newest ? 0 : Math.max(0, Math.floor(now - newest.at)),
  };
}
