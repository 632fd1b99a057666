import { parseArn } from '@emu/core/service';
import type { ShardIteratorType } from '@emu/service-types/dynamodbstreams';
import type { CallSource } from './call.ts';
import type { DataEvent, PolledRecord } from './record.ts';
import { changeRecord, dataRecord } from './stream-records.ts';

/** Start position in a shard. */
export type Position =
  | { type: 'TRIM_HORIZON' | 'LATEST' }
  | { type: 'AT_TIMESTAMP'; timestamp: number }
  | { type: 'AFTER_SEQUENCE_NUMBER'; sequence: string };

/** A shard of a stream. */
export interface Shard {
  id: string;
  parents: readonly string[];
}

/** One read of a shard. */
export interface Page {
  records: PolledRecord[];
  /** Undefined at the end of a closed shard. */
  next: string | undefined;
}

/** A stream of DynamoDB or Kinesis. */
export interface StreamSource {
  /** Returns all readable shards. */
  shards(): Promise<Shard[]>;
  /** Returns an iterator. */
  iterator(shard: string, position: Position): Promise<string>;
  read(shard: string, iterator: string, limit: number): Promise<Page>;
}

/** Parameters of stream access. */
export interface StreamSourceOptions {
  /** ARN of the stream, or of a consumer of it. */
  readonly arn: string;
  /** ARN of the reader's role, as in events. */
  readonly role: string;
  readonly call: CallSource;
  readonly dataEvent: DataEvent;
}

/** Limit of records per call. */
const MAX_RECORDS = { dynamodb: 1000, kinesis: 10_000 };

/** Returns the stream with an ARN. */
export const streamSource = (options: StreamSourceOptions): StreamSource =>
  parseArn(options.arn)!.service === 'kinesis' ? kinesis(options) : dynamodb(options);

function dynamodb({ arn: StreamArn, call }: StreamSourceOptions): StreamSource {
  return {
    shards: async () => {
      const shards: Shard[] = [];
      let ExclusiveStartShardId: string | undefined;
      do {
        const input = { StreamArn, ExclusiveStartShardId };
        const { StreamDescription: stream } = await call('dynamodbstreams', 'DescribeStream', input);
        for (const { ShardId: id, ParentShardId: parent } of stream?.Shards ?? [])
          shards.push({ id: id!, parents: parent === undefined ? [] : [parent] });
        ExclusiveStartShardId = stream?.LastEvaluatedShardId;
      } while (ExclusiveStartShardId !== undefined);
      return shards;
    },
    iterator: async (ShardId, position) => {
      const input = {
        StreamArn,
        ShardId,
        // DynamoDB streams have no iterators at a timestamp, and event sources that need one are rejected earlier.
        ShardIteratorType: position.type as ShardIteratorType,
        ...(position.type === 'AFTER_SEQUENCE_NUMBER' && { SequenceNumber: position.sequence }),
      };
      return (await call('dynamodbstreams', 'GetShardIterator', input)).ShardIterator!;
    },
    read: async (_shard, ShardIterator, limit) => {
      const input = { ShardIterator, Limit: Math.min(limit, MAX_RECORDS.dynamodb) };
      const { Records, NextShardIterator: next } = await call('dynamodbstreams', 'GetRecords', input);
      return { records: (Records ?? []).map((record) => changeRecord(record, StreamArn)), next };
    },
  };
}

function kinesis({ arn, role, call, dataEvent }: StreamSourceOptions): StreamSource {
  // A consumer's records have the ARN of its stream.
  const StreamARN = arn.replace(/\/consumer\/.*$/, '');
  return {
    shards: async () => {
      const shards: Shard[] = [];
      let NextToken: string | undefined;
      do {
        const page = await call('kinesis', 'ListShards', NextToken === undefined ? { StreamARN } : { NextToken });
        for (const { ShardId: id, ParentShardId, AdjacentParentShardId } of page.Shards ?? [])
          shards.push({ id, parents: [ParentShardId, AdjacentParentShardId].filter((parent) => parent !== undefined) });
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return shards;
    },
    iterator: async (ShardId, position) => {
      const input = {
        StreamARN,
        ShardId,
        ShardIteratorType: position.type,
        ...(position.type === 'AFTER_SEQUENCE_NUMBER' && { StartingSequenceNumber: position.sequence }),
        ...(position.type === 'AT_TIMESTAMP' && { Timestamp: new Date(position.timestamp) }),
      };
      return (await call('kinesis', 'GetShardIterator', input)).ShardIterator!;
    },
    read: async (shard, ShardIterator, limit) => {
      const input = { ShardIterator, Limit: Math.min(limit, MAX_RECORDS.kinesis), StreamARN };
      const { Records, NextShardIterator: next } = await call('kinesis', 'GetRecords', input);
      const origin = { shard, streamArn: arn, role };
      return { records: Records.map((record) => dataRecord(record, origin, dataEvent)), next };
    },
  };
}
