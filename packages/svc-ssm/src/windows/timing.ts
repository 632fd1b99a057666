import type { DeepReadonly } from '@emu/core/service';
import { invalid } from '../errors.ts';
import { isTimezone, nextTime, parseTiming } from '../schedule-expressions.ts';
import type { WindowRecord } from './records.ts';

type Window = DeepReadonly<WindowRecord>;

/** Converts a date of a request to epoch milliseconds. */
const parseTime = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Validates the schedule of a window.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateMaintenanceWindow.html
 */
export function checkTiming(
  window: Pick<Window, 'schedule' | 'timezone' | 'offset' | 'duration' | 'cutoff' | 'startDate' | 'endDate'>,
): void {
  const { schedule, timezone, offset, duration, cutoff, startDate, endDate } = window;
  if (timezone !== undefined && !isTimezone(timezone)) throw invalid(`The timezone ${timezone} is not valid.`);
  const timing = parseTiming(schedule, timezone);
  if (!timing) throw invalid(`The schedule expression ${schedule} is not valid.`);
  if (offset !== undefined && timing.kind !== 'cron')
    throw invalid('A schedule offset is valid for cron expressions only.');
  if (cutoff >= duration) throw invalid('The cutoff must be less than the duration.');
  for (const date of [startDate, endDate])
    if (date !== undefined && (!ISO.test(date) || Number.isNaN(Date.parse(date))))
      throw invalid(`The date ${date} is not of ISO 8601.`);
  if (startDate !== undefined && endDate !== undefined && Date.parse(startDate) >= Date.parse(endDate))
    throw invalid('The end date must be after the start date.');
}

/** Returns the next opening of a window after a time, in epoch milliseconds; undefined if there is none. */
export function nextOpening(window: Window, after: number): number | undefined {
  const timing = window.enabled ? parseTiming(window.schedule, window.timezone) : undefined;
  if (!timing) return undefined;
  const start = parseTime(window.startDate);
  return nextTime(timing, after, {
    since: window.scheduledAt,
    // With a start in the past, rates count from the creation of the window.
    start: start !== undefined && (timing.kind !== 'rate' || start > window.scheduledAt) ? start : undefined,
    end: parseTime(window.endDate),
    offset: window.offset,
  });
}

/** Formats a time as windows do: to the minute, or to the second if it has seconds. */
export function printTime(time: number): string {
  const text = new Date(time).toISOString();
  return text.endsWith(':00.000Z') ? `${text.slice(0, 16)}Z` : `${text.slice(0, 19)}Z`;
}
