import { defineCollection } from '@emu/core/service';
import type { MetricsName, StreamStatus } from '@emu/service-types/kinesis';
import type { SegmentRecord } from './records/segments.ts';
import type { HashKey } from './streams/hash-keys.ts';

/** A shard, open until it is split or merged. */
export interface ShardRecord {
  /** Its number within the stream. */
  index: number;
  parent?: number;
  adjacentParent?: number;
  start: HashKey;
  end: HashKey;
  /** Epoch milliseconds. */
  createdAt: number;
  closedAt?: number;
}

/** How a stream is encrypted. */
export interface EncryptionRecord {
  keyId: string;
  /** The data key that KMS made last, encrypted, in base64; absent where AWS's own key is used. */
  dataKey?: string;
}

/** A stream. */
export interface StreamRecord {
  name: string;
  /** Tells its records from those of others of this account and region, before and after it. */
  number: number;
  /** Id that AWS gives streams besides their names. */
  id: string;
  status: StreamStatus;
  mode: 'PROVISIONED' | 'ON_DEMAND';
  /** Epoch milliseconds. */
  createdAt: number;
  /** Every shard that still has or may get records, in order of their numbers. */
  shards: ShardRecord[];
  /** Number of the next shard. */
  nextShard: number;
  retentionHours: number;
  maxRecordKiB: number;
  metrics: Exclude<MetricsName, 'ALL'>[];
  tags: Record<string, string>;
  encryption?: EncryptionRecord;
  /** JSON text. */
  policy?: string;
  warmThroughputMiBps?: number;
  /** When its mode and its number of shards were changed, epoch milliseconds; those of the last day. */
  modeChanges: number[];
  scalings: number[];
  /** When an on-demand stream was last as busy as its number of shards needs, epoch milliseconds. */
  peakAt?: number;
  /** Index behind the records that have expired. */
  highest?: number;
}

/** A registered consumer. */
export interface ConsumerRecord {
  stream: string;
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  active: boolean;
  tags: Record<string, string>;
  /** JSON text. */
  policy?: string;
}

/** What an account has agreed with AWS in a region about its bill. */
export interface CommitmentRecord {
  enabled: boolean;
  startedAt?: number;
  endedAt?: number;
}

/** How many streams have been made, which numbers them. */
export interface CountRecord {
  streams: number;
}

export const countCollection = defineCollection<CountRecord>('counts', 'region');
export const streamCollection = defineCollection<StreamRecord>('streams', 'region');
export const consumerCollection = defineCollection<ConsumerRecord>('consumers', 'region');
export const commitmentCollection = defineCollection<CommitmentRecord>('commitments', 'region');
/** The newest records of streams, packed: see `packed-record.ts`. */
export const recordCollection = defineCollection<string>('records', 'region', {
  content: 'all',
  encode: (packed) => Buffer.from(packed, 'latin1').toString('base64'),
  decode: (json) => Buffer.from(json as string, 'base64').toString('latin1'),
});

/** What has become too much for that. */
export const segmentCollection = defineCollection<SegmentRecord>('segments', 'region', {
  bodies: ({ body }) => [body],
});

export const collections = [
  streamCollection,
  consumerCollection,
  commitmentCollection,
  countCollection,
  recordCollection,
  segmentCollection,
] as const;
