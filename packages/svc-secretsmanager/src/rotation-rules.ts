import { nextRun, parseSchedule } from '@emu/core/schedules';
import type { RotationRulesType } from '@emu/service-types/secretsmanager';
import { invalidParameter } from './errors.ts';
import type { RotationRecord } from './records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Minimum interval of rotations. */
const SHORTEST_RATE = 4 * HOUR;

/** Returns the end of a day in UTC. */
const endOfDay = (time: number): number => Math.floor(time / DAY) * DAY + DAY - 1000;

/**
 * Validates rotation rules.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_schedule.html
 */
export function checkRules(rules: RotationRulesType): void {
  const { AutomaticallyAfterDays: days, ScheduleExpression: expression, Duration: duration } = rules;
  if (days !== undefined && expression !== undefined)
    throw invalidParameter('You can only specify one of AutomaticallyAfterDays and ScheduleExpression.');
  const hours = duration === undefined ? undefined : Number.parseInt(duration, 10);
  if (hours !== undefined && (hours < 1 || hours > 24))
    throw invalidParameter('The Duration of the rotation window must be between 1 and 24 hours.');
  if (expression === undefined) return;
  const schedule = parseSchedule(expression);
  if (!schedule || (schedule.kind === 'rate' && schedule.unit === 'minute'))
    throw invalidParameter(`Invalid schedule expression: ${expression}.`);
  if (schedule.kind === 'rate' && schedule.interval < SHORTEST_RATE)
    throw invalidParameter('The rotation schedule must not be more frequent than every 4 hours.');
  if (schedule.kind === 'cron' && !/^cron\(0 /.test(expression))
    throw invalidParameter('The minutes of the rotation schedule must be 0.');
}

/** Time of the next rotation and end of its window in epoch milliseconds. */
export interface RotationWindow {
  nextAt?: number;
  windowEndsAt?: number;
}

/**
 * Returns the next window of a rotation: from midnight of the day by the rules, or from the scheduled time.
 * @param after latest rotation, or the start of the schedule
 */
export function nextWindow(
  { rules, startedAt }: Pick<RotationRecord, 'rules' | 'startedAt'>,
  after: number,
): RotationWindow {
  const { AutomaticallyAfterDays: days, ScheduleExpression: expression, Duration: duration } = rules ?? {};
  const length = duration === undefined ? undefined : Number.parseInt(duration, 10) * HOUR;
  let nextAt: number | undefined;
  if (days !== undefined) nextAt = Math.floor((after + days * DAY) / DAY) * DAY;
  else if (expression !== undefined) nextAt = nextRun(parseSchedule(expression)!, after, startedAt);
  if (nextAt === undefined) return {};
  return { nextAt, windowEndsAt: length === undefined ? endOfDay(nextAt) : nextAt + length };
}
