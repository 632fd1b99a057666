import type { ClockRecord } from '@emu/control-client';
import type { Kernel } from '@emu/core';
import { ControlError } from '@emu/core/service';
import { literal, number, strictObject, string, union } from 'valibot';
import { parseDuration } from './duration.ts';
import { type Route, route } from './route.ts';
import { validate } from './validate.ts';

const change = union(
  [
    strictObject({ freeze: literal(true) }),
    strictObject({ resume: literal(true) }),
    strictObject({ reset: literal(true) }),
    strictObject({ set: string() }),
    strictObject({ advance: union([number(), string()]) }),
  ],
  'The body must have exactly one of "freeze": true, "resume": true, "reset": true, "set": an ISO 8601 time and ' +
    '"advance": milliseconds or a duration such as "15m".',
);

const DAY = 86_400_000;
/** Largest advance of the time by one request: due timers run one by one, and a century has too many. */
const FURTHEST = 3660 * DAY;
/** Latest time, which responses can print: the end of the year 9999. */
const LATEST = Date.UTC(10_000, 0) - 1;

/** `/_emulator/clock`: reads and drives the emulated time. */
export function clockRoutes(kernel: Kernel): Route[] {
  const { clock } = kernel;
  const state = (): { json: ClockRecord } => {
    const { now, frozen, offset } = clock.state();
    return { json: { now: new Date(now).toISOString(), frozen, offset: frozen ? now - Date.now() : offset } };
  };
  return [
    route('GET /_emulator/clock', state),
    route('POST /_emulator/clock', async ({ body }) => {
      const wanted = validate(change, body);
      if ('freeze' in wanted) clock.freeze();
      else if ('resume' in wanted) clock.resume();
      else if ('reset' in wanted) clock.reset();
      else if ('set' in wanted) await clock.set(moment(wanted.set, clock.now()));
      else await clock.advance(within(duration(wanted.advance), clock.now()));
      // Due timers may have changed any service.
      await kernel.committed();
      return state();
    }),
  ];
}

/** ISO 8601 with a date, a time and an offset, which is one moment in every time zone. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

function moment(text: string, now: number): number {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || time < 0)
    throw invalid(`set: ${JSON.stringify(text)} is not a time such as 2030-01-31T12:00:00Z`);
  within(time - now, now);
  return time;
}

function duration(value: number | string): number {
  const parsed = parseDuration(value);
  if (parsed === undefined)
    throw invalid(`advance: ${JSON.stringify(value)} is neither milliseconds nor a duration such as 15m or 1h30m`);
  return parsed;
}

function within(ahead: number, now: number): number {
  if (now + ahead > LATEST) throw invalid('time moves forward at most to the end of the year 9999');
  if (ahead > FURTHEST) throw invalid(`time moves forward at most ${FURTHEST / DAY} days at once`);
  return ahead;
}

const invalid = (message: string): ControlError => new ControlError(400, 'InvalidRequest', `${message}.`);
