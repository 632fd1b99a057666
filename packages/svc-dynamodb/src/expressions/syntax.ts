import { exceedsBytes } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { dynamodbError } from '../errors.ts';
import { SyntaxError as GrammarError, parse } from '../generated/expressions.js';
import { conditionProblem, projectionProblem, updateProblem } from './checks.ts';
import type { ConditionNode, PathNode, UpdateNode } from './nodes.ts';

/** Parameter of an expression, as named in error messages. */
export type ExpressionKind =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';

/** Maximum bytes of an expression. */
const MAX_LENGTH = 4096;

/** Cache of parsed expressions by start rule and text: applications use few distinct expressions, often. */
const parsed = new Map<string, Parsed<unknown>>();
const CACHE_LIMIT = 1000;

/** A parsed expression, with problems that do not depend on its placeholders. */
interface Parsed<Node> {
  node: Node;
  problem: string | undefined;
}

const TOKEN = /[:#]?[A-Za-z0-9_]+|<=|>=|<>|\S/g;

/** Returns the error for an invalid expression. */
export function expressionError(kind: ExpressionKind, problem: string): AwsError {
  return dynamodbError('ValidationException', `Invalid ${kind}: ${problem}`);
}

/** Returns the syntax error with the unexpected token and its neighbours, as DynamoDB does. */
function syntaxError(kind: ExpressionKind, text: string, offset: number): AwsError {
  const tokens = [...text.matchAll(TOKEN)];
  const found = tokens.findIndex((match) => match.index + match[0].length > offset);
  const at = found < 0 ? tokens.length : found;
  const token = tokens[at]?.[0] ?? '<EOF>';
  const first = tokens[Math.max(0, at - 1)];
  const last = tokens[Math.min(tokens.length - 1, at + 1)];
  const near = first && last ? text.slice(first.index, last.index + last[0].length) : text;
  return expressionError(kind, `Syntax error; token: "${token}", near: "${near}"`);
}

function parseRule<Node>(
  kind: ExpressionKind,
  text: string,
  startRule: 'Condition' | 'Update' | 'Projection',
  problemOf: (node: Node) => string | undefined,
): Node {
  if (text.trim() === '') throw expressionError(kind, 'The expression can not be empty;');
  if (exceedsBytes(text, MAX_LENGTH))
    throw expressionError(
      kind,
      `Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`,
    );
  const key = `${startRule} ${text}`;
  let known = parsed.get(key) as Parsed<Node> | undefined;
  if (!known) {
    known = parseAnew(kind, text, startRule, problemOf);
    if (parsed.size >= CACHE_LIMIT) parsed.clear();
    parsed.set(key, known);
  }
  if (known.problem !== undefined) throw expressionError(kind, known.problem);
  return known.node;
}

function parseAnew<Node>(
  kind: ExpressionKind,
  text: string,
  startRule: 'Condition' | 'Update' | 'Projection',
  problemOf: (node: Node) => string | undefined,
): Parsed<Node> {
  try {
    const node = parse(text, { startRule }) as Node;
    return { node, problem: problemOf(node) };
  } catch (error) {
    // The parser recurses into parentheses: deep nesting overflows its stack.
    if (error instanceof RangeError) throw expressionError(kind, 'The expression is nested too deeply;');
    if (error instanceof GrammarError) throw syntaxError(kind, text, error.location.start.offset);
    throw error;
  }
}

/**
 * Parses a condition, filter or key condition expression.
 * @throws AwsError `ValidationException`
 */
export function parseCondition(kind: ExpressionKind, text: string): ConditionNode {
  return parseRule<ConditionNode>(kind, text, 'Condition', conditionProblem);
}

/**
 * Parses an update expression.
 * @throws AwsError `ValidationException`
 */
export function parseUpdate(text: string): UpdateNode {
  return parseRule<UpdateNode>('UpdateExpression', text, 'Update', updateProblem);
}

/**
 * Parses a projection expression.
 * @throws AwsError `ValidationException`
 */
export function parseProjection(text: string): PathNode[] {
  return parseRule<PathNode[]>('ProjectionExpression', text, 'Projection', projectionProblem);
}
