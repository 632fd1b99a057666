import { matchesWildcard } from '@emu/core/patterns';
import { isObject } from '@emu/wire';
import { type Environment, follow } from './environment.ts';
import { runtimeFailure } from './failure.ts';
import type { Json, JsonObject } from './json.ts';
import { parseTimestamp } from './timestamps.ts';

type Sign = (sign: number) => boolean;
const SIGNS: Record<string, Sign> = {
  Equals: (sign) => sign === 0,
  GreaterThan: (sign) => sign > 0,
  GreaterThanEquals: (sign) => sign >= 0,
  LessThan: (sign) => sign < 0,
  LessThanEquals: (sign) => sign <= 0,
};

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Comparators by type; they return undefined if a value has another type. */
const COMPARE: Record<string, (left: Json, right: Json) => number | undefined> = {
  String: (left, right) =>
    typeof left === 'string' && typeof right === 'string' ? compareText(left, right) : undefined,
  Numeric: (left, right) => (typeof left === 'number' && typeof right === 'number' ? left - right : undefined),
  Timestamp(left, right) {
    if (typeof left !== 'string' || typeof right !== 'string') return undefined;
    const [a, b] = [parseTimestamp(left), parseTimestamp(right)];
    return a === undefined || b === undefined ? undefined : a - b;
  },
  Boolean: (left, right) =>
    typeof left === 'boolean' && typeof right === 'boolean' ? Number(left) - Number(right) : undefined,
};

const TYPE_TESTS: Record<string, (value: Json) => boolean> = {
  IsNull: (value) => value === null,
  IsString: (value) => typeof value === 'string',
  IsNumeric: (value) => typeof value === 'number',
  IsBoolean: (value) => typeof value === 'boolean',
  IsTimestamp: (value) => typeof value === 'string' && parseTimestamp(value) !== undefined,
};

const OPERATOR =
  /^(String|Numeric|Timestamp|Boolean)(Equals|GreaterThanEquals|GreaterThan|LessThanEquals|LessThan)(Path)?$/;

/** Whether a name is a comparison operator such as `StringEquals`. */
export const isComparison = (name: string): boolean => {
  const parts = OPERATOR.exec(name);
  if (parts) return parts[1] !== 'Boolean' || parts[2] === 'Equals';
  return name === 'StringMatches' || name === 'IsPresent' || Object.hasOwn(TYPE_TESTS, name);
};

/** Returns the literal parts of a pattern of StringMatches: `*` matches any text, a backslash escapes it. */
function wildcardParts(pattern: string): string[] {
  const parts = [''];
  for (const [part, escaped] of pattern.matchAll(/\\([\\*])|\*|[^*\\]+|\\/g)) {
    if (part === '*') parts.push('');
    else parts[parts.length - 1] += escaped ?? part;
  }
  return parts;
}

/**
 * Whether the rule of a Choice state is true.
 * @throws StateFailure `States.Runtime` for a path without match
 * @see https://states-language.net/spec.html#choice-state
 */
export function holds(rule: JsonObject, env: Environment): boolean {
  if (Array.isArray(rule.And)) return rule.And.every((part) => holds(part as JsonObject, env));
  if (Array.isArray(rule.Or)) return rule.Or.some((part) => holds(part as JsonObject, env));
  if (isObject(rule.Not)) return !holds(rule.Not, env);
  const operator = Object.keys(rule).find(isComparison)!;
  const expected = rule[operator]!;
  const variable = rule.Variable as string;
  const found = follow(variable, env);
  if (operator === 'IsPresent') return found.found === expected;
  if (!found.found)
    throw runtimeFailure(`Invalid path '${variable}': The choice state's condition path references an invalid value.`);
  const test = TYPE_TESTS[operator];
  if (test) return test(found.value) === expected;
  if (operator === 'StringMatches')
    return typeof found.value === 'string' && matchesWildcard(wildcardParts(expected as string), found.value);
  const [, type, relation, path] = OPERATOR.exec(operator)!;
  let right: Json = expected;
  if (path) {
    const other = follow(expected as string, env);
    if (!other.found)
      throw runtimeFailure(
        `Invalid path '${expected as string}': The choice state's condition path references an invalid value.`,
      );
    right = other.value;
  }
  const sign = COMPARE[type!]!(found.value, right);
  return sign !== undefined && SIGNS[relation!]!(sign);
}
