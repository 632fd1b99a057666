import type { DeepReadonly } from '@emu/core/service';
import type { StreamRecord } from '../records.ts';

/** Initial and minimum shards of on-demand streams. */
export const MIN_SHARDS = 4;
/** Maximum shards: accounts initially have a quota of 200 MB per second. */
const MAX_SHARDS = 200;
/** Milliseconds for which a peak counts. */
const REMEMBERED = 30 * 24 * 60 * 60 * 1000;
/** Write throughput of a shard per second. */
const SHARD_BYTES = 1024 * 1024;
const SHARD_RECORDS = 1000;
const MINUTE = 60;

/** Data written to a stream in a minute. */
interface Written {
  minute: number;
  bytes: number;
  records: number;
}

/**
 * Computes shards of on-demand streams: enough for twice the data of the busiest minute in thirty days.
 * @see https://docs.aws.amazon.com/streams/latest/dev/how-do-i-size-a-stream.html#ondemandmode
 */
export class OnDemandScaling {
  /** By stream number. */
  private readonly written = new Map<number, Written>();

  /**
   * Counts written data.
   * @param now epoch milliseconds
   * @returns required number of shards
   */
  count(stream: number, bytes: number, records: number, now: number): number {
    const minute = Math.floor(now / 1000 / MINUTE);
    const before = this.written.get(stream);
    const sum = before?.minute === minute ? before : { minute, bytes: 0, records: 0 };
    sum.bytes += bytes;
    sum.records += records;
    this.written.set(stream, sum);
    const shards = Math.max(sum.bytes / SHARD_BYTES, sum.records / SHARD_RECORDS) / MINUTE;
    return Math.min(MAX_SHARDS, Math.ceil(shards * 2));
  }

  discard(stream: number): void {
    this.written.delete(stream);
  }
}

/** Returns the number of shards of an on-demand stream after its peak has expired; undefined before. */
export function shrunk(
  { mode, peakAt, warmThroughputMiBps }: DeepReadonly<StreamRecord>,
  now: number,
): number | undefined {
  if (mode !== 'ON_DEMAND' || peakAt === undefined || peakAt > now - REMEMBERED) return undefined;
  return Math.max(MIN_SHARDS, warmThroughputMiBps ?? 0);
}
