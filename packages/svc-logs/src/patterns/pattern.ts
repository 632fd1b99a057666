import { LinearRegex, RegexError } from '@emu/core/regex';

/** A compiled filter pattern. */
export interface FilterPattern {
  /** Whether a message matches. */
  test(message: string): boolean;
  /**
   * Extracts the pattern's names from a message: `$.latency` for a JSON pattern, `$status` for a space-delimited one;
   * empty for a term pattern.
   */
  extract(message: string): Record<string, string>;
  /** Text contained in every matching message, without characters that JSON escapes; undefined if unknown. */
  readonly literal?: string | undefined;
  /** Number of regular expressions. */
  readonly expressions: number;
}

/** An invalid filter pattern. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A regular expression of a filter pattern. */
export interface TextTest {
  /** Whether a text matches; false for a text that is too long for a complex expression. */
  test(text: string): boolean;
}

/** Operand of a comparison. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'expression'; readonly expression: TextTest };

/** Comparison operators. */
export type Operator = '=' | '!=' | '<' | '>' | '<=' | '>=';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a number; undefined if it is none. */
export const numberIn = (text: string): number | undefined => (NUMBER.test(text) ? Number(text) : undefined);

/**
 * Compares a value with an operand: by order only as numbers; for equality as text with asterisks as wildcards at the
 * ends, or as numbers if the operand is one.
 */
export function compare(value: string | number, operator: Operator, operand: Operand): boolean {
  if (operand.kind === 'expression') return operand.expression.test(String(value)) === (operator === '=');
  const number = operand.quoted ? undefined : numberIn(operand.text);
  switch (operator) {
    case '=':
      return equals(value, operand.text, number);
    case '!=':
      return !equals(value, operand.text, number);
    default:
      return typeof value === 'number' && number !== undefined && inOrder(value, operator, number);
  }
}

function inOrder(value: number, operator: Operator, bound: number): boolean {
  switch (operator) {
    case '<':
      return value < bound;
    case '>':
      return value > bound;
    case '<=':
      return value <= bound;
    default:
      return value >= bound;
  }
}

function equals(value: string | number, text: string, number: number | undefined): boolean {
  if (number !== undefined && typeof value === 'number') return value === number;
  const given = String(value);
  const start = text.startsWith('*');
  const end = text.length > 1 && text.endsWith('*');
  const core = text.slice(start ? 1 : 0, end ? -1 : undefined);
  if (start && end) return given.includes(core);
  if (start) return given.endsWith(core);
  return end ? given.startsWith(core) : given === core;
}

/** Characters that AWS permits in regular expressions. */
const EXPRESSION = /^[A-Za-z0-9:_#=@/;,\-^$?[\]{}|\\*+.\s]+$/;

/**
 * Compiles a regular expression between percent signs.
 * @throws PatternError
 */
export function compileExpression(source: string): TextTest {
  if (!EXPRESSION.test(source)) throw new PatternError(`Invalid character(s) in term '%${source}%'`);
  let regex: LinearRegex;
  try {
    regex = new LinearRegex(source);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw new PatternError(
      `Invalid regular expression in term '%${source}%'${error.invalid ? '' : `: ${error.message}`}`,
    );
  }
  return { test: (text) => regex.fits(text) && regex.test(text) };
}

/** Pattern of a value token. */
export const VALUE = /"(?:[^"\\]|\\.)*"|%(?:[^%\\]|\\.)*%|[^\s,&|()\]}=!<>"]+/y;

/**
 * Parses an operand.
 * @throws PatternError
 */
export function operandOf(token: string): Operand {
  if (token.startsWith('%')) {
    if (token.length < 3 || !token.endsWith('%')) throw new PatternError(`Invalid character(s) in term '${token}'`);
    return { kind: 'expression', expression: compileExpression(token.slice(1, -1)) };
  }
  if (token.startsWith('"')) return { kind: 'text', text: unquoted(token), quoted: true };
  return { kind: 'text', text: token, quoted: false };
}

/** Unescapes quoted text. */
export const unquoted = (token: string): string => token.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
