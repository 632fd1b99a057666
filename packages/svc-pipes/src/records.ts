import { defineCollection } from '@emu/core';
import type { Position } from '@emu/polling';
import type {
  CreatePipeRequest,
  PipeEnrichmentParameters,
  PipeLogConfigurationParameters,
  PipeSourceParameters,
  PipeState,
  PipeTargetParameters,
  RequestedPipeState,
} from '@emu/service-types/pipes';

/** What is kept of source parameters: points in time are epoch milliseconds. */
export interface SourceRecord {
  parameters: PipeSourceParameters;
  /** `StartingPositionTimestamp` of a Kinesis stream. */
  startAt?: number;
}

/** The key that a pipe is encrypted with. */
export interface EncryptionRecord {
  /** As the request names it. */
  keyId: string;
  /** The data key that KMS made, encrypted, in base64. */
  dataKey: string;
}

/** A pipe, kept by its name. Times are epoch milliseconds. */
export interface PipeRecord {
  name: string;
  /** Tells it from an earlier pipe of the same name, as stream positions need. */
  id: string;
  description?: string;
  desired: RequestedPipeState;
  /** Whether it is on its way to be deleted. */
  deleting?: true;
  current: PipeState;
  reason?: string;
  source: string;
  sourceParameters: SourceRecord;
  enrichment?: string;
  enrichmentParameters?: PipeEnrichmentParameters;
  target: string;
  targetParameters?: PipeTargetParameters;
  roleArn: string;
  tags: NonNullable<CreatePipeRequest['Tags']>;
  logging?: PipeLogConfigurationParameters;
  encryption?: EncryptionRecord;
  createdAt: number;
  modifiedAt: number;
}

/** How far a pipe has come in a shard, kept by the pipe's id and the shard's. */
export interface PositionRecord {
  pipe: string;
  shard: string;
  /** Where reading began. */
  from: Position;
  /** Last record that is dealt with; undefined before the first. */
  sequence?: string;
  /** Whether the shard has ended, and all of it is dealt with. */
  done?: true;
}

export const pipeCollection = defineCollection<PipeRecord>('pipes', 'region', {
  content: ['sourceParameters', 'enrichmentParameters', 'targetParameters', 'tags'],
});
export const positionCollection = defineCollection<PositionRecord>('positions', 'region');

/** Everything EventBridge Pipes keeps. */
export const collections = [pipeCollection, positionCollection] as const;
