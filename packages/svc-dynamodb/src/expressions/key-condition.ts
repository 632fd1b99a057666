import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { KeyAttribute, KeySchema } from '../attributes/keys.ts';
import type { Item } from '../attributes/values.ts';
import { invalid } from '../errors.ts';
import { bindCondition } from './condition.ts';
import type { Comparator, ConditionNode, OperandNode } from './nodes.ts';
import type { Placeholders } from './placeholders.ts';
import { expressionError, parseCondition } from './syntax.ts';

/** One comparison of a key attribute. */
export interface KeyComparison {
  attribute: string;
  operator: Exclude<Comparator, '<>'> | 'BETWEEN' | 'begins_with' | 'unindexable';
  /** One operand; two for BETWEEN. */
  operands: AttributeValue[];
}

/**
 * Key condition of a query: equality for all partition key attributes, optional conditions on leading sort key
 * attributes.
 */
export interface KeyCondition {
  hash: Item;
  /** Sort key attributes with equality conditions. */
  equal: Item;
  /** Comparison of the sort key attribute that follows `equal`. */
  range?: KeyComparison;
}

const KIND = 'KeyConditionExpression';

/**
 * Checks a key condition expression as a general condition; these checks precede the key checks.
 * @throws AwsError `ValidationException`
 */
export function checkKeyExpression(text: string, placeholders: Placeholders): void {
  bindCondition(KIND, text, placeholders);
}

/**
 * Returns the comparisons of a key condition expression.
 * @throws AwsError `ValidationException` for an expression that is not a valid key condition
 */
export function keyComparisons(text: string, placeholders: Placeholders): KeyComparison[] {
  const comparisons: KeyComparison[] = [];
  collect(parseCondition(KIND, text), comparisons, placeholders);
  return comparisons;
}

function collect(node: ConditionNode, into: KeyComparison[], placeholders: Placeholders): void {
  switch (node.type) {
    case 'and':
      for (const term of node.terms) collect(term, into, placeholders);
      return;
    case 'parentheses':
      collect(node.term, into, placeholders);
      return;
    case 'or':
    case 'not':
    case 'in':
      throw invalid(`Invalid operator used in KeyConditionExpression: ${node.type.toUpperCase()}`);
    case 'compare':
      add(comparisonOf(node, placeholders), into);
      return;
    case 'between': {
      const [attribute, operands] = keyAndLiterals('BETWEEN', [node.operand, node.low, node.high], placeholders);
      add({ attribute, operator: 'BETWEEN', operands }, into);
      return;
    }
    case 'function': {
      if (node.name !== 'begins_with') throw invalid(`Invalid operator used in KeyConditionExpression: ${node.name}`);
      const [attribute, operands] = keyAndLiterals('begins_with', node.args, placeholders);
      add({ attribute, operator: 'begins_with', operands }, into);
    }
  }
}

function add(comparison: KeyComparison, into: KeyComparison[]): void {
  if (into.some(({ attribute }) => attribute === comparison.attribute))
    throw expressionError(KIND, 'KeyConditionExpressions must only contain one condition per key');
  into.push(comparison);
}

/** Returns the operands of an operator whose first operand must be the key attribute. */
function keyAndLiterals(
  operator: string,
  [key, ...others]: readonly OperandNode[],
  placeholders: Placeholders,
): [attribute: string, operands: AttributeValue[]] {
  if (key?.type === 'value')
    throw invalid(
      `Invalid condition in KeyConditionExpression: ${operator} operator must have the key attribute as its first operand`,
    );
  return [keyName(key!, placeholders), others.map((operand) => literal(operand, placeholders))];
}

const MIRRORED: Record<Comparator, Comparator> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparisonOf(node: ConditionNode & { type: 'compare' }, placeholders: Placeholders): KeyComparison {
  if (node.operator === '<>') throw invalid('Invalid operator used in KeyConditionExpression: <>');
  if (node.left.type === 'value' && node.right.type === 'value')
    throw invalid('Invalid condition in KeyConditionExpression: No key attribute specified');
  const mirrored = node.left.type === 'value';
  const [key, value] = mirrored ? [node.right, node.left] : [node.left, node.right];
  const operator = mirrored ? MIRRORED[node.operator] : node.operator;
  return {
    attribute: keyName(key, placeholders),
    operator: operator as KeyComparison['operator'],
    operands: [literal(value, placeholders)],
  };
}

function keyName(node: OperandNode, placeholders: Placeholders): string {
  if (node.type !== 'path') throw invalid('KeyConditionExpressions cannot contain nested operations');
  const path = placeholders.path(KIND, node);
  if (path.length > 1) throw invalid('KeyConditionExpressions cannot have conditions on nested attributes');
  return path[0] as string;
}

function literal(node: OperandNode, placeholders: Placeholders): AttributeValue {
  if (node.type === 'value') return placeholders.value(KIND, node);
  throw invalid(
    node.type === 'path'
      ? 'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition'
      : 'KeyConditionExpressions cannot contain nested operations',
  );
}

/**
 * Assigns comparisons to a key: equality for the whole partition key, then equality for leading sort key attributes,
 * then one other comparison.
 * @param checkStart checks the exclusive start key's value of an attribute, before its comparison is checked
 * @throws AwsError `ValidationException` with DynamoDB's messages for queries
 */
export function fitToKey(
  comparisons: readonly KeyComparison[],
  schema: KeySchema,
  checkStart: (attribute: KeyAttribute) => void = () => {},
): KeyCondition {
  if (!comparisons.length) throw invalid('Conditions can be of length 1 or 2 only');
  const most = schema.hash.length + schema.range.length;
  if (comparisons.length > most)
    throw invalid(
      `The number of query conditions (${comparisons.length}) exceeds the number of key attributes defined in the schema (${most})`,
    );
  const byName = new Map(comparisons.map((comparison) => [comparison.attribute, comparison]));
  const condition: KeyCondition = { hash: {}, equal: {} };
  for (const attribute of schema.hash) {
    const { name } = attribute;
    checkStart(attribute);
    const comparison = byName.get(name);
    if (!comparison) throw invalid(`Query condition missed key schema element: ${name}`);
    checkComparison(comparison, attribute);
    if (comparison.operator !== '=') throw invalid('Query key condition not supported');
    condition.hash[name] = comparison.operands[0]!;
    byName.delete(name);
  }
  for (const attribute of schema.range) {
    checkStart(attribute);
    const comparison = byName.get(attribute.name);
    if (!comparison || condition.range) break;
    checkComparison(comparison, attribute);
    if (comparison.operator === '=') condition.equal[attribute.name] = comparison.operands[0]!;
    else condition.range = comparison;
    byName.delete(attribute.name);
  }
  if (byName.size) {
    const missed = schema.range.find(({ name }) => !Object.hasOwn(condition.equal, name));
    const behind = schema.range.find(({ name }) => byName.has(name));
    if (behind) {
      const before = schema.range.slice(0, schema.range.indexOf(behind)).map(({ name }) => name);
      const open = before.filter((name) => !Object.hasOwn(condition.equal, name));
      throw invalid(
        `RANGE key attributes ${open.join(', ')} must have equality conditions specified in the query because a condition is present on key attribute ${behind.name}`,
      );
    }
    throw invalid(
      missed && !condition.range
        ? `Query condition missed key schema element: ${missed.name}`
        : 'Query key condition not supported',
    );
  }
  return condition;
}

function checkComparison({ operator, operands }: KeyComparison, { name, type }: KeyAttribute): void {
  if (operator === 'unindexable') throw invalid('Attempted conditional constraint is not an indexable operation');
  if (operands.some((operand) => operand[type] === undefined))
    throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
  if (operands.some((operand) => operand.S === '' || operand.B?.byteLength === 0))
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
    );
}
