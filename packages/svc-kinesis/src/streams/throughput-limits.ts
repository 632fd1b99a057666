import { TokenBuckets } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { kinesisError } from '../errors.ts';
import { shardId } from './shards.ts';

/**
 * Throughput limits of a shard per second.
 * @see https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html
 */
const RECORDS_WRITTEN = 1000;
const BYTES_WRITTEN = 1024 * 1024;
const READS = 5;
const BYTES_READ = 2 * 1024 * 1024;

/** Returns the error of a shard that exceeded its limit in this second. */
export const rateExceeded = (shard: number, stream: string, accountId: string): AwsError =>
  kinesisError(
    'ProvisionedThroughputExceededException',
    `Rate exceeded for shard ${shardId(shard)} in stream ${stream} under account ${accountId}.`,
  );

/** Throughput of shards, counted while quotas are enforced. */
export class ThroughputLimits {
  private readonly records = new TokenBuckets();
  private readonly written = new TokenBuckets();
  private readonly reads = new TokenBuckets();
  /** Earliest next read of a shard after a large read, in epoch milliseconds. */
  private readonly readable = new Map<string, number>();

  /**
   * Counts a written record.
   * @returns false if the shard's limit in this second is reached
   */
  take(stream: number, shard: number, bytes: number, now: number): boolean {
    const key = `${stream}/${shard}`;
    return (
      this.written.take(key, bytes, BYTES_WRITTEN, BYTES_WRITTEN, now) &&
      this.records.take(key, 1, RECORDS_WRITTEN, RECORDS_WRITTEN, now)
    );
  }

  /**
   * Counts a read call.
   * @returns false after too many calls in this second, or too much data
   */
  ask(stream: number, shard: number, now: number): boolean {
    const key = `${stream}/${shard}`;
    return now >= (this.readable.get(key) ?? 0) && this.reads.take(key, 1, READS, READS, now);
  }

  /** Counts the data of a read call: after 10 MiB at once, calls are rejected for five seconds. */
  gave(stream: number, shard: number, bytes: number, now: number): void {
    if (bytes > BYTES_READ) this.readable.set(`${stream}/${shard}`, now + (bytes / BYTES_READ) * 1000);
  }
}
