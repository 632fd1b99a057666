import { defineCollection, tokenCollection } from '@emu/core';
import type {
  ActionAfterCompletion,
  FlexibleTimeWindowMode,
  ScheduleState,
  Tag,
  Target,
} from '@emu/service-types/scheduler';

/** Name of the group that every account has in every region. */
export const DEFAULT_GROUP = 'default';

/** A group of schedules, kept by its name. Times are epoch milliseconds. */
export interface GroupRecord {
  name: string;
  tags: Tag[];
  createdAt: number;
}

/** A target without its input, which is the client's own text. */
export type TargetRecord = Omit<Target, 'Input'>;

/** The key that a schedule is encrypted with. */
export interface EncryptionRecord {
  keyArn: string;
  /** The data key that KMS made, encrypted, in base64. */
  dataKey: string;
}

/** A schedule, kept by its group and name. Times are epoch milliseconds. */
export interface ScheduleRecord {
  group: string;
  name: string;
  expression: string;
  /** Name of the IANA database. */
  timezone: string;
  window: { mode: FlexibleTimeWindowMode; minutes?: number };
  startDate?: number;
  endDate?: number;
  state: ScheduleState;
  description?: string;
  target: TargetRecord;
  input?: string;
  afterCompletion: ActionAfterCompletion;
  encryption?: EncryptionRecord;
  createdAt: number;
  /** When it was made or changed last, from which it runs. */
  modifiedAt: number;
  /** The latest of its times that it has run for since it was changed. */
  ranFor?: number;
  /** When its target was called last. */
  invokedAt?: number;
}

/** A call of a target that has not ended yet, kept by its execution id. Times are epoch milliseconds. */
export interface DeliveryRecord {
  /** Sixteen hexadecimal digits, as AWS's are. */
  executionId: string;
  group: string;
  name: string;
  /** As it was when the schedule ran. */
  target: TargetRecord;
  input?: string;
  encryption?: EncryptionRecord;
  /** What the schedule says, without its flexible window. */
  scheduledAt: number;
  /** Attempts that failed. */
  attempts: number;
  /** When it is tried next. */
  dueAt: number;
  /** Id by which what it calls is told to belong to it. */
  cause: string;
}

export const groupCollection = defineCollection<GroupRecord>('groups', 'region');
export const scheduleCollection = defineCollection<ScheduleRecord>('schedules', 'region', { content: ['input'] });
export const deliveryCollection = defineCollection<DeliveryRecord>('deliveries', 'region', { content: ['input'] });
/** First requests of client tokens; their results are the ARNs that were answered. */
export const requestCollection = tokenCollection<string | undefined>('requests', 'region', 'arn');

/** Everything EventBridge Scheduler keeps. */
export const collections = [groupCollection, scheduleCollection, deliveryCollection, requestCollection] as const;
