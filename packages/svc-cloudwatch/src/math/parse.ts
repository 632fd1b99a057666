import { WorkBudget, WorkLimitError } from '@emu/core/service';

/** A metric math expression. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'id'; name: string }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'call'; name: string; arguments: Expression[] }
  | { kind: 'negate'; operand: Expression }
  | { kind: 'binary'; operator: Operator; left: Expression; right: Expression };

export type Operator = '+' | '-' | '*' | '/' | '^' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '&&' | '||';

/** An expression that is invalid or cannot be evaluated. */
export class MathError extends Error {
  override readonly name = 'MathError';
}

/** Maximum nesting depth of parentheses, signs and calls. AWS documents no limit below that of the length. */
const MAX_DEPTH = 100;

/** Operators by precedence, lowest first. */
const LEVELS: readonly (readonly Operator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
];

const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z][A-Za-z0-9_]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(==|!=|<=|>=|&&|\|\||[-+*/^<>(),[\]]))/y;
const WORD_OPERATORS: Readonly<Record<string, Operator>> = { AND: '&&', OR: '||' };

interface Token {
  kind: 'number' | 'word' | 'string' | 'sign' | 'end';
  text: string;
}

/**
 * Parses an expression.
 * @throws MathError if it is invalid
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function parseExpression(text: string): Expression {
  const parser = new Parser(tokensOf(text));
  try {
    return parser.whole();
  } catch (error) {
    if (error instanceof WorkLimitError) throw new MathError('The expression is nested too deeply');
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new MathError(`Unexpected character: '${text.slice(from).trimStart()[0]}'`);
    const [, number, word, string, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined)
      tokens.push(WORD_OPERATORS[word] ? { kind: 'sign', text: WORD_OPERATORS[word] } : { kind: 'word', text: word });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string.slice(1, -1).replace(/\\(.)/g, '$1') });
    else tokens.push({ kind: 'sign', text: sign! });
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

class Parser {
  private position = 0;
  private readonly budget = new WorkBudget({ depth: MAX_DEPTH });

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const expression = this.level(0);
    if (this.current.kind !== 'end') throw this.unexpected();
    return expression;
  }

  private get current(): Token {
    return this.tokens[this.position]!;
  }

  private unexpected(): MathError {
    return new MathError(this.current.kind === 'end' ? 'Unexpected end' : `Unexpected token: '${this.current.text}'`);
  }

  private takes(sign: string): boolean {
    if (this.current.kind !== 'sign' || this.current.text !== sign) return false;
    this.position++;
    return true;
  }

  private needs(sign: string): void {
    if (!this.takes(sign)) throw this.unexpected();
  }

  private level(level: number): Expression {
    const operators = LEVELS[level];
    if (!operators) return this.unary();
    let left = this.level(level + 1);
    for (;;) {
      const operator = this.current.kind === 'sign' && operators.find((candidate) => candidate === this.current.text);
      if (!operator) return left;
      this.position++;
      left = { kind: 'binary', operator, left, right: this.level(level + 1) };
    }
  }

  private unary(): Expression {
    return this.budget.nested(() => this.signed());
  }

  private signed(): Expression {
    if (this.takes('-')) return { kind: 'negate', operand: this.unary() };
    if (this.takes('+')) return this.unary();
    const base = this.primary();
    return this.takes('^') ? { kind: 'binary', operator: '^', left: base, right: this.unary() } : base;
  }

  private primary(): Expression {
    const { kind, text } = this.current;
    if (kind === 'end') throw this.unexpected();
    if (this.takes('(')) {
      const inner = this.level(0);
      this.needs(')');
      return inner;
    }
    if (this.takes('[')) return { kind: 'list', items: this.list(']') };
    if (kind === 'sign') throw this.unexpected();
    this.position++;
    if (kind === 'number') return { kind: 'number', value: Number(text) };
    if (kind === 'string') return { kind: 'string', value: text };
    return this.takes('(') ? { kind: 'call', name: text, arguments: this.list(')') } : { kind: 'id', name: text };
  }

  private list(end: string): Expression[] {
    const items: Expression[] = [];
    if (this.takes(end)) return items;
    for (;;) {
      items.push(this.level(0));
      if (this.takes(end)) return items;
      this.needs(',');
    }
  }
}

/** Yields an expression and all of its parts. */
function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  switch (expression.kind) {
    case 'list':
      for (const item of expression.items) yield* partsOf(item);
      break;
    case 'call':
      for (const argument of expression.arguments) yield* partsOf(argument);
      break;
    case 'negate':
      yield* partsOf(expression.operand);
      break;
    case 'binary':
      yield* partsOf(expression.left);
      yield* partsOf(expression.right);
      break;
  }
}

/** Returns the ids of other queries in an expression; `METRICS()` includes every metric. */
export function idsOf(expression: Expression): Set<string> {
  const found = new Set<string>();
  for (const part of partsOf(expression)) if (part.kind === 'id' && !/^[A-Z_]+$/.test(part.name)) found.add(part.name);
  return found;
}

/** Yields the function calls in an expression. */
export function* callsIn(expression: Expression): Generator<Extract<Expression, { kind: 'call' }>> {
  for (const part of partsOf(expression)) if (part.kind === 'call') yield part;
}
