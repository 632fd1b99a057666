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

/** A bucket destination, as AWS describes it. */
export interface S3Record {
  kind: 's3';
  settings: ExtendedS3DestinationDescription;
}

/** An HTTP endpoint destination: AWS's description, and hidden members. */
export interface HttpRecord {
  kind: 'http';
  settings: HttpEndpointDestinationDescription;
  url: string;
  accessKey?: string;
  attributes: HttpEndpointCommonAttribute[];
}

/** Common members of service destinations, as AWS describes them. */
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

/** A service destination. */
export interface ServiceRecord {
  kind: 'service';
  family: ServiceFamily;
  settings: ServiceSettings;
  /** Specific members, as AWS describes them. */
  own: Record<string, unknown>;
  /** Members that AWS does not return. */
  secrets: Record<string, unknown>;
}

/** Destination of a delivery stream. */
export type DestinationRecord = S3Record | HttpRecord | ServiceRecord;

/** Encryption of a delivery stream's waiting records. */
export interface EncryptionRecord {
  status: DeliveryStreamEncryptionStatus;
  keyType?: KeyType;
  keyArn?: string;
  failure?: FailureDescription;
}

/** Source Kinesis stream of a delivery stream. */
export interface SourceRecord {
  streamArn: string;
  roleArn: string;
  /** Epoch milliseconds: only later records are delivered. */
  startedAt: number;
}

/** A source that emu does not read, as AWS describes it. Times are epoch milliseconds. */
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
  /** Distinguishes its records from those of others with the same name. */
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

/** Origin of a Kinesis stream's record. */
export interface KinesisOrigin {
  shardId: string;
  partitionKey: string;
  sequenceNumber: string;
}

/** Lane of a piece: the function, the destination, the backup, or the error prefix of a failure type. */
export type Lane = 'transform' | 'deliver' | 'backup' | `failed ${string}`;

/** An accepted record that is not delivered yet; stored twice if it is also backed up. */
export interface PieceRecord {
  stream: number;
  lane: Lane;
  /** Partition keys by name as JSON text, with dynamic partitioning. */
  partition?: string;
  /** Acceptance in epoch milliseconds. */
  arrivedAt: number;
  /** Arrival in its lane. */
  since: number;
  /** Base64. */
  data: string;
  origin?: KinesisOrigin;
}

/** Position in a shard of a Kinesis stream. */
export interface CheckpointRecord {
  stream: number;
  shard: string;
  /** Of the last accepted record. */
  sequenceNumber: string;
}

/** Number of delivery streams ever created, for numbering. */
export interface CountRecord {
  streams: number;
}

export const countCollection = defineCollection<CountRecord>('counts', 'region');
export const streamCollection = defineCollection<DeliveryStreamRecord>('delivery-streams', 'region');
export const pieceCollection = defineCollection<PieceRecord>('pieces', 'region', { content: ['data'] });
export const checkpointCollection = defineCollection<CheckpointRecord>('checkpoints', 'region');

export const collections = [streamCollection, countCollection, pieceCollection, checkpointCollection] as const;
