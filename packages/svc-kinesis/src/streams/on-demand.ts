import type { DeepReadonly } from '@emu/core/service';
import type { StreamRecord } from '../records.ts';

/** Shards that on-demand streams begin with, and have at least. */
export const LEAST_SHARDS = 4;
/** Most shards: 200 MB per second are an account's quota at first. */
const MOST_SHARDS = 200;
/** For how long a peak counts, in milliseconds. */
const REMEMBERED = 30 * 24 * 60 * 60 * 1000;
/** What a shard takes in a second. */
const SHARD_BYTES = 1024 * 1024;
const SHARD_RECORDS = 1000;
const MINUTE = 60;

/** What was written to a stream in a minute. */
interface Written {
  minute: number;
  bytes: number;
  records: number;
}

/**
 * How many shards on-demand streams need: enough for twice what was written in the busiest minute of thirty days.
 * @see https://docs.aws.amazon.com/streams/latest/dev/how-do-i-size-a-stream.html#ondemandmode
 */
export class OnDemandScaling {
  /** By the numbers of the streams. */
  private readonly written = new Map<number, Written>();

  /**
   * Counts what was written.
   * @param now epoch milliseconds
   * @returns shards that the stream needs for it
   */
  count(stream: number, bytes: number, records: number, now: number): number {
    const minute = Math.floor(now / 1000 / MINUTE);
    const before = this.written.get(stream);
    const sum = before?.minute === minute ? before : { minute, bytes: 0, records: 0 };
    sum.bytes += bytes;
    sum.records += records;
    this.written.set(stream, sum);
    const shards = Math.max(sum.bytes / SHARD_BYTES, sum.records / SHARD_RECORDS) / MINUTE;
    return Math.min(MOST_SHARDS, Math.ceil(shards * 2));
  }

  forget(stream: number): void {
    this.written.delete(stream);
  }
}

/** How many shards an on-demand stream has when its peak is forgotten; undefined where it is not. */
export function shrunk(
  { mode, peakAt, warmThroughputMiBps }: DeepReadonly<StreamRecord>,
  now: number,
): number | undefined {
  if (mode !== 'ON_DEMAND' || peakAt === undefined || peakAt > now - REMEMBERED) return undefined;
  return Math.max(LEAST_SHARDS, warmThroughputMiBps ?? 0);
}
