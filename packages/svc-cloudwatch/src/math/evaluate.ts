import { callFunction, type MathContext, WORDS } from './functions.ts';
import { type Expression, MathError } from './parse.ts';
import { mapped, type NamedSeries, operate, type Value } from './values.ts';

/** Maximum number of time series of an array: each expression may repeat the arrays of others. */
const MAX_SERIES = 10_000;

/** Context of an evaluation. */
export interface Evaluation extends MathContext {
  /** Returns the result of another query; undefined for an unknown id. */
  query(id: string): Value | undefined;
}

/**
 * Evaluates an expression.
 * @throws MathError for incompatible values
 */
export function evaluate(expression: Expression, context: Evaluation): Value {
  switch (expression.kind) {
    case 'number':
    case 'string':
      return expression.value;
    case 'id': {
      const value = context.query(expression.name);
      if (value !== undefined) return value;
      if (WORDS.has(expression.name)) return expression.name;
      throw new MathError(`Unknown id: ${expression.name}`);
    }
    case 'list':
      return listOf(expression.items.map((item) => evaluate(item, context)));
    case 'negate': {
      const value = evaluate(expression.operand, context);
      if (typeof value === 'number') return -value;
      if (typeof value === 'string') throw new MathError("Unsupported operand type(s) for -: '[String]'");
      const negate = (series: NamedSeries) => mapped(series, (number) => -number);
      return Array.isArray(value) ? value.map(negate) : negate(value);
    }
    case 'binary':
      return operate(expression.operator, evaluate(expression.left, context), evaluate(expression.right, context));
    case 'call':
      // Its arguments are passed to the function and may be words.
      if (expression.name === 'LAMBDA') return context.dataSource(expression.arguments);
      if (expression.name === 'DB_PERF_INSIGHTS') return context.counters(expression.arguments);
      return callFunction(
        expression.name,
        expression.arguments.map((argument) => evaluate(argument, context)),
        context,
      );
  }
}

function listOf(values: readonly Value[]): NamedSeries[] {
  const list: NamedSeries[] = [];
  for (const value of values) {
    if (typeof value !== 'object') throw new MathError('An array takes time series only');
    if (list.length + (Array.isArray(value) ? value.length : 1) > MAX_SERIES)
      throw new MathError(`An array takes at most ${MAX_SERIES} time series`);
    list.push(...(Array.isArray(value) ? value : [value]));
  }
  return list;
}
