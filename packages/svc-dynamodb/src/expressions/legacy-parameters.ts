import type {
  AttributeValue,
  AttributeValueUpdate,
  ComparisonOperator,
  ConditionalOperator,
  ExpectedAttributeValue,
  Condition as LegacyCondition,
} from '@emu/service-types/dynamodb';
import type { AwsError } from '@emu/wire';
import { checkedValue, compareValues, equalValues, type Item, typeOf } from '../attributes/values.ts';
import { dynamodbError } from '../errors.ts';
import { type Condition, containsValue, startsWith } from './condition.ts';
import { NONE } from './paths.ts';
import { added, type Update, withoutElements } from './update.ts';

/** Parameters that preceded expressions: "Legacy conditional parameters" of the developer guide. */

const invalid = (message: string): AwsError => dynamodbError('ValidationException', message);

type Test = (value: AttributeValue | undefined) => boolean;

/** Minimum and maximum number of operands by operator. */
const ARITY: Readonly<Record<ComparisonOperator, readonly [number, number]>> = {
  EQ: [1, 1],
  NE: [1, 1],
  LE: [1, 1],
  LT: [1, 1],
  GE: [1, 1],
  GT: [1, 1],
  NOT_NULL: [0, 0],
  NULL: [0, 0],
  CONTAINS: [1, 1],
  NOT_CONTAINS: [1, 1],
  BEGINS_WITH: [1, 1],
  IN: [1, Number.POSITIVE_INFINITY],
  BETWEEN: [2, 2],
};

/** Allowed operand types by operator; all if absent. */
const OPERAND_TYPES: Partial<Record<ComparisonOperator, readonly string[]>> = {
  LE: ['S', 'N', 'B'],
  LT: ['S', 'N', 'B'],
  GE: ['S', 'N', 'B'],
  GT: ['S', 'N', 'B'],
  BETWEEN: ['S', 'N', 'B'],
  IN: ['S', 'N', 'B'],
  CONTAINS: ['S', 'N', 'B'],
  NOT_CONTAINS: ['S', 'N', 'B'],
  BEGINS_WITH: ['S', 'B'],
};

/**
 * Validates a legacy comparison and returns its test.
 * @throws AwsError `ValidationException`
 */
export function legacyTest(operator: ComparisonOperator, operands: readonly AttributeValue[]): Test {
  const [least, most] = ARITY[operator];
  if (operands.length < least || operands.length > most)
    throw invalid(
      `One or more parameter values were invalid: Invalid number of argument(s) for the ${operator} ComparisonOperator`,
    );
  const [first, second] = operands as [AttributeValue, AttributeValue];
  if (operands.some((operand) => typeOf(operand) !== typeOf(first)))
    throw invalid(
      'One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type',
    );
  const allowed = OPERAND_TYPES[operator];
  for (const operand of operands)
    if (allowed && !allowed.includes(typeOf(operand)))
      throw invalid(
        `One or more parameter values were invalid: ComparisonOperator ${operator} is not valid for ${typeOf(operand)} AttributeValue type`,
      );
  if (operator === 'BETWEEN' && compareValues(first, second)! > 0)
    throw invalid('The BETWEEN condition was provided a range where the lower bound is greater than the upper bound');
  const ordered = (accepts: (order: number) => boolean): Test => {
    return (value) => {
      const order = value && compareValues(value, first);
      return order !== undefined && accepts(order);
    };
  };
  switch (operator) {
    case 'EQ':
      return (value) => value !== undefined && equalValues(value, first);
    case 'NE':
      return (value) => value === undefined || !equalValues(value, first);
    case 'LE':
      return ordered((order) => order <= 0);
    case 'LT':
      return ordered((order) => order < 0);
    case 'GE':
      return ordered((order) => order >= 0);
    case 'GT':
      return ordered((order) => order > 0);
    case 'NOT_NULL':
      return (value) => value !== undefined;
    case 'NULL':
      return (value) => value === undefined;
    case 'CONTAINS':
      return (value) => containsValue(value, first);
    case 'NOT_CONTAINS':
      return (value) => value !== undefined && !containsValue(value, first);
    case 'BEGINS_WITH':
      return (value) => startsWith(value, first);
    case 'IN':
      return (value) => value !== undefined && operands.some((operand) => equalValues(value, operand));
    case 'BETWEEN':
      return (value) => {
        const low = value && compareValues(value, first);
        const high = value && compareValues(value, second);
        return low !== undefined && high !== undefined && low >= 0 && high <= 0;
      };
  }
}

function combined(tests: readonly (readonly [string, Test])[], operator: ConditionalOperator | undefined): Condition {
  const test =
    (item: Item) =>
    ([name, matches]: readonly [string, Test]) =>
      matches(Object.hasOwn(item, name) ? item[name] : undefined);
  return {
    matches: operator === 'OR' ? (item) => tests.some(test(item)) : (item) => tests.every(test(item)),
    attributes: new Set(tests.map(([name]) => name)),
    nested: NONE,
  };
}

/**
 * Binds `QueryFilter` or `ScanFilter` as a condition.
 * @throws AwsError `ValidationException`
 */
export function bindFilter(
  filter: Record<string, LegacyCondition>,
  operator: ConditionalOperator | undefined,
): Condition {
  return combined(
    Object.entries(filter).map(([name, { ComparisonOperator, AttributeValueList = [] }]) => {
      const operands = AttributeValueList.map((operand) => checkedValue(operand));
      return [name, legacyTest(ComparisonOperator, operands)] as const;
    }),
    operator,
  );
}

/**
 * Binds `Expected` as a condition.
 * @throws AwsError `ValidationException`
 */
export function bindExpected(
  expected: Record<string, ExpectedAttributeValue>,
  operator: ConditionalOperator | undefined,
): Condition {
  return combined(
    Object.entries(expected).map(([name, entry]) => [name, expectedTest(name, entry)] as const),
    operator,
  );
}

function expectedTest(name: string, entry: ExpectedAttributeValue): Test {
  if (entry.ComparisonOperator !== undefined) {
    if (entry.Exists !== undefined)
      throw invalid(
        `One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: ${name}`,
      );
    if (entry.Value !== undefined && entry.AttributeValueList !== undefined)
      throw invalid(
        `One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: ${name}`,
      );
    if (!entry.Value && !entry.AttributeValueList && ARITY[entry.ComparisonOperator][0] > 0)
      throw invalid(
        `One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: ${entry.ComparisonOperator} for Attribute: ${name}`,
      );
    const operands = entry.AttributeValueList ?? (entry.Value ? [entry.Value] : []);
    return legacyTest(
      entry.ComparisonOperator,
      operands.map((operand) => checkedValue(operand)),
    );
  }
  if (entry.AttributeValueList !== undefined)
    throw invalid(
      `One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for Attribute: ${name}`,
    );
  if (entry.Exists === false) {
    if (entry.Value)
      throw invalid(
        `One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: ${name}`,
      );
    return (value) => value === undefined;
  }
  if (!entry.Value)
    throw invalid(
      `One or more parameter values were invalid: Value must be provided when Exists is ${entry.Exists === undefined ? 'null' : 'true'} for Attribute: ${name}`,
    );
  const wanted = checkedValue(entry.Value);
  return (value) => value !== undefined && equalValues(value, wanted);
}

/**
 * Binds `AttributeUpdates` as an update.
 * @throws AwsError `ValidationException`
 */
export function bindAttributeUpdates(updates: Record<string, AttributeValueUpdate>): Update {
  const actions = Object.entries(updates).map(([name, { Action: action = 'PUT', Value }]) => {
    const value = Value && checkedValue(Value);
    if (!value && action !== 'DELETE')
      throw invalid(
        `One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified`,
      );
    if (action === 'DELETE' && value && !['SS', 'NS', 'BS'].includes(typeOf(value)))
      throw invalid(
        `One or more parameter values were invalid: DELETE action with value is not supported for the type ${typeOf(value)}`,
      );
    if (action === 'ADD' && !['N', 'SS', 'NS', 'BS', 'L'].includes(typeOf(value!)))
      throw invalid(
        `One or more parameter values were invalid: ADD action is not supported for the type ${typeOf(value!)}`,
      );
    return { name, action, value };
  });
  return {
    creates: !actions.length || actions.some(({ action }) => action !== 'DELETE'),
    targets: actions.map(({ name }) => [name]),
    nested: NONE,
    apply(draft) {
      for (const { name, action, value } of actions) {
        const current = Object.hasOwn(draft, name) ? draft[name] : undefined;
        const result = legacyResult(action, current, value);
        if (result) draft[name] = result;
        else delete draft[name];
      }
    },
  };
}

function checkSameType(current: AttributeValue | undefined, value: AttributeValue): void {
  if (current && typeOf(current) !== typeOf(value)) throw invalid('Type mismatch for attribute to update');
}

function legacyResult(
  action: 'PUT' | 'ADD' | 'DELETE',
  current: AttributeValue | undefined,
  value: AttributeValue | undefined,
): AttributeValue | undefined {
  if (action === 'PUT') return value;
  if (action === 'ADD') {
    if (value!.L && (!current || current.L)) return { L: [...(current?.L ?? []), ...value!.L] };
    checkSameType(current, value!);
    return added(current, value!);
  }
  if (!value || !current) return undefined;
  checkSameType(current, value);
  return withoutElements(current, value);
}
