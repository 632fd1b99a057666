import type { Located, Timestamp } from './common.ts';

/** A schedule of any account and region. */
export interface SchedulerSchedule extends Located {
  groupName: string;
  name: string;
  arn: string;
  state: 'ENABLED' | 'DISABLED';
  /** e.g. `rate(5 minutes)`. */
  scheduleExpression: string;
  scheduleExpressionTimezone?: string;
  startDate?: Timestamp;
  endDate?: Timestamp;
  target: { arn: string; roleArn: string; input?: string };
  /** Absent without a further run. */
  nextInvocationAt?: Timestamp;
  lastInvocationAt?: Timestamp;
}

/** Result of firing a schedule. */
export interface SchedulerFireResult {
  scheduleArn: string;
  targetArn: string;
  status: 'delivered' | 'failed' | 'dead-lettered';
  error?: { code: string; message: string };
}
