import { isObject } from '@emu/wire';
import type { WorkBudget } from './budget.ts';

/**
 * Returns the JSON of a value with sorted keys and without spaces, which is equal for equal values only.
 * @param budget counts the values
 * @throws WorkLimitError
 */
export function canonicalJson(value: unknown, budget?: WorkBudget): string {
  budget?.step();
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, budget)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name], budget)}`).join()}}`;
}
