import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { AwsError } from '@emu/wire';
import { dynamodbError } from '../errors.ts';
import type { Comparator, PathNode, SectionName } from '../expressions/nodes.ts';
import { SyntaxError as GrammarError, parse } from '../generated/partiql.js';

/** A literal as written: a constant, a parameter, or a collection of literals. */
export type LiteralNode =
  | { type: 'literal'; value: AttributeValue }
  | { type: 'parameter'; at: number }
  | { type: 'list' | 'set'; elements: LiteralNode[] }
  | MapNode;

export interface MapNode {
  type: 'map';
  entries: [string, LiteralNode][];
}

export type PartiqlOperand = LiteralNode | PathNode | { type: 'function'; name: string; args: PartiqlOperand[] };

export type PartiqlCondition =
  | { type: 'or' | 'and'; terms: PartiqlCondition[] }
  | { type: 'not'; term: PartiqlCondition }
  | { type: 'compare'; operator: Comparator; left: PartiqlOperand; right: PartiqlOperand }
  | { type: 'between'; operand: PartiqlOperand; low: PartiqlOperand; high: PartiqlOperand }
  | { type: 'in'; operand: PartiqlOperand; candidates: PartiqlOperand[] }
  | { type: 'function'; name: string; args: PartiqlOperand[] };

export type PartiqlSetValue =
  | PartiqlOperand
  | { type: 'arithmetic'; operator: '+' | '-'; left: PartiqlSetValue; right: PartiqlSetValue };

export interface PartiqlAction {
  section: SectionName;
  path: PathNode;
  /** Absent for REMOVE. */
  value?: PartiqlSetValue;
}

export type ReturningClause = 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_OLD' | 'UPDATED_NEW' | null;

export interface SelectStatement {
  type: 'select' | 'exists';
  /** Null for `*`. */
  projection: PathNode[] | null;
  table: string;
  index: string | null;
  where: PartiqlCondition | null;
  order: { name: string; descending: boolean }[] | null;
}

export type Statement =
  | SelectStatement
  | { type: 'insert'; table: string; item: MapNode }
  | { type: 'update'; table: string; actions: PartiqlAction[]; where: PartiqlCondition; returning: ReturningClause }
  | { type: 'delete'; table: string; where: PartiqlCondition; returning: ReturningClause };

/** A parsed statement and the positions of its parameters, in order. */
export interface ParsedStatement {
  statement: Statement;
  parameters: readonly number[];
}

const cache = new Map<string, ParsedStatement>();
const CACHE_LIMIT = 1000;
/** Maximum nesting depth of nodes; one level of nesting in the text has two or three nodes. */
const MAX_DEPTH = 500;

/**
 * Parses a statement.
 * @throws AwsError `ValidationException` with the position of the syntax error
 */
export function parseStatement(text: string): ParsedStatement {
  const known = cache.get(text);
  if (known) return known;
  let statement: Statement;
  try {
    statement = parse(text, { startRule: 'Statement' }) as Statement;
  } catch (error) {
    // The parser is recursive: deep nesting overflows its stack.
    if (error instanceof RangeError) throw tooDeep();
    if (!(error instanceof GrammarError)) throw error;
    // Errors raised by the grammar's own code, not syntax errors.
    if ((error as { expected?: unknown }).expected === null) throw refusal(error.message);
    const { offset } = error.location.start;
    const before = text.slice(0, offset).split('\n');
    throw dynamodbError(
      'ValidationException',
      `Statement wasn't well formed, can't be processed: Unexpected token at ${before.length}:${before.at(-1)!.length + 1}`,
    );
  }
  const parameters: number[] = [];
  collectParameters(statement, parameters, 0);
  const parsed = { statement, parameters: parameters.sort((a, b) => a - b) };
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, parsed);
  return parsed;
}

/**
 * Returns the error for a problem reported by the grammar: a complete message, or a detail of a malformed statement.
 */
function refusal(named: string): AwsError {
  const unreadable = named === '#' || named === '/*';
  if (!unreadable && !named.startsWith('Unexpected') && !named.startsWith('Syntax error'))
    return dynamodbError('ValidationException', named);
  const detail = unreadable ? '' : named;
  return dynamodbError('ValidationException', `Statement wasn't well formed, can't be processed: ${detail}`);
}

function tooDeep(): AwsError {
  return dynamodbError(
    'ValidationException',
    "Statement wasn't well formed, can't be processed: it is nested too deeply",
  );
}

/** Collects the parameters, and rejects statements whose nesting would overflow the stack of later recursive steps. */
function collectParameters(node: unknown, into: number[], depth: number): void {
  if (typeof node !== 'object' || node === null) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  const { type, at } = node as { type?: string; at?: number };
  if (type === 'parameter') into.push(at!);
  else for (const child of Object.values(node)) collectParameters(child, into, depth + 1);
}
