import type { Expression, Subquery } from './syntax.ts';

/** Returns the operands of an expression. */
export function operandsOf(expression: Expression): Expression[] {
  switch (expression.type) {
    case 'call':
      return expression.args;
    case 'access':
      return [expression.of];
    case 'or':
    case 'and':
      return expression.terms;
    case 'not':
    case 'negative':
      return [expression.term];
    case 'arithmetic':
    case 'compare':
      return [expression.left, expression.right];
    case 'like':
      return [expression.operand, expression.pattern];
    case 'subquery':
      return [expression.operand];
    case 'in':
      return [expression.operand, ...expression.candidates];
    default:
      return [];
  }
}

/** Returns the subqueries in a condition. */
export const subqueriesOf = (expression: Expression): Subquery[] =>
  expression.type === 'subquery' ? [expression] : operandsOf(expression).flatMap(subqueriesOf);
