import { type DeepReadonly, defineCollection } from '@emu/core';
import type { SessionStatus } from '@emu/service-types/ssm';

/** How a session is to be, as its document says. Times are milliseconds. */
export interface SessionPlan {
  /** `Standard_Stream`, `InteractiveCommands` or `NonInteractiveCommands`. */
  type: string;
  /** After which it ends where nobody uses it. */
  idle: number;
  /** After which it ends in any case. */
  longest?: number;
  /** Lines that it runs instead of a shell. */
  commands?: string[];
  /** Lines that are typed into the shell at first. */
  shellProfile?: string;
  /** Name of the user whose shell it is. */
  user?: string;
  /** Where its transcript is written. */
  bucket?: string;
  bucketPrefix?: string;
  logGroup?: string;
}

/** A session on a managed node. Times are epoch milliseconds. */
export interface SessionRecord {
  id: string;
  target: string;
  status: SessionStatus;
  /** ARN of who started it. */
  owner: string;
  documentName?: string;
  reason?: string;
  startedAt: number;
  endedAt?: number;
  /** When it ends unless somebody uses or ends it before. */
  endsBy?: number;
  /** Minutes that it may last, as its document says. */
  maxDuration?: string;
  /** Id of the access request that its starter had been given the node by. */
  accessRequest?: string;
  /** Undefined for sessions that a test has injected. */
  plan?: SessionPlan;
}

export type Session = DeepReadonly<SessionRecord>;

export const sessionCollection = defineCollection<SessionRecord>('sessions', 'region', {
  content: ['reason', 'plan'],
});
