import { isObject } from '@emu/wire';
import type { WorkBudget } from '../work/budget.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Characters of compared texts that count as one step. */
const COMPARED_PER_STEP = 2048;

/** Counts the comparison of a text with another. @throws WorkLimitError */
export const countText = ({ length }: string, budget: WorkBudget): void =>
  budget.step(Math.floor(length / COMPARED_PER_STEP));

/**
 * Whether two values are equal, independent of member order.
 * @param budget counts compared values
 * @throws WorkLimitError
 */
export function equal(left: Json | undefined, right: Json | undefined, budget: WorkBudget): boolean {
  budget.step();
  if (typeof left === 'string') countText(left, budget);
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equal(item, right[index], budget))
    );
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key], budget))
  );
}
