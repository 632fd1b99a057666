import { defineCollection } from '@emu/core/service';
import type {
  BufferingHints,
  CloudWatchLoggingOptions,
  DatabaseSourceDescription,
  DeliveryStreamEncryptionStatus,
  DeliveryStreamStatus,
  DeliveryStreamType,
  ExtendedS3DestinationDescription,
  FailureDescription,
  HttpEndpointCommonAttribute,
  HttpEndpointDestinationDescription,
  KeyType,
  MSKSourceDescription,
  ProcessingConfiguration,
  RetryOptions,
  S3DestinationDescription,
} from '@emu/service-types/firehose';
import type { ServiceFamily } from './destinations/families.ts';

/** A destination in a bucket, as AWS describes it. */
export interface S3Record {
  kind: 's3';
  settings: ExtendedS3DestinationDescription;
}

/** A destination behind a URL, as AWS describes it, and what AWS does not show. */
export interface HttpRecord {
  kind: 'http';
  settings: HttpEndpointDestinationDescription;
  url: string;
  accessKey?: string;
  attributes: HttpEndpointCommonAttribute[];
}

/** What destinations of services other than S3 have in common, as AWS describes it. */
export interface ServiceSettings {
  RoleARN?: string;
  BufferingHints?: BufferingHints;
  RetryOptions: RetryOptions;
  S3BackupMode: string;
  S3DestinationDescription: S3DestinationDescription;
  S3BackupDescription?: S3DestinationDescription;
  ProcessingConfiguration?: ProcessingConfiguration;
  CloudWatchLoggingOptions: CloudWatchLoggingOptions;
}

/** A destination of another service. */
export interface ServiceRecord {
  kind: 'service';
  family: ServiceFamily;
  settings: ServiceSettings;
  /** Its own members, as AWS describes them. */
  own: Record<string, unknown>;
  /** Members that AWS does not show. */
  secrets: Record<string, unknown>;
}

/** Where a delivery stream delivers to. */
export type DestinationRecord = S3Record | HttpRecord | ServiceRecord;

/** How what waits in a delivery stream is encrypted. */
export interface EncryptionRecord {
  status: DeliveryStreamEncryptionStatus;
  keyType?: KeyType;
  keyArn?: string;
  failure?: FailureDescription;
}

/** The Kinesis stream that a delivery stream reads. */
export interface SourceRecord {
  streamArn: string;
  roleArn: string;
  /** Epoch milliseconds: records that came later are delivered. */
  startedAt: number;
}

/** A source that emu does not read, as AWS describes it. Points in time are epoch milliseconds. */
export type KeptSource =
  | {
      kind: 'msk';
      settings: Omit<MSKSourceDescription, 'DeliveryStartTimestamp' | 'ReadFromTimestamp'>;
      startedAt: number;
      from?: number;
    }
  | { kind: 'database'; settings: DatabaseSourceDescription };

/** A delivery stream. */
export interface DeliveryStreamRecord {
  name: string;
  /** Tells its records from those of others of its name, before and after it. */
  number: number;
  status: DeliveryStreamStatus;
  type: DeliveryStreamType;
  version: number;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt?: number;
  throughputHintMB?: number;
  source?: SourceRecord;
  kept?: KeptSource;
  destination: DestinationRecord;
  encryption: EncryptionRecord;
  tags: Record<string, string>;
}

/** Where a record of a Kinesis stream came from. */
export interface KinesisOrigin {
  shardId: string;
  partitionKey: string;
  sequenceNumber: string;
}

/** What a piece waits for: the function, the destination, the backup, or an error prefix of a kind of failure. */
export type Lane = 'transform' | 'deliver' | 'backup' | `failed ${string}`;

/** A record that was accepted and is not delivered yet; one that is backed up, too, is there twice. */
export interface PieceRecord {
  stream: number;
  lane: Lane;
  /** Partition keys by name, as JSON text, where partitioning is dynamic. */
  partition?: string;
  /** When it was accepted, epoch milliseconds. */
  arrivedAt: number;
  /** When it came into its lane. */
  since: number;
  /** Base64. */
  data: string;
  origin?: KinesisOrigin;
}

/** How far a shard of a Kinesis stream has been read. */
export interface CheckpointRecord {
  stream: number;
  shard: string;
  /** Of the last record that was taken. */
  sequenceNumber: string;
}

/** How many delivery streams have been made, which numbers them. */
export interface CountRecord {
  streams: number;
}

export const countCollection = defineCollection<CountRecord>('counts', 'region');
export const streamCollection = defineCollection<DeliveryStreamRecord>('delivery-streams', 'region');
export const pieceCollection = defineCollection<PieceRecord>('pieces', 'region', { content: ['data'] });
export const checkpointCollection = defineCollection<CheckpointRecord>('checkpoints', 'region');

export const collections = [streamCollection, countCollection, pieceCollection, checkpointCollection] as const;
