import { callFunction, type MathContext, WORDS } from './functions.ts';
import { type Expression, MathError } from './parse.ts';
import { mapped, type NamedSeries, operate, type Value } from './values.ts';

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
      return expression.items.flatMap((item) => {
        const value = evaluate(item, context);
        if (typeof value !== 'object') throw new MathError('An array takes time series only');
        return value;
      });
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
