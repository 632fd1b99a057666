import { defineCollection, tokenCollection } from '@emu/core/service';
import type {
  ActionAfterCompletion,
  FlexibleTimeWindowMode,
  ScheduleState,
  Tag,
  Target,
} from '@emu/service-types/scheduler';

/** Name of the default group, which exists in every account and region. */
export const DEFAULT_GROUP = 'default';

/** A schedule group, keyed by name. Times are epoch milliseconds. */
export interface GroupRecord {
  name: string;
  tags: Tag[];
  createdAt: number;
}

/** A target without its input, which is the customer's content. */
export type TargetRecord = Omit<Target, 'Input'>;

/** KMS key that encrypts a schedule. */
export interface EncryptionRecord {
  keyArn: string;
  /** Data key generated and encrypted by KMS, in base64. */
  dataKey: string;
}

/** A schedule, keyed by group and name. Times are epoch milliseconds. */
export interface ScheduleRecord {
  group: string;
  name: string;
  expression: string;
  /** Name of a time zone in the IANA database. */
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
  /** Time of the creation or last update. Runs are computed from this time on. */
  modifiedAt: number;
  /** Latest scheduled time that has run since the last update. */
  ranFor?: number;
  /** Time of the last call of the target. */
  invokedAt?: number;
}

/** A call of a target that is still in progress, keyed by its execution id. Times are epoch milliseconds. */
export interface DeliveryRecord {
  /** Sixteen hexadecimal digits, as in AWS. */
  executionId: string;
  group: string;
  name: string;
  /** Target at the time of the run. */
  target: TargetRecord;
  input?: string;
  encryption?: EncryptionRecord;
  /** Time by the schedule expression, before the flexible window is added. */
  scheduledAt: number;
  /** Number of failed attempts. */
  attempts: number;
  /** Time of the next attempt. */
  dueAt: number;
  /** Cause id, passed on to the requests that the delivery makes. */
  cause: string;
}

export const groupCollection = defineCollection<GroupRecord>('groups', 'region');
export const scheduleCollection = defineCollection<ScheduleRecord>('schedules', 'region', { content: ['input'] });
export const deliveryCollection = defineCollection<DeliveryRecord>('deliveries', 'region', { content: ['input'] });
/** Idempotency tokens with their first requests. The result is the ARN in the response. */
export const requestCollection = tokenCollection<string | undefined>('requests', 'region', 'arn');

/** Collections of EventBridge Scheduler. */
export const collections = [groupCollection, scheduleCollection, deliveryCollection, requestCollection] as const;
