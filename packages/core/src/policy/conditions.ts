import { isObject } from '@emu/wire';
import { listOf } from './json.ts';
import { OPERATORS, type Operator, type OperatorName, operatorName, type ValueTest } from './operators.ts';
import type { ParsedCondition } from './rules.ts';
import type { Lookup } from './wildcards.ts';

/** One key of a `Condition` element, compiled. */
export interface Condition {
  /** As the policy spells it. */
  readonly key: string;
  /** Every condition key that it reads, including those of variables. */
  readonly keys: readonly string[];
  holds(lookup: Lookup): boolean;
}

/** Whether a condition may contain a value: text, a number or a boolean. */
export const isConditionValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns the values of a condition as text, without invalid ones. */
export const conditionValues = (value: unknown): string[] => listOf(value).filter(isConditionValue).map(String);

/** Compiles `Null`, which tests whether the key is absent. */
function nullCondition(key: string, values: readonly string[]): Condition {
  const wanted = values.map((value) => value.toLowerCase());
  return {
    key,
    keys: [key],
    holds: (lookup) => {
      const value = lookup(key);
      const absent = value === undefined || value.length === 0;
      return wanted.includes(String(absent));
    },
  };
}

/** Returns a condition that is never met, for an unknown operator. */
const impossible = (key: string): Condition => ({ key, keys: [key], holds: () => false });

function compared(
  key: string,
  operator: Operator,
  tests: readonly ValueTest[],
  qualifier: OperatorName['qualifier'],
  ifExists: boolean,
): Condition {
  const { negated } = operator;
  return {
    key,
    keys: [key, ...tests.flatMap(({ keys }) => keys)],
    holds: (lookup) => {
      const found = lookup(key);
      if (found === undefined || (typeof found !== 'string' && !found.length))
        return ifExists || qualifier === 'forallvalues' || (negated && qualifier === undefined);
      const hit = (value: string): boolean => tests.some((test) => test.matches(value, lookup));
      const values = typeof found === 'string' ? [found] : found;
      if (qualifier === 'forallvalues') return values.every((value) => hit(value) !== negated);
      if (qualifier === 'foranyvalue') return values.some((value) => hit(value) !== negated);
      return values.some(hit) !== negated;
    },
  };
}

/**
 * Compiles a `Condition` element; all of its conditions must be met.
 * @param variables whether `${…}` is replaced
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition.html
 */
export function compileConditions(element: unknown, variables: boolean): Condition[] {
  if (element === undefined) return [];
  // An invalid condition is never met.
  if (!isObject(element)) return [impossible('')];
  const conditions: Condition[] = [];
  for (const [spelled, keys] of Object.entries(element)) {
    if (!isObject(keys)) {
      conditions.push(impossible(''));
      continue;
    }
    const { name, qualifier, ifExists } = operatorName(spelled);
    const operator = OPERATORS.get(name);
    for (const [key, value] of Object.entries(keys)) {
      const values = conditionValues(value);
      if (name === 'null') conditions.push(nullCondition(key, values));
      else if (!operator) conditions.push(impossible(key));
      else {
        const tests = values.map((one) => operator.compile(one, variables));
        conditions.push(compared(key, operator, tests, qualifier, ifExists));
      }
    }
  }
  return conditions;
}

/**
 * Whether all conditions of a statement are met. @param lookup returns the value of a condition key as the policy
 * spells it
 */
export const conditionsHold = (conditions: readonly ParsedCondition[], lookup: Lookup): boolean =>
  conditions.every(({ operator, key, values }) =>
    compileConditions({ [operator]: { [key]: values } }, true).every((condition) => condition.holds(lookup)),
  );
