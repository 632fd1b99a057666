import { defineCollection } from '@emu/core/service';
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

/** Stored source parameters. Times are epoch milliseconds. */
export interface SourceRecord {
  parameters: PipeSourceParameters;
  /** `StartingPositionTimestamp` of a Kinesis stream. */
  startAt?: number;
}

/** KMS key that encrypts a pipe. */
export interface EncryptionRecord {
  /** Key id in the request. */
  keyId: string;
  /** Data key generated and encrypted by KMS, in base64. */
  dataKey: string;
}

/** A pipe, keyed by name. Times are epoch milliseconds. */
export interface PipeRecord {
  name: string;
  /** Distinguishes it from an earlier pipe of the same name, for stream positions. */
  id: string;
  description?: string;
  desired: RequestedPipeState;
  /** Whether its deletion is in progress. */
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

/** Position of a pipe in a shard, keyed by pipe id and shard id. */
export interface PositionRecord {
  pipe: string;
  shard: string;
  /** Start position. */
  from: Position;
  /** Last processed record; undefined before the first. */
  sequence?: string;
  /** Whether the shard has ended and is processed completely. */
  done?: true;
}

export const pipeCollection = defineCollection<PipeRecord>('pipes', 'region', {
  content: ['sourceParameters', 'enrichmentParameters', 'targetParameters', 'tags'],
});
export const positionCollection = defineCollection<PositionRecord>('positions', 'region');

/** Collections of EventBridge Pipes. */
export const collections = [pipeCollection, positionCollection] as const;
