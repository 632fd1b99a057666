import { defineCollection } from '@emu/core/service';
import type {
  DestinationConfiguration,
  ExecutionStatus,
  QueryLanguage,
  ScheduledQueryDestination,
  ScheduledQueryState,
} from '@emu/service-types/logs';

/** A scheduled query, keyed by id. Times are epoch milliseconds. */
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
  /** Start of the queried range in seconds before a run. */
  startTimeOffset?: number;
  destination?: DestinationConfiguration;
  state: ScheduledQueryState;
  /** Schedule start and end. */
  startsAt?: number;
  endsAt?: number;
  roleArn: string;
  tags: Record<string, string>;
  createdAt: number;
  modifiedAt: number;
  triggeredAt?: number;
  status?: ExecutionStatus;
}

/** A run of a scheduled query, keyed by query id and time. */
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
