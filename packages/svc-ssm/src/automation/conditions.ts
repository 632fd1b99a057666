import { isObject, textOf } from '@emu/wire';
import type { Json } from '../documents/content.ts';
import { StepFailure } from './failures.ts';

/**
 * Comparison operators of `aws:branch` and loops.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-branch-condition.html
 */
const OPERATORS: Readonly<Record<string, (value: Json, operand: Json) => boolean>> = {
  StringEquals: (value, operand) => textOf(value) === textOf(operand),
  EqualsIgnoreCase: (value, operand) => textOf(value).toLowerCase() === textOf(operand).toLowerCase(),
  StartsWith: (value, operand) => textOf(value).startsWith(textOf(operand)),
  EndsWith: (value, operand) => textOf(value).endsWith(textOf(operand)),
  Contains: (value, operand) =>
    Array.isArray(value) ? value.map(textOf).includes(textOf(operand)) : textOf(value).includes(textOf(operand)),
  NumericEquals: (value, operand) => Number(value) === Number(operand),
  NumericGreater: (value, operand) => Number(value) > Number(operand),
  NumericLesser: (value, operand) => Number(value) < Number(operand),
  NumericGreaterOrEquals: (value, operand) => Number(value) >= Number(operand),
  NumericLesserOrEquals: (value, operand) => Number(value) <= Number(operand),
  BooleanEquals: (value, operand) => textOf(value).toLowerCase() === textOf(operand).toLowerCase(),
};

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

/**
 * Whether a condition with resolved references is true.
 * @throws StepFailure if it cannot be evaluated
 */
export function holds(condition: Json): boolean {
  if (!isObject(condition)) throw new StepFailure('A condition is not an object', 'InputResolution');
  const { And, Or, Not, Variable = null, NextStep: _next, ...comparisons } = condition;
  if (And !== undefined) return listOf(And).every(holds);
  if (Or !== undefined) return listOf(Or).some(holds);
  if (Not !== undefined) return !listOf(Not).every(holds);
  const entries = Object.entries(comparisons);
  if (entries.length === 0) throw new StepFailure('A condition compares nothing', 'InputResolution');
  return entries.every(([operator, operand]) => {
    const compare = OPERATORS[operator];
    if (!compare) throw new StepFailure(`The operator ${operator} is not supported`, 'InputResolution');
    return compare(Variable, operand);
  });
}
