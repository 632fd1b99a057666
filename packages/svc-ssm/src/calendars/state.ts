import ICAL from 'ical.js';
import type { CalendarType } from '../documents/calendar.ts';
import { ssmError } from '../errors.ts';

/** A period of an event in epoch milliseconds; the end is exclusive. */
interface Period {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of occurrences of an event that are examined, and the horizon in milliseconds. */
const MAX_OCCURRENCES = 50_000;
const HORIZON = 2 * 366 * 86_400_000;

const unsupported = (message: string) => ssmError('UnsupportedCalendarException', message);

/** Yields the periods of an event that end after a time and begin before the horizon. */
function* periodsOf(component: ICAL.Component, time: number): Generator<Period> {
  const event = new ICAL.Event(component);
  if (!event.startDate) throw unsupported('An event of the calendar has no start.');
  const length = Math.max(0, event.duration.toSeconds() * 1000);
  const period = (start: ICAL.Time): Period => {
    const from = start.toJSDate().getTime();
    return { start: from, end: from + length };
  };
  if (!event.isRecurring()) {
    yield period(event.startDate);
    return;
  }
  if (['SECONDLY', 'MINUTELY'].some((frequency) => event.getRecurrenceTypes()[frequency as never]))
    throw unsupported('An event of the calendar recurs more often than every hour.');
  const iterator = event.iterator();
  for (let count = 0, next = iterator.next(); next; count++, next = iterator.next()) {
    if (count > MAX_OCCURRENCES) throw unsupported('An event of the calendar recurs too often.');
    const one = period(next);
    if (one.start > time + HORIZON) return;
    if (one.end > time) yield one;
  }
}

/** State of a change calendar at a time. */
export interface CalendarAt {
  readonly open: boolean;
  /** Time of the next state change in epoch milliseconds; undefined if there is none within two years. */
  readonly next: number | undefined;
}

/**
 * Returns the state of a calendar at a time: events close a `DEFAULT_OPEN` calendar and open a `DEFAULT_CLOSED` one.
 * @throws AwsError `UnsupportedCalendarException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/systems-manager-change-calendar.html
 */
export function calendarAt(type: CalendarType, calendar: ICAL.Component, time: number): CalendarAt {
  const periods = calendar
    .getAllSubcomponents('vevent')
    .flatMap((event) => [...periodsOf(event, time)])
    .sort((a, b) => a.start - b.start);
  const isWithin = (at: number): boolean => periods.some(({ start, end }) => start <= at && at < end);
  const within = isWithin(time);
  const changes = periods.flatMap(({ start, end }) => [start, end]).filter((at) => at > time);
  const next = changes.sort((a, b) => a - b).find((at) => isWithin(at) !== within);
  return { open: within === (type === 'DEFAULT_CLOSED'), next };
}
