import type { Row } from '../row.ts';
import { type Kind, numberOf, scalarText, type Value } from '../values.ts';

/** A compiled expression. */
export interface Compiled {
  readonly kind: Kind;
  evaluate(row: Row): Value;
  /** Its value if it is constant. */
  readonly constant?: Value;
  /** Name of its field. */
  readonly name?: string;
  /** Text of a period such as `5m`. */
  readonly period?: { readonly amount: number; readonly unit: string };
}

/** Query context of functions. */
export interface QueryClock {
  /** Start of the query in epoch milliseconds. */
  readonly now: number;
  /** Queried time range in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A query function. */
export interface LanguageFunction {
  readonly min: number;
  readonly max: number;
  readonly kind: Kind;
  /** Display format of the result, if it depends on the arguments. */
  kindOf?(args: readonly Compiled[]): Kind;
  /** @throws Error with a message for the user for invalid arguments */
  make(args: readonly Compiled[], clock: QueryClock): (row: Row) => Value;
}

type Evaluate = (row: Row) => Value;

const evaluates = (args: readonly Compiled[]): Evaluate[] => args.map((arg) => (row) => arg.evaluate(row));

/** Defines a function of values. */
export const ofValues = (
  min: number,
  max: number,
  compute: (...values: Value[]) => Value,
  kind: Kind = 'plain',
): LanguageFunction => ({
  min,
  max,
  kind,
  make(args) {
    const all = evaluates(args);
    const [first, second] = all;
    if (all.length === 1) return (row) => compute(first!(row));
    if (all.length === 2) return (row) => compute(first!(row), second!(row));
    return (row) => compute(...all.map((evaluate) => evaluate(row)));
  },
});

/** Defines a function of texts; undefined if one is missing. */
export const ofTexts = (min: number, max: number, compute: (...texts: string[]) => Value): LanguageFunction =>
  ofValues(min, max, (...values) => {
    const texts = values.map(scalarText);
    return texts.includes(undefined) ? undefined : compute(...(texts as string[]));
  });

/** Defines a function of numbers; undefined if one is missing. */
export const ofNumbers = (min: number, max: number, compute: (...numbers: number[]) => number): LanguageFunction =>
  ofValues(
    min,
    max,
    (...values) => {
      const result = compute(...values.map(numberOf));
      return Number.isFinite(result) ? result : undefined;
    },
    'computed',
  );
