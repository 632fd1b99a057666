import ICAL from 'ical.js';
import { invalidContent } from './errors.ts';

/** Default state of a calendar. */
export type CalendarType = 'DEFAULT_OPEN' | 'DEFAULT_CLOSED';

const PRODUCT = '-//AWS//Change Calendar 1.0//EN';

/**
 * Parses a change calendar in iCalendar format.
 * @throws AwsError `InvalidDocumentContent`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/change-calendar-create.html
 */
export function readCalendar(text: string): { type: CalendarType; calendar: ICAL.Component } {
  let calendar: ICAL.Component;
  try {
    const parsed = ICAL.parse(text) as unknown[];
    calendar = new ICAL.Component((Array.isArray(parsed[0]) ? parsed[0] : parsed) as never);
  } catch {
    throw invalidContent('The content is not a calendar in iCalendar format.');
  }
  if (calendar.name !== 'vcalendar') throw invalidContent('The content is not a calendar in iCalendar format.');
  if (calendar.getFirstPropertyValue('prodid') !== PRODUCT)
    throw invalidContent(`The PRODID of a change calendar is ${PRODUCT}.`);
  const type = calendar.getFirstPropertyValue('x-calendar-type');
  if (type !== 'DEFAULT_OPEN' && type !== 'DEFAULT_CLOSED')
    throw invalidContent('The X-CALENDAR-TYPE of a change calendar is DEFAULT_OPEN or DEFAULT_CLOSED.');
  return { type, calendar };
}

/**
 * Validates a change calendar.
 * @throws AwsError `InvalidDocumentContent` for other content
 */
export function checkCalendar(text: string): void {
  readCalendar(text);
}
