/** A filter pattern, ready to be matched. */
export interface FilterPattern {
  /** Whether a message matches. */
  test(message: string): boolean;
  /**
   * What the pattern names of a message, by the names it uses: `$.latency` of a JSON pattern, `$status` of a
   * space-delimited one; nothing for a pattern of terms.
   */
  extract(message: string): Record<string, string>;
  /** Text that every matching message has, without characters that JSON escapes; undefined where none is known. */
  readonly literal?: string | undefined;
  /** How many regular expressions it has. */
  readonly expressions: number;
}

/** A text that is no filter pattern. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A value that a field is compared with. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'expression'; readonly expression: RegExp };

/** How a field is compared. */
export type Operator = '=' | '!=' | '<' | '>' | '<=' | '>=';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a text writes; undefined where it writes none. */
export const numberIn = (text: string): number | undefined => (NUMBER.test(text) ? Number(text) : undefined);

/**
 * Compares a value with an operand: by order only where both are numbers; by equality as text, in which asterisks at the
 * ends stand for anything, or as numbers where the operand is written as one.
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

/** Characters that AWS takes in regular expressions. */
const EXPRESSION = /^[A-Za-z0-9:_#=@/;,\-^$?[\]{}|\\*+.\s]+$/;

/** Compiles what stands between percent signs. @throws PatternError */
export function compileExpression(source: string): RegExp {
  if (!EXPRESSION.test(source)) throw new PatternError(`Invalid character(s) in term '%${source}%'`);
  try {
    return new RegExp(source);
  } catch {
    throw new PatternError(`Invalid regular expression in term '%${source}%'`);
  }
}

/** What a value of a pattern is read by. */
export const VALUE = /"(?:[^"\\]|\\.)*"|%(?:[^%\\]|\\.)*%|[^\s,&|()\]}=!<>"]+/y;

/** The operand that a value is. @throws PatternError */
export function operandOf(token: string): Operand {
  if (token.startsWith('%')) {
    if (token.length < 3 || !token.endsWith('%')) throw new PatternError(`Invalid character(s) in term '${token}'`);
    return { kind: 'expression', expression: compileExpression(token.slice(1, -1)) };
  }
  if (token.startsWith('"')) return { kind: 'text', text: unquoted(token), quoted: true };
  return { kind: 'text', text: token, quoted: false };
}

/** The text between quotes. */
export const unquoted = (token: string): string => token.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
