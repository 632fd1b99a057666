import { nextRun, parseSchedule } from '@emu/core/schedules';
import type { RotationRulesType } from '@emu/service-types/secretsmanager';
import { invalidParameter } from './errors.ts';
import type { RotationRecord } from './records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Rotations happen no oftener. */
const SHORTEST_RATE = 4 * HOUR;

/** The end of the day of a point in time, UTC. */
const endOfDay = (time: number): number => Math.floor(time / DAY) * DAY + DAY - 1000;

/**
 * Checks the rules of a rotation.
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

/** When a rotation is due next, and until when it should have happened, in epoch milliseconds. */
export interface RotationWindow {
  nextAt?: number;
  windowEndsAt?: number;
}

/**
 * The next window of a rotation: from midnight of the day that the rules count to, or from the time that the schedule
 * names.
 * @param after the latest rotation, or the beginning of the schedule
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
