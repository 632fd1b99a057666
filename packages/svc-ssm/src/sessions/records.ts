import { defineCollection } from '@emu/core';
import type { SessionStatus } from '@emu/service-types/ssm';

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
}

export const sessionCollection = defineCollection<SessionRecord>('sessions', 'region', { content: ['reason'] });
