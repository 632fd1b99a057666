import { invalid } from '../context.ts';
import type { AttributeValue } from '../generated/dynamodb.ts';
import { type KeySchema, keyAttributes } from '../keys.ts';
import { compareValues, type Item, typeOf } from '../values.ts';
import { describeValue } from './condition.ts';
import type { Placeholders } from './placeholders.ts';
import { type Comparator, type ConditionNode, expressionError, type OperandNode, parseCondition } from './syntax.ts';

/** One comparison of a key attribute. */
export interface KeyComparison {
  attribute: string;
  operator: Exclude<Comparator, '<>'> | 'BETWEEN' | 'begins_with';
  /** One operand, or the two of BETWEEN. */
  operands: AttributeValue[];
}

/** What a query asks of the key: all partition key attributes equal, the first sort key attributes narrowed. */
export interface KeyCondition {
  hash: Item;
  /** Sort key attributes that must equal a value. */
  equal: Item;
  /** The comparison of the sort key attribute after those. */
  range?: KeyComparison;
}

const KIND = 'KeyConditionExpression';

/**
 * Parses a key condition expression into its comparisons.
 * @throws AwsError `ValidationException` for what a key condition may not be
 */
export function keyComparisons(text: string, placeholders: Placeholders): KeyComparison[] {
  const comparisons: KeyComparison[] = [];
  collect(parseCondition(KIND, text), comparisons, placeholders);
  const seen = new Set<string>();
  for (const { attribute } of comparisons) {
    if (seen.has(attribute)) throw invalid('KeyConditionExpressions must only contain one condition per key');
    seen.add(attribute);
  }
  return comparisons;
}

function collect(node: ConditionNode, into: KeyComparison[], placeholders: Placeholders): void {
  switch (node.type) {
    case 'and':
      for (const term of node.terms) collect(term, into, placeholders);
      return;
    case 'parentheses':
      if (node.term.type === 'parentheses') throw expressionError(KIND, 'The expression has redundant parentheses;');
      collect(node.term, into, placeholders);
      return;
    case 'or':
    case 'not':
    case 'in':
      throw invalid(`Invalid operator used in KeyConditionExpression: ${node.type.toUpperCase()}`);
    case 'compare':
      into.push(comparisonOf(node, placeholders));
      return;
    case 'between': {
      const operands = [node.low, node.high].map((operand) => literal(operand, placeholders));
      const [low, high] = operands as [AttributeValue, AttributeValue];
      if ((compareValues(low, high) ?? 0) > 0)
        throw expressionError(
          KIND,
          `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: ${describeValue(low)}, upper bound operand: AttributeValue: ${describeValue(high)}`,
        );
      into.push({ attribute: keyName(node.operand, placeholders), operator: 'BETWEEN', operands });
      return;
    }
    case 'function': {
      if (
        !['begins_with', 'attribute_exists', 'attribute_not_exists', 'attribute_type', 'contains', 'size'].includes(
          node.name,
        )
      )
        throw expressionError(KIND, `Invalid function name; function: ${node.name}`);
      if (node.name !== 'begins_with') throw invalid(`Invalid operator used in KeyConditionExpression: ${node.name}`);
      if (node.args.length !== 2)
        throw expressionError(
          KIND,
          `Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: ${node.args.length}`,
        );
      const prefix = literal(node.args[1]!, placeholders);
      if (prefix.S === undefined && prefix.B === undefined)
        throw expressionError(
          KIND,
          `Incorrect operand type for operator or function; operator or function: begins_with, operand type: ${typeOf(prefix)}`,
        );
      into.push({ attribute: keyName(node.args[0]!, placeholders), operator: 'begins_with', operands: [prefix] });
    }
  }
}

const MIRRORED: Record<Comparator, Comparator> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparisonOf(node: ConditionNode & { type: 'compare' }, placeholders: Placeholders): KeyComparison {
  const mirrored = node.left.type === 'value';
  const [key, value] = mirrored ? [node.right, node.left] : [node.left, node.right];
  const operator = mirrored ? MIRRORED[node.operator] : node.operator;
  if (operator === '<>') throw invalid('Invalid operator used in KeyConditionExpression: <>');
  return { attribute: keyName(key, placeholders), operator, operands: [literal(value, placeholders)] };
}

function keyName(node: OperandNode, placeholders: Placeholders): string {
  if (node.type !== 'path')
    throw invalid(
      node.type === 'function'
        ? `KeyConditionExpressions cannot contain nested operations`
        : 'Invalid condition in KeyConditionExpression: Multiple attribute values used in one condition',
    );
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
 * Fits comparisons to a key: equality of the whole partition key, then of sort key attributes from the first, then
 * one other comparison.
 * @throws AwsError `ValidationException` in the words DynamoDB uses for queries
 */
export function fitToKey(comparisons: readonly KeyComparison[], schema: KeySchema): KeyCondition {
  const simple = schema.hash.length === 1 && schema.range.length < 2;
  if (simple && (comparisons.length < 1 || comparisons.length > 2))
    throw invalid('Conditions can be of length 1 or 2 only');
  const byName = new Map(comparisons.map((comparison) => [comparison.attribute, comparison]));
  for (const { name, type } of keyAttributes(schema)) {
    const comparison = byName.get(name);
    const wrong = comparison?.operands.find((operand) => operand[type] === undefined);
    if (wrong)
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
    if (
      comparison?.operands.some((operand) => operand.S === '' || operand.B?.byteLength === 0) &&
      comparison.operator === '='
    )
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
      );
  }
  const condition: KeyCondition = { hash: {}, equal: {} };
  for (const { name } of schema.hash) {
    const comparison = byName.get(name);
    if (!comparison) throw invalid(`Query condition missed key schema element: ${name}`);
    if (comparison.operator !== '=') throw invalid('Query key condition not supported');
    condition.hash[name] = comparison.operands[0]!;
    byName.delete(name);
  }
  for (const { name } of schema.range) {
    const comparison = byName.get(name);
    if (!comparison || condition.range) break;
    if (comparison.operator === '=') condition.equal[name] = comparison.operands[0]!;
    else condition.range = comparison;
    byName.delete(name);
  }
  if (byName.size) {
    const missed = schema.range.find(({ name }) => !Object.hasOwn(condition.equal, name));
    throw invalid(
      missed && !condition.range
        ? `Query condition missed key schema element: ${missed.name}`
        : 'Query key condition not supported',
    );
  }
  return condition;
}
