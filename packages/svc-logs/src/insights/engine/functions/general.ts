import { isTrue, numberOf, scalarText, type Value } from '../values.ts';
import { type LanguageFunction, ofValues } from './function.ts';

const MANY = Number.POSITIVE_INFINITY;
/** Conditions and values of `case`, and its default. */
const MAX_CASE = 21;

/** Defines a function whose result has the display format of its arguments. */
const choosing = (
  min: number,
  max: number,
  from: number,
  compute: (...values: Value[]) => Value,
): LanguageFunction => ({
  ...ofValues(min, max, compute),
  make: (args) => (row) => compute(...args.map((arg) => arg.evaluate(row))),
  kindOf: (args) => args[from]?.kind ?? 'plain',
});

/** Evaluates `case(condition, value, …, default)` */
function decide(...values: Value[]): Value {
  for (let index = 0; index + 1 < values.length; index += 2) if (isTrue(values[index])) return values[index + 1];
  return values.length % 2 ? values.at(-1) : undefined;
}

/** Functions of fields of any type. */
export const general: Readonly<Record<string, LanguageFunction>> = {
  ispresent: ofValues(1, 1, (value) => value !== undefined),
  coalesce: choosing(1, MANY, 0, (...values) => values.find((value) => value !== undefined)),
  case: choosing(2, MAX_CASE, 1, decide),
  if: choosing(3, 3, 1, (condition, yes, no) => (isTrue(condition) ? yes : no)),
  isnumeric: ofValues(1, 1, (value) => !Number.isNaN(numberOf(value))),
  messagesize: ofValues(1, 1, (value) => {
    const text = scalarText(value);
    return text === undefined ? undefined : Buffer.byteLength(text);
  }),
  querystarttime: {
    min: 0,
    max: 0,
    kind: 'plain',
    make:
      (_args, { start }) =>
      () =>
        start,
  },
  queryendtime: {
    min: 0,
    max: 0,
    kind: 'plain',
    make:
      (_args, { end }) =>
      () =>
        end,
  },
  querytimerange: {
    min: 0,
    max: 0,
    kind: 'plain',
    make:
      (_args, { start, end }) =>
      () =>
        end - start,
  },
};
