import { nextRun, parseSchedule, type Schedule } from '@emu/core/schedules';
import type { DeepReadonly } from '@emu/core/service';
import type { AlarmMuteRuleStatus } from '@emu/service-types/cloudwatch';
import type { MuteRuleRecord } from '../records.ts';
import type { CloudwatchState } from '../state.ts';

/** A stored mute rule. */
export type MuteRule = DeepReadonly<MuteRuleRecord>;

const MINUTE = 60_000;
const DURATION = /^P(?!$)(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?)?$/;
const AT = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)\)$/;
const MAX = 15 * 24 * 60 * MINUTE;

/**
 * Returns the milliseconds of an ISO 8601 duration of minutes, hours and days, up to 15 days; undefined if it is
 * invalid.
 */
export function durationOf(text: string): number | undefined {
  const [whole, days = '0', hours = '0', minutes = '0'] = DURATION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const duration = (Number(days) * 1440 + Number(hours) * 60 + Number(minutes)) * MINUTE;
  return duration >= MINUTE && duration <= MAX ? duration : undefined;
}

/** Returns the schedule of a rule's windows; undefined unless its expression is `cron(…)` or `at(…)`. */
export function scheduleOf(expression: string, timezone = 'UTC'): Schedule | undefined {
  const at = AT.exec(expression);
  if (at) {
    const time = localTime(at[1]!, timezone);
    return time === undefined ? undefined : { kind: 'cron', next: (after) => (time > after ? time : undefined) };
  }
  const fields = /^cron\((.*)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 5) return undefined;
  // Converts five Unix fields to AWS's six, which require a question mark for the unused day field, and a year.
  const [minutes, hours, days, months, weekdays] = fields as [string, string, string, string, string];
  const open =
    weekdays === '*'
      ? [days, months, '?']
      : ['?', months, weekdays.replace(/\d/g, (day) => String((Number(day) % 7) + 1))];
  return parseSchedule(`cron(${minutes} ${hours} ${open.join(' ')} *)`, timezone);
}

/** Whether a time zone is in the IANA database. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Converts a local time in a time zone to epoch milliseconds. */
function localTime(text: string, timezone: string): number | undefined {
  const utc = Date.parse(`${text}Z`);
  if (Number.isNaN(utc)) return undefined;
  const shown = new Date(utc).toLocaleString('sv-SE', { timeZone: timezone });
  return utc - (Date.parse(`${shown.replace(' ', 'T')}Z`) - utc);
}

/** Returns the window open at a time, or the next one; undefined if there is none. */
export function windowAt(rule: MuteRule, now: number): { from: number; to: number } | undefined {
  const schedule = scheduleOf(rule.expression, rule.timezone);
  const duration = durationOf(rule.duration);
  if (!schedule || duration === undefined) return undefined;
  const since = Math.max(now - duration, (rule.startAt ?? rule.createdAt) - 1);
  const from = nextRun(schedule, since, rule.createdAt);
  if (from === undefined || (rule.expireAt !== undefined && from >= rule.expireAt)) return undefined;
  return { from, to: Math.min(from + duration, rule.expireAt ?? Number.POSITIVE_INFINITY) };
}

/** Returns the status of a rule at a time. */
export function statusOf(rule: MuteRule, now: number): AlarmMuteRuleStatus {
  const window = windowAt(rule, now);
  if (!window) return 'EXPIRED';
  return window.from <= now && now < window.to ? 'ACTIVE' : 'SCHEDULED';
}

/** Whether a rule applies to an alarm. */
export const isFor = (rule: MuteRule, alarm: string): boolean => rule.alarms?.includes(alarm) ?? true;

/** Whether a mute rule currently mutes an alarm's actions. */
export function isMuted(state: CloudwatchState, alarm: string): boolean {
  const now = state.clock.now();
  for (const rule of state.muteRules.values()) if (isFor(rule, alarm) && statusOf(rule, now) === 'ACTIVE') return true;
  return false;
}
