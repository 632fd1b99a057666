import { defineCollection } from '@emu/core/service';
import type { MetricsName, StreamStatus } from '@emu/service-types/kinesis';
import type { SegmentRecord } from './records/segments.ts';
import type { HashKey } from './streams/hash-keys.ts';

/** A shard, open until split or merged. */
export interface ShardRecord {
  /** Number within the stream. */
  index: number;
  parent?: number;
  adjacentParent?: number;
  start: HashKey;
  end: HashKey;
  /** Epoch milliseconds. */
  createdAt: number;
  closedAt?: number;
}

/** Encryption of a stream. */
export interface EncryptionRecord {
  keyId: string;
  /** Latest data key from KMS, encrypted, in base64; absent for the AWS owned key. */
  dataKey?: string;
}

/** A stream. */
export interface StreamRecord {
  name: string;
  /** Distinguishes its records from those of other streams in the account and region. */
  number: number;
  /** AWS's id of a stream besides its name. */
  id: string;
  status: StreamStatus;
  mode: 'PROVISIONED' | 'ON_DEMAND';
  /** Epoch milliseconds. */
  createdAt: number;
  /** All shards that have or may get records, in order of number. */
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
  /** Changes of mode and number of shards within the last day, in epoch milliseconds. */
  modeChanges: number[];
  scalings: number[];
  /** Last peak of an on-demand stream that needed its number of shards, in epoch milliseconds. */
  peakAt?: number;
  /** Index after the expired records. */
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

/** Billing commitment of an account in a region. */
export interface CommitmentRecord {
  enabled: boolean;
  startedAt?: number;
  endedAt?: number;
}

/** Number of streams ever created, for numbering. */
export interface CountRecord {
  streams: number;
}

export const countCollection = defineCollection<CountRecord>('counts', 'region');
export const streamCollection = defineCollection<StreamRecord>('streams', 'region');
export const consumerCollection = defineCollection<ConsumerRecord>('consumers', 'region');
export const commitmentCollection = defineCollection<CommitmentRecord>('commitments', 'region');
/** Newest records of streams, packed: see `packed-record.ts`. */
export const recordCollection = defineCollection<string>('records', 'region', {
  content: 'all',
  encode: (packed) => Buffer.from(packed, 'latin1').toString('base64'),
  decode: (json) => Buffer.from(json as string, 'base64').toString('latin1'),
});

/** Segments of older records. */
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
