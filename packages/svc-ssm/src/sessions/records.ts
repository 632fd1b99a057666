import { type DeepReadonly, defineCollection } from '@emu/core/service';
import type { SessionStatus } from '@emu/service-types/ssm';

/** Settings of a session from its document. Times are milliseconds. */
export interface SessionPlan {
  /** `Standard_Stream`, `InteractiveCommands` or `NonInteractiveCommands`. */
  type: string;
  /** Idle timeout. */
  idle: number;
  /** Maximum duration. */
  longest?: number;
  /** Lines to run instead of a shell. */
  commands?: string[];
  /** Lines sent to the shell at its start. */
  shellProfile?: string;
  /** Name of the shell's user. */
  user?: string;
  /** Bucket for the transcript. */
  bucket?: string;
  bucketPrefix?: string;
  logGroup?: string;
}

/** A session on a managed node. Times are epoch milliseconds. */
export interface SessionRecord {
  id: string;
  target: string;
  status: SessionStatus;
  /** ARN of the principal that started it. */
  owner: string;
  documentName?: string;
  reason?: string;
  startedAt: number;
  endedAt?: number;
  /** Idle timeout, extended by use. */
  endsBy?: number;
  /** Maximum duration in minutes, from its document. */
  maxDuration?: string;
  /** Id of the access request that granted the node. */
  accessRequest?: string;
  /** Undefined for sessions injected by a test. */
  plan?: SessionPlan;
}

export type Session = DeepReadonly<SessionRecord>;

export const sessionCollection = defineCollection<SessionRecord>('sessions', 'region', {
  content: ['reason', 'plan'],
});
