import type { Row } from '../row.ts';
import { type Kind, numberOf, textOf, type Value } from '../values.ts';

/** An expression, ready to run. */
export interface Compiled {
  readonly kind: Kind;
  evaluate(row: Row): Value;
  /** What it is where that depends on no row. */
  readonly constant?: Value;
  /** Of a field. */
  readonly name?: string;
  /** Of a period such as `5m`. */
  readonly period?: { readonly amount: number; readonly unit: string };
}

/** What functions know of the query that they run in. */
export interface QueryClock {
  /** When the query was started, in epoch milliseconds. */
  readonly now: number;
  /** The time range that is queried, in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A function of the language. */
export interface LanguageFunction {
  readonly min: number;
  readonly max: number;
  readonly kind: Kind;
  /** How the result is shown, where that depends on the arguments. */
  kindOf?(args: readonly Compiled[]): Kind;
  /** @throws Error with a sentence for the user, where the arguments cannot be */
  make(args: readonly Compiled[], clock: QueryClock): (row: Row) => Value;
}

type Evaluate = (row: Row) => Value;

const evaluates = (args: readonly Compiled[]): Evaluate[] => args.map((arg) => (row) => arg.evaluate(row));

/** A function of values. */
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

/** A function of texts; nothing where one of them is missing. */
export const ofTexts = (min: number, max: number, compute: (...texts: string[]) => Value): LanguageFunction =>
  ofValues(min, max, (...values) => {
    const texts = values.map(textOf);
    return texts.includes(undefined) ? undefined : compute(...(texts as string[]));
  });

/** A function of numbers; nothing where one of them is missing. */
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
