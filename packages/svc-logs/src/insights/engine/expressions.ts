import { type LinearRegex, RegexError } from '@emu/core/regex';
import { QueryError } from '../language/errors.ts';
import type { Expression } from '../language/syntax.ts';
import type { Compiled, QueryClock } from './functions/function.ts';
import { FUNCTIONS } from './functions/index.ts';
import { regexOf } from './regex.ts';
import type { Row } from './row.ts';
import type { Scope } from './scope.ts';
import { compare, equal, isTrue, numberOf, scalarText, type Value, walk } from './values.ts';

type Of<Type extends Expression['type']> = Extract<Expression, { type: Type }>;
type Evaluate = (row: Row) => Value;

const ARITHMETIC: Readonly<Record<Of<'arithmetic'>['operator'], (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
};

/** Required sign of a comparison; never true for incomparable values. */
const ORDER: Readonly<Record<'<' | '<=' | '>' | '>=', (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compiles expressions. */
export class Expressions {
  /** @param replaced replacements of expressions, such as aggregation results */
  constructor(
    private readonly scope: Scope,
    private readonly clock: QueryClock,
    private readonly replaced: ReadonlyMap<Expression, Compiled> = new Map(),
  ) {}

  /** @throws QueryError */
  compile(expression: Expression): Compiled {
    const replacement = this.replaced.get(expression);
    if (replacement) return replacement;
    switch (expression.type) {
      case 'field':
        return this.scope.resolve(expression.name, expression.segments);
      case 'number':
      case 'text':
      case 'boolean': {
        const { value } = expression;
        return { kind: 'plain', constant: value, evaluate: () => value };
      }
      case 'period':
        return { kind: 'plain', period: expression, evaluate: () => undefined };
      case 'all':
        return { kind: 'plain', constant: true, evaluate: () => true };
      case 'regex':
        return { kind: 'plain', constant: expression.source, evaluate: () => expression.source };
      case 'call':
        return this.call(expression);
      case 'access': {
        const of = this.compile(expression.of);
        return plain((row) => walk(of.evaluate(row), expression.segments));
      }
      case 'or':
      case 'and':
        return this.joined(expression);
      case 'not': {
        const term = this.compile(expression.term);
        return plain((row) => !isTrue(term.evaluate(row)));
      }
      case 'negative': {
        const term = this.compile(expression.term);
        return computed((row) => -numberOf(term.evaluate(row)));
      }
      case 'arithmetic': {
        const [left, right] = [this.compile(expression.left), this.compile(expression.right)];
        const operate = ARITHMETIC[expression.operator];
        return computed((row) => operate(numberOf(left.evaluate(row)), numberOf(right.evaluate(row))));
      }
      case 'compare':
        return this.comparison(expression);
      case 'like':
        return this.like(expression);
      case 'in':
        return this.membership(expression);
      case 'subquery':
        throw new Error('subqueries must be replaced first');
    }
  }

  private call({ name, args, open }: Of<'call'>): Compiled {
    const definition = FUNCTIONS.get(name)!;
    const compiled = args.map((arg) => this.compile(arg));
    try {
      const evaluate = definition.make(compiled, this.clock);
      return { kind: definition.kindOf?.(compiled) ?? definition.kind, evaluate };
    } catch (error) {
      throw new QueryError((error as Error).message, open, open + 1);
    }
  }

  private joined({ type, terms }: Of<'or' | 'and'>): Compiled {
    const conditions = terms.map((term) => this.compile(term));
    const decisive = type === 'or';
    return plain((row) => {
      for (const condition of conditions) if (isTrue(condition.evaluate(row)) === decisive) return decisive;
      return !decisive;
    });
  }

  private comparison({ operator, left, right }: Of<'compare'>): Compiled {
    const [a, b] = [this.compile(left), this.compile(right)];
    if (operator === '=') return plain((row) => equal(a.evaluate(row), b.evaluate(row)));
    if (operator === '!=') return plain((row) => !equal(a.evaluate(row), b.evaluate(row)));
    const holds = ORDER[operator];
    return plain((row) => holds(compare(a.evaluate(row), b.evaluate(row))));
  }

  private like({ operand, pattern }: Of<'like'>): Compiled {
    const of = this.compile(operand);
    if (pattern.type === 'regex') {
      const regex = compileRegex(pattern.source, pattern.offset);
      return plain((row) => {
        const text = scalarText(of.evaluate(row));
        return text !== undefined && regex.test(text);
      });
    }
    const part = this.compile(pattern);
    return plain((row) => {
      const [text, wanted] = [scalarText(of.evaluate(row)), scalarText(part.evaluate(row))];
      return text !== undefined && wanted !== undefined && text.includes(wanted);
    });
  }

  private membership({ operand, candidates }: Of<'in'>): Compiled {
    const of = this.compile(operand);
    const all = candidates.map((candidate) => this.compile(candidate));
    const texts = new Set(all.map(({ constant }) => constant));
    const simple = all.every(({ constant }) => typeof constant === 'string');
    return plain((row) => {
      const value = of.evaluate(row);
      if (simple && typeof value === 'string') return texts.has(value);
      return all.some((candidate) => equal(value, candidate.evaluate(row)));
    });
  }
}

const plain = (evaluate: Evaluate): Compiled => ({ kind: 'plain', evaluate });

/** Evaluates arithmetic; undefined if an operand is not a number. */
const computed = (compute: (row: Row) => number): Compiled => ({
  kind: 'computed',
  evaluate(row) {
    const result = compute(row);
    return Number.isFinite(result) ? result : undefined;
  },
});

/** @throws QueryError for an invalid regular expression */
export function compileRegex(source: string, offset: number): LinearRegex {
  try {
    return regexOf(source);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const reason = error.invalid ? '' : `: ${error.message}`;
    throw new QueryError(`Invalid regular expression: ${source}${reason}`, offset, offset + source.length + 2);
  }
}
