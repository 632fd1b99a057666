import { numberOf } from '../values.ts';
import { address } from './address.ts';
import { date } from './date.ts';
import type { LanguageFunction } from './function.ts';
import { general } from './general.ts';
import { json } from './json.ts';
import { numeric } from './numeric.ts';
import { text } from './text.ts';

/** Returns the original message, if the caller may see it. */
const unmask: LanguageFunction = {
  min: 1,
  max: 1,
  kind: 'plain',
  make: ([field]) => {
    const message = field!.constant === undefined && field!.name === '@message';
    return (row) => (message ? (row.event?.unmasked ?? row.event?.message) : field!.evaluate(row));
  },
};

/** Groups by the start of a number's range; the second argument is the range's width. */
const histogram: LanguageFunction = {
  min: 2,
  max: 2,
  kind: 'computed',
  make:
    ([field, width]) =>
    (row) => {
      const [value, range] = [numberOf(field!.evaluate(row)), numberOf(width!.evaluate(row))];
      const start = Math.floor(value / range) * range;
      return Number.isFinite(start) ? start : undefined;
    },
};

/**
 * Functions by lower-case name.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-operations-functions.html
 */
export const FUNCTIONS: ReadonlyMap<string, LanguageFunction> = new Map(
  Object.entries({ ...numeric, ...date, ...general, ...json, ...address, ...text, unmask, histogram }),
);
