import { type BinaryBlob, violationText } from '@emu/wire';
import { invalid, invalidArgument } from '../errors.ts';
import type { OpenShard, Stream, StreamTarget } from '../lookup.ts';
import { hashKeyOfPartition, parseHashKey } from '../streams/hash-keys.ts';
import { readSequence, sequenceNumber } from '../streams/sequence.ts';
import { onlyShard, shardFor } from '../streams/shards.ts';

/** A record in a request. */
interface NewRecord {
  Data: BinaryBlob;
  PartitionKey: string;
  ExplicitHashKey?: string | undefined;
}

/**
 * Checks the size of a record for limits: data and partition key.
 * @param path of the data in the request
 * @throws AwsError `ValidationException` above the stream's limit
 */
export function checkSize({ Data, PartitionKey }: NewRecord, { maxRecordKiB }: Stream, path: string): number {
  const bytes = Data.length + Buffer.byteLength(PartitionKey);
  const most = maxRecordKiB * 1024;
  if (bytes > most) throw invalid(violationText(path, `Member must have length less than or equal to ${most}`));
  return bytes;
}

/**
 * Validates the sequence number that a record must follow; all records follow earlier ones anyway.
 * @throws AwsError `InvalidArgumentException`
 */
export function checkOrdering(text: string | undefined, { state, stream }: StreamTarget, now: number): void {
  if (text === undefined) return;
  const sequence = readSequence(text);
  if (!sequence || sequence.index > Math.max(state.log.upcoming, now * 1000))
    throw invalidArgument(
      `ExclusiveMinimumSequenceNumber ${text} used in PutRecord on stream ${stream.name} under account ${state.accountId} is invalid.`,
    );
}

/** Writes the records of one request to their shards. */
export class RecordWriter {
  private readonly now: number;

  constructor(private readonly target: StreamTarget) {
    this.now = Math.floor(target.state.clock.now());
  }

  /**
   * Returns the shard for a record.
   * @throws AwsError `InvalidArgumentException` for an explicit hash key out of range
   */
  shardFor({ PartitionKey, ExplicitHashKey }: NewRecord): OpenShard {
    const { stream } = this.target;
    if (ExplicitHashKey === undefined) return onlyShard(stream) ?? shardFor(stream, hashKeyOfPartition(PartitionKey));
    const key = parseHashKey(ExplicitHashKey);
    if (key === undefined)
      throw invalidArgument(
        `Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was ${ExplicitHashKey}`,
      );
    return shardFor(stream, key);
  }

  /** @returns the record's sequence number */
  write(shard: OpenShard, { Data, PartitionKey }: NewRecord): string {
    const { state, stream } = this.target;
    const index = state.log.append(stream.number, shard.index, this.now, PartitionKey, Data);
    return sequenceNumber(shard, index, this.now);
  }

  /**
   * Wakes waiting readers, and scales an on-demand stream.
   * @param bytes size of the written records
   */
  done(bytes: number, records: number): void {
    const { state, stream } = this.target;
    state.subscriptions.wake(stream.number);
    if (stream.mode !== 'ON_DEMAND') return;
    state.grow(stream, state.onDemand.count(stream.number, bytes, records, this.now));
  }
}
