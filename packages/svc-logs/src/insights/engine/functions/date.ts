import { parseDate } from '../../../dates/java-patterns.ts';
import { strftime } from '../../../dates/strftime.ts';
import { isZone } from '../../../dates/zones.ts';
import { ceilTo, floorTo, type WrittenPeriod } from '../periods.ts';
import { numberOf, scalarText, type Value } from '../values.ts';
import { type Compiled, type LanguageFunction, ofNumbers, ofValues } from './function.ts';

const UTC = 'UTC';

/** @throws Error if an argument is not a period */
function periodOf(argument: Compiled | undefined): WrittenPeriod {
  if (!argument?.period) throw new Error('A period such as 5m is expected');
  return argument.period;
}

const zoneOf = (zone: Value): string => {
  const name = scalarText(zone);
  return name !== undefined && isZone(name) ? name : UTC;
};

/** Rounds a timestamp down to a period. */
const rounding = (round: (period: WrittenPeriod) => (time: number) => number): LanguageFunction => ({
  min: 2,
  max: 2,
  kind: 'timestamp',
  make([timestamp, period]) {
    const to = round(periodOf(period));
    return (row) => {
      const time = numberOf(timestamp!.evaluate(row));
      return Number.isNaN(time) ? undefined : to(time);
    };
  },
});

function parsed(text: Value, pattern: Value, zone: Value): Value {
  const [written, form] = [scalarText(text), scalarText(pattern)];
  if (written === undefined || form === undefined) return undefined;
  try {
    return parseDate(written, form, zoneOf(zone));
  } catch {
    // A pattern with an unsupported letter matches nothing.
    return undefined;
  }
}

function formatted(timestamp: Value, format: Value, zone: Value): Value {
  const [time, form] = [numberOf(timestamp), scalarText(format)];
  return Number.isNaN(time) || form === undefined ? undefined : strftime(time, form, zoneOf(zone));
}

/** Date and time functions. */
export const date: Readonly<Record<string, LanguageFunction>> = {
  bin: {
    min: 1,
    max: 1,
    kind: 'timestamp',
    make([period]) {
      const floor = floorTo(periodOf(period));
      return ({ event }) => event && floor(event.timestamp);
    },
  },
  datefloor: rounding(floorTo),
  dateceil: rounding(ceilTo),
  frommillis: { ...ofNumbers(1, 1, (millis) => millis), kind: 'timestamp' },
  tomillis: { ...ofNumbers(1, 1, (timestamp) => timestamp), kind: 'plain' },
  now: {
    min: 0,
    max: 0,
    kind: 'plain',
    make:
      (_args, { now }) =>
      () =>
        Math.floor(now / 1000),
  },
  parsedate: ofValues(2, 3, parsed),
  formatdate: ofValues(2, 3, formatted),
  strftime: ofValues(2, 3, formatted),
};
