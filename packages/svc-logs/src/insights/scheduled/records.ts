import { defineCollection } from '@emu/core';
import type {
  DestinationConfiguration,
  ExecutionStatus,
  QueryLanguage,
  ScheduledQueryDestination,
  ScheduledQueryState,
} from '@emu/service-types/logs';

/** A scheduled query, kept by its id. All times are epoch milliseconds. */
export interface ScheduledQueryRecord {
  id: string;
  name: string;
  description?: string;
  language: QueryLanguage;
  query: string;
  groups?: string[];
  /** `cron(…)` */
  schedule: string;
  timezone: string;
  /** Seconds before a run from which on it queries. */
  startTimeOffset?: number;
  destination?: DestinationConfiguration;
  state: ScheduledQueryState;
  /** Between which it runs. */
  startsAt?: number;
  endsAt?: number;
  roleArn: string;
  tags: Record<string, string>;
  createdAt: number;
  modifiedAt: number;
  triggeredAt?: number;
  status?: ExecutionStatus;
}

/** A run of a scheduled query, kept by the query's id and the time. */
export interface TriggerRecord {
  query: string;
  at: number;
  status: ExecutionStatus;
  queryId?: string;
  problem?: string;
  destinations?: ScheduledQueryDestination[];
}

export const scheduledQueryCollection = defineCollection<ScheduledQueryRecord>('scheduled-queries', 'region', {
  content: ['query'],
});
export const triggerCollection = defineCollection<TriggerRecord>('scheduled-query-runs', 'region', {
  ownerOf: (key) => key.slice(0, key.indexOf(' ')),
});
