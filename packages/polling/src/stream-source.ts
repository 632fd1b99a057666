import { parseArn } from '@emu/core/service';
import type { ShardIteratorType } from '@emu/service-types/dynamodbstreams';
import type { CallSource } from './call.ts';
import type { DataEvent, PolledRecord } from './record.ts';
import { changeRecord, dataRecord } from './stream-records.ts';

/** Where reading a shard begins. */
export type Position =
  | { type: 'TRIM_HORIZON' | 'LATEST' }
  | { type: 'AT_TIMESTAMP'; timestamp: number }
  | { type: 'AFTER_SEQUENCE_NUMBER'; sequence: string };

/** A shard of a stream. */
export interface Shard {
  id: string;
  parents: readonly string[];
}

/** A page of a shard. */
export interface Page {
  records: PolledRecord[];
  /** Undefined at the end of a closed shard. */
  next: string | undefined;
}

/** A stream of DynamoDB or Kinesis. */
export interface StreamSource {
  /** Every shard that can be read. */
  shards(): Promise<Shard[]>;
  /** An iterator. */
  iterator(shard: string, position: Position): Promise<string>;
  read(shard: string, iterator: string, limit: number): Promise<Page>;
}

/** What a stream is read with. */
export interface StreamSourceOptions {
  /** ARN of the stream, or of a consumer of it. */
  readonly arn: string;
  /** ARN of the role that reads it, as events name it. */
  readonly role: string;
  readonly call: CallSource;
  readonly dataEvent: DataEvent;
}

/** Records that one call may answer. */
const MAX_RECORDS = { dynamodb: 1000, kinesis: 10_000 };

/** The stream of an ARN. */
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
        // Streams have no iterators of points in time; what would need them cannot be made.
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
  // The records of a consumer are its stream's.
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
