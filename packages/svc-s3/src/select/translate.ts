import { literal } from '@emu/core/duckdb';
import { type Aggregate, aggregate, isAggregate } from './aggregates.ts';
import { compare, contained } from './comparisons.ts';
import { selectError } from './errors.ts';
import { callFunction, cast, dateFunction, extract } from './functions.ts';
import { lookUp, type Names } from './names.ts';
import type { Expression } from './syntax.ts';
import { asBoolean, asNumber, asText, asTimestamp, isUntyped, NOTHING, unified, type Value } from './values.ts';

/**
 * Translates expressions of the dialect to DuckDB SQL: only validated names, numbers and quoted literals of the query's
 * text are included.
 */
export class Translator {
  /** Aggregate functions so far; their results are columns `a0`, `a1`, … of the final query. */
  readonly aggregates: Aggregate[] = [];
  private insideAggregate = false;

  /** @param now epoch milliseconds of `UTCNOW()` */
  constructor(
    private readonly names: Names,
    private readonly now: number,
    /** Whether the query has aggregate functions, outside of which no path is allowed. */
    private readonly aggregating: boolean,
  ) {}

  /** @throws AwsError for an invalid expression */
  readonly value = (expression: Expression): Value => {
    switch (expression.type) {
      case 'text':
        return { sql: literal(expression.value), type: 'string' };
      case 'number':
        return numberLiteral(expression.value);
      case 'boolean':
        return { sql: String(expression.value), type: 'boolean' };
      case 'nothing':
        return NOTHING;
      case 'ion':
        return ionLiteral(expression.value);
      case 'path':
        if (this.aggregating && !this.insideAggregate) throw selectError('UnsupportedSqlStructure');
        return lookUp(expression.steps, this.names);
      case 'or':
      case 'and':
        return boolean(
          `(${expression.terms.map((term) => asBoolean(this.value(term))).join(expression.type === 'or' ? ' OR ' : ' AND ')})`,
        );
      case 'not':
        return boolean(`(NOT ${asBoolean(this.value(expression.term))})`);
      case 'is':
        return this.is(expression.what, this.value(expression.operand));
      case 'compare':
        return boolean(compare(expression.operator, this.value(expression.left), this.value(expression.right)));
      case 'between':
        return boolean(this.between(expression));
      case 'in':
        return boolean(contained(this.value(expression.operand), expression.candidates.map(this.value)));
      case 'like':
        return boolean(this.like(expression));
      case 'concat':
        return { sql: `(${expression.terms.map((term) => asText(this.value(term))).join(' || ')})`, type: 'string' };
      case 'negative':
        return arithmetic('-', { sql: '0', type: 'integer' }, this.value(expression.term));
      case 'arithmetic':
        return arithmetic(expression.operator, this.value(expression.left), this.value(expression.right));
      case 'case':
        return this.caseOf(expression);
      case 'cast':
        return cast(this.value(expression.operand), expression.to, expression.parameters);
      case 'extract':
        return extract(expression.part, this.value(expression.operand));
      case 'date':
        return dateFunction(expression.name, expression.part, expression.args.map(this.value));
      case 'trim':
        return this.trim(expression);
      case 'all':
        if (expression.name !== 'count') throw selectError('ParseUnsupportedCallWithStar');
        return this.aggregated('count', undefined);
      case 'call':
        if (!isAggregate(expression.name)) return callFunction(expression.name, expression.args, this.value, this.now);
        if (expression.args.length !== 1) throw selectError('ParseNonUnaryAgregateFunctionCall');
        return this.aggregated(expression.name, expression.args[0]);
    }
  };

  private aggregated(name: string, argument: Expression | undefined): Value {
    if (!this.aggregating || this.insideAggregate) throw selectError('UnsupportedSqlStructure');
    this.insideAggregate = true;
    const operand = argument && this.value(argument);
    this.insideAggregate = false;
    const found = aggregate(name, operand, this.aggregates.length);
    this.aggregates.push(found);
    return found.result;
  }

  private is(what: 'null' | 'missing', operand: Value): Value {
    if (operand.type !== 'json') return boolean(`(${operand.sql} IS NULL)`);
    // JSON null is present; DuckDB's NULL represents a missing member.
    return boolean(
      what === 'missing' ? `(${operand.sql} IS NULL)` : `(coalesce(json_type(${operand.sql}), 'NULL') = 'NULL')`,
    );
  }

  private between({ operand, low, high }: Extract<Expression, { type: 'between' }>): string {
    const values = [this.value(operand), this.value(low), this.value(high)];
    const convert = values.some(({ type }) => type === 'timestamp')
      ? asTimestamp
      : values.some(({ type }) => type === 'string') || values.every(({ type }) => type === 'raw')
        ? asText
        : asNumber;
    const [value, least, most] = values.map(convert);
    return `(${value} BETWEEN ${least} AND ${most})`;
  }

  private like({ operand, pattern, escape: escaping }: Extract<Expression, { type: 'like' }>): string {
    const value = this.value(operand);
    if (!isUntyped(value) && value.type !== 'string') throw selectError('LikeInvalidInputs');
    const like = `${asText(value)} LIKE ${asText(this.value(pattern))}`;
    if (!escaping) return `(${like})`;
    if (escaping.type !== 'text' || [...escaping.value].length !== 1) throw selectError('LikeInvalidInputs');
    return `(${like} ESCAPE ${literal(escaping.value)})`;
  }

  private caseOf({ subject, branches, otherwise }: Extract<Expression, { type: 'case' }>): Value {
    const compared = subject && this.value(subject);
    const conditions = branches.map(({ when }) =>
      compared ? compare('=', { sql: 'x', type: compared.type }, this.value(when)) : asBoolean(this.value(when)),
    );
    const { sql, type } = unified([
      ...branches.map(({ then }) => this.value(then)),
      otherwise ? this.value(otherwise) : NOTHING,
    ]);
    const whens = conditions.map((condition, index) => `WHEN ${condition} THEN ${sql[index]}`);
    const cases = `CASE ${whens.join(' ')} ELSE ${sql.at(-1)} END`;
    // Evaluates the subject once.
    return { sql: compared ? `list_transform([${compared.sql}], lambda x: ${cases})[1]` : `(${cases})`, type };
  }

  private trim({ side, characters, operand }: Extract<Expression, { type: 'trim' }>): Value {
    const name = { leading: 'ltrim', trailing: 'rtrim', both: 'trim' }[side];
    const args = [asText(this.value(operand)), characters ? asText(this.value(characters)) : "' '"];
    return { sql: `${name}(${args.join(', ')})`, type: 'string' };
  }
}

const boolean = (sql: string): Value => ({ sql, type: 'boolean' });

function numberLiteral(digits: string): Value {
  if (/^\d{1,18}$/.test(digits)) return { sql: `CAST(${digits} AS BIGINT)`, type: 'integer' };
  if (/^\d{1,18}\.\d{1,10}$/.test(digits)) return { sql: `CAST(${digits} AS DECIMAL(38, 10))`, type: 'decimal' };
  return { sql: `CAST(${literal(digits)} AS DOUBLE)`, type: 'double' };
}

/**
 * Translates an Ion literal: a timestamp or a number.
 * @throws AwsError `ParseUnsupportedSyntax`
 */
function ionLiteral(text: string): Value {
  const trimmed = text.trim();
  if (/^\d{4}(-\d\d)?(-\d\d)?T|^\d{4}-\d\d-\d\d$/.test(trimmed))
    return { sql: asTimestamp({ sql: literal(trimmed), type: 'string' }), type: 'timestamp' };
  if (/^\d+(\.\d*)?([eE][+-]?\d+)?$/.test(trimmed)) return numberLiteral(trimmed);
  throw selectError('ParseUnsupportedSyntax');
}

function arithmetic(operator: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Value {
  const integers = left.type === 'integer' && right.type === 'integer';
  const exact = [left, right].every(({ type }) => type === 'integer' || type === 'decimal');
  // Division of integers is integer division.
  const symbol = operator === '/' && integers ? '//' : operator;
  const type = integers ? 'integer' : exact && operator !== '/' ? 'decimal' : 'double';
  return { sql: `(${asNumber(left)} ${symbol} ${asNumber(right)})`, type };
}
