import type { AttributeValue, ConditionalOperator, ExpectedAttributeValue } from '@emu/service-types/dynamodb';
import { invalid } from '../errors.ts';
import { bindCondition, type Condition } from './condition.ts';
import { bindExpected } from './legacy-parameters.ts';
import { Placeholders } from './placeholders.ts';
import type { ExpressionKind } from './syntax.ts';

/** Rules between the parameters of item operations: expressions and legacy parameters exclude each other. */

interface PlaceholderInput {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, AttributeValue> | undefined;
}

const given = (input: object, names: readonly string[]): string[] =>
  names.filter((name) => (input as Record<string, unknown>)[name] !== undefined);

/**
 * Checks that a request uses either expressions or legacy parameters, and placeholders only with expressions.
 * @returns the request's placeholders
 * @throws AwsError `ValidationException`
 */
export function placeholdersOf(
  input: PlaceholderInput,
  expressions: readonly string[],
  legacy: readonly string[],
): Placeholders {
  const used = given(input, expressions);
  const old = given(input, legacy);
  if (used.length && old.length)
    throw invalid(
      `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old.join(', ')}} Expression parameters: {${used.join(', ')}}`,
    );
  if (!used.length && input.ExpressionAttributeNames)
    throw invalid('ExpressionAttributeNames can only be specified when using expressions');
  const withValues = expressions.filter((name) => name !== 'ProjectionExpression');
  if (!given(input, withValues).length && input.ExpressionAttributeValues)
    throw invalid(
      `ExpressionAttributeValues can only be specified when using expressions: ${withValues.join(' and ')} ${withValues.length > 1 ? 'are' : 'is'} null`,
    );
  return new Placeholders(input.ExpressionAttributeNames, input.ExpressionAttributeValues);
}

/** Returns the condition of a write, from an expression or legacy parameters. */
export function writeCondition(
  input: {
    ConditionExpression?: string | undefined;
    Expected?: Record<string, ExpectedAttributeValue> | undefined;
    ConditionalOperator?: ConditionalOperator | undefined;
  },
  placeholders: Placeholders,
): Condition | undefined {
  if (input.ConditionExpression !== undefined)
    return bindCondition('ConditionExpression', input.ConditionExpression, placeholders);
  if (input.Expected && Object.keys(input.Expected).length) {
    if (input.ConditionalOperator === 'OR' && Object.keys(input.Expected).length === 1)
      throw invalid('ConditionalOperator can only be used when Filter or Expected has two or more elements');
    return bindExpected(input.Expected, input.ConditionalOperator);
  }
  if (input.ConditionalOperator !== undefined)
    throw invalid('ConditionalOperator cannot be used without Filter or Expected');
  return undefined;
}

/** Binds an optional condition expression. */
export function optionalCondition(
  kind: ExpressionKind,
  text: string | undefined,
  placeholders: Placeholders,
): Condition | undefined {
  return text === undefined ? undefined : bindCondition(kind, text, placeholders);
}
