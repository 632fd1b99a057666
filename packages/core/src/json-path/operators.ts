import { isObject } from '@emu/wire';
import { RegexError, WholeRegex } from '../regex/index.ts';
import type { WorkBudget } from '../work/budget.ts';
import { countText, equal, type Json } from './json.ts';

/** Compares the values of a filter's operands; undefined for a path without a match. */
export type Compare = (left: Json | undefined, right: Json | undefined, budget: WorkBudget) => boolean;

/** Units of work of a regular expression that count as one step. */
const WORK_PER_STEP = 4;
/** Characters of a text that is searched that count as one step. */
const SEARCHED_PER_STEP = 16;
/** Steps that the compilation of one unit of a regular expression counts as. */
const COMPILE_STEPS = 20;

/** Returns an operator that compares two numbers or two texts. */
const ordered =
  (test: (sign: number) => boolean): Compare =>
  (left, right, budget) => {
    if (typeof left === 'number' && typeof right === 'number') return test(left - right);
    if (typeof left !== 'string' || typeof right !== 'string') return false;
    countText(left, budget);
    return test(left < right ? -1 : left > right ? 1 : 0);
  };

/** Whether a list contains a value. */
const has = (list: Json | undefined, value: Json | undefined, budget: WorkBudget): boolean =>
  Array.isArray(list) && list.some((item) => equal(item, value, budget));

/** Whether two lists have a common value; undefined unless both are lists. */
function intersect(left: Json | undefined, right: Json | undefined, budget: WorkBudget): boolean | undefined {
  if (!Array.isArray(left) || !Array.isArray(right)) return undefined;
  return left.some((item) => has(right, item, budget));
}

/** Returns the number of characters, items or members; undefined for other values. @param budget counts the members */
export function sizeOf(value: Json | undefined, budget: WorkBudget): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (!isObject(value)) return undefined;
  const { length } = Object.keys(value);
  budget.step(length);
  return length;
}

/** Whether a text contains another. */
function includes(text: string, part: Json | undefined, budget: WorkBudget): boolean {
  if (typeof part !== 'string') return false;
  budget.step(Math.ceil(text.length / SEARCHED_PER_STEP));
  return text.includes(part);
}

/** Operators that consist of symbols, each before those that it begins with. */
export const SYMBOLS: readonly (readonly [string, Compare])[] = [
  ['===', equal],
  ['!==', (left, right, budget) => !equal(left, right, budget)],
  ['==', equal],
  ['!=', (left, right, budget) => !equal(left, right, budget)],
  ['<=', ordered((sign) => sign <= 0)],
  ['>=', ordered((sign) => sign >= 0)],
  ['<', ordered((sign) => sign < 0)],
  ['>', ordered((sign) => sign > 0)],
];

/**
 * Operators that are words, in lower case.
 * @see https://github.com/json-path/JsonPath#filter-operators
 */
export const WORDS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['in', (left, right, budget) => has(right, left, budget)],
  ['nin', (left, right, budget) => !has(right, left, budget)],
  [
    'subsetof',
    (left, right, budget) =>
      Array.isArray(left) && Array.isArray(right) && left.every((item) => has(right, item, budget)),
  ],
  ['anyof', (left, right, budget) => intersect(left, right, budget) === true],
  ['noneof', (left, right, budget) => intersect(left, right, budget) === false],
  ['all', (left, right, budget) => Array.isArray(right) && right.every((item) => has(left, item, budget))],
  [
    'contains',
    (left, right, budget) => (typeof left === 'string' ? includes(left, right, budget) : has(left, right, budget)),
  ],
  ['size', (left, right, budget) => typeof right === 'number' && sizeOf(left, budget) === right],
  [
    'empty',
    (left, right, budget) => {
      const size = sizeOf(left, budget);
      return typeof right === 'boolean' && size !== undefined && (size === 0) === right;
    },
  ],
]);

/** The right side of the operator `=~`. */
export interface Pattern {
  /** Steps that its compilation counts as. */
  readonly cost: number;
  /** Whether it matches the whole text of a value, or of an item of a list. */
  matches(value: Json | undefined, budget: WorkBudget): boolean;
}

/**
 * Compiles a regular expression.
 * @param flags of Java's patterns, e.g. `i`
 * @returns undefined for an expression that is not supported
 */
export function compilePattern(source: string, flags: string): Pattern | undefined {
  let regex: WholeRegex;
  try {
    regex = new WholeRegex(source, {
      ignoreCase: flags.includes('i'),
      dotAll: flags.includes('s'),
      multiline: flags.includes('m'),
    });
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
  const matches = (text: string, budget: WorkBudget): boolean => {
    budget.step(Math.ceil(regex.work(text.length) / WORK_PER_STEP));
    return regex.test(text);
  };
  return {
    cost: regex.work(1) * COMPILE_STEPS,
    matches: (value, budget) =>
      Array.isArray(value)
        ? value.some((item) => matches(patternInput(item), budget))
        : matches(patternInput(value), budget),
  };
}

/** Returns the text that a pattern is compared with: empty for lists, objects and null. */
const patternInput = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
