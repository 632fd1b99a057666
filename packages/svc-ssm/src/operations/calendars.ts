import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import { calendarAt } from '../calendars/state.ts';
import type { SsmContext } from '../context.ts';
import { readCalendar } from '../documents/calendar.ts';
import { resolveDocument } from '../documents/resolve.ts';
import { invalid, ssmError } from '../errors.ts';

/** Maximum number of state changes of single calendars that are examined for a combined one. */
const MAX_CHANGES = 500;

const isoSeconds = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');

/**
 * Whether changes are allowed; with several calendars, only if all are open.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetCalendarState.html
 */
export function GetCalendarState(input: InputOf<'GetCalendarState'>, ctx: SsmContext): OutputOf<'GetCalendarState'> {
  const time = input.AtTime === undefined ? Math.floor(ctx.clock.now()) : Date.parse(input.AtTime);
  if (Number.isNaN(time)) throw invalid(`AtTime is not in ISO 8601 format: ${input.AtTime}.`);
  const calendars = input.CalendarNames.map((name) => {
    const { type, version } = resolveDocument(ctx.state, name);
    if (type !== 'ChangeCalendar')
      throw ssmError('InvalidDocumentType', `The document ${name} is not a change calendar.`);
    return readCalendar(version.content);
  });
  const statesAt = (at: number) => calendars.map(({ type, calendar }) => calendarAt(type, calendar, at));
  const isOpen = (at: number): boolean => statesAt(at).every((state) => state.open);
  const open = isOpen(time);
  // The combined state changes at a change of some calendar, but not at every such change.
  let next: number | undefined = time;
  for (let count = 0; next !== undefined && isOpen(next) === open; count++) {
    const changes: number[] =
      count < MAX_CHANGES ? statesAt(next).flatMap(({ next: one }) => (one === undefined ? [] : [one])) : [];
    next = changes.length > 0 ? Math.min(...changes) : undefined;
  }
  return {
    State: open ? 'OPEN' : 'CLOSED',
    AtTime: isoSeconds(time),
    ...(next !== undefined && { NextTransitionTime: isoSeconds(next) }),
  };
}
