import { asNumber, asText, isUntyped, type Value } from './values.ts';

/** An aggregate function in a query. Each batch of records yields one row of partial results. */
export interface Aggregate {
  /** SQL of the partial result columns. */
  readonly parts: readonly string[];
  /** Final result over all batches, in terms of `a<index>_<part>`. */
  readonly result: Value;
}

const NAMES = ['avg', 'count', 'max', 'min', 'sum'];

/** Whether a function is an aggregate. */
export const isAggregate = (name: string): boolean => NAMES.includes(name);

/**
 * Translates an aggregate function.
 * @param operand undefined for `*`
 * @param index its position among the query's aggregates
 */
export function aggregate(name: string, operand: Value | undefined, index: number): Aggregate {
  const column = (part: number): string => `a${index}_${part}`;
  if (!operand || name === 'count') {
    const part = operand ? `count(${asText(operand)})` : 'count(*)';
    return { parts: [part], result: { sql: `CAST(coalesce(sum(${column(0)}), 0) AS BIGINT)`, type: 'integer' } };
  }
  if (name === 'min' || name === 'max') {
    const comparable = isUntyped(operand) ? asNumber(operand) : operand.sql;
    const type = isUntyped(operand) ? 'double' : operand.type;
    return { parts: [`${name}(${comparable})`], result: { sql: `${name}(${column(0)})`, type } };
  }
  const number = asNumber(operand);
  const sum = `sum(${column(0)})`;
  if (name === 'sum') {
    const type = operand.type === 'integer' || operand.type === 'decimal' ? operand.type : 'double';
    return { parts: [`sum(${number})`], result: { sql: sum, type } };
  }
  const average = `(CAST(${sum} AS DOUBLE) / sum(${column(1)}))`;
  return { parts: [`sum(${number})`, `count(${number})`], result: { sql: average, type: 'double' } };
}
