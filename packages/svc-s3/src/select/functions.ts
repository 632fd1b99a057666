import { literal } from '@emu/core/duckdb';
import { compare } from './comparisons.ts';
import { datePattern } from './date-pattern.ts';
import { selectError } from './errors.ts';
import type { Expression } from './syntax.ts';
import { asNumber, asText, asTimestamp, isNumeric, unified, type Value } from './values.ts';

const arity = (args: readonly unknown[], least: number, most = least): void => {
  if (args.length < least || args.length > most) throw selectError('EvaluatorInvalidArguments');
};

/** Returns the SQL literal for epoch milliseconds. */
const instant = (now: number): string => `TIMESTAMP ${literal(new Date(now).toISOString().replace('Z', ''))}`;

/**
 * Translates a scalar function call.
 * @param now epoch milliseconds of `UTCNOW()`
 * @throws AwsError `UnsupportedFunction`, `EvaluatorInvalidArguments`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-select-sql-reference-sql-functions.html
 */
export function callFunction(
  name: string,
  expressions: readonly Expression[],
  translate: (expression: Expression) => Value,
  now: number,
): Value {
  const args = expressions.map(translate);
  switch (name) {
    case 'coalesce': {
      if (args.length === 0) throw selectError('EvaluatorInvalidArguments');
      const { sql, type } = unified(args.map(withoutNull));
      return { sql: `coalesce(${sql.join(', ')})`, type };
    }
    case 'nullif': {
      arity(args, 2);
      const [first, second] = args as [Value, Value];
      // Evaluates the first argument once.
      const equal = compare('=', { sql: 'x', type: first.type }, second);
      return {
        sql: `list_transform([${first.sql}], lambda x: CASE WHEN ${equal} THEN NULL ELSE x END)[1]`,
        type: first.type,
      };
    }
    case 'lower':
    case 'upper':
      arity(args, 1);
      return { sql: `${name}(${asText(args[0]!)})`, type: 'string' };
    case 'char_length':
    case 'character_length':
      arity(args, 1);
      return { sql: `length(${asText(args[0]!)})`, type: 'integer' };
    case 'substring': {
      arity(args, 2, 3);
      const [text, start, length] = args as [Value, Value, Value?];
      const count = length ? asNumber(length) : '2147483647';
      return { sql: `s3_substring(${asText(text)}, ${asNumber(start)}, ${count})`, type: 'string' };
    }
    case 'utcnow':
      arity(args, 0);
      return { sql: instant(now), type: 'timestamp' };
    case 'to_timestamp':
      arity(args, 1);
      return { sql: asTimestamp(args[0]!), type: 'timestamp' };
    case 'to_string': {
      arity(args, 2);
      const pattern = expressions[1]!;
      if (pattern.type !== 'text') throw selectError('IncorrectSqlFunctionArgumentType');
      return { sql: datePattern(pattern.value, asTimestamp(args[0]!)), type: 'string' };
    }
    default:
      throw selectError('UnsupportedFunction');
  }
}

/** Treats JSON null as missing. */
const withoutNull = (value: Value): Value =>
  value.type === 'json' ? { sql: `nullif(${value.sql}, 'null'::JSON)`, type: 'json' } : value;

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'];

/**
 * Translates `DATE_ADD` and `DATE_DIFF`.
 * @throws AwsError `ParseExpectedDatePart`, `EvaluatorInvalidArguments`
 */
export function dateFunction(name: string, part: string, args: readonly Value[]): Value {
  if (!PARTS.includes(part)) throw selectError('ParseExpectedDatePart');
  arity(args, 2);
  const [first, second] = args as [Value, Value];
  if (name === 'date_diff')
    return { sql: `date_sub('${part}', ${asTimestamp(first)}, ${asTimestamp(second)})`, type: 'integer' };
  return { sql: `(${asTimestamp(second)} + to_${part}s(CAST(${asNumber(first)} AS INTEGER)))`, type: 'timestamp' };
}

/**
 * Translates `EXTRACT`; timestamps are in UTC.
 * @throws AwsError `ParseExpectedDatePart`
 */
export function extract(part: string, operand: Value): Value {
  // All timestamps are in UTC here.
  if (part === 'timezone_hour' || part === 'timezone_minute')
    return { sql: `CASE WHEN ${asTimestamp(operand)} IS NOT NULL THEN 0 END`, type: 'integer' };
  if (!PARTS.includes(part)) throw selectError('ParseExpectedDatePart');
  return { sql: `CAST(date_part('${part}', ${asTimestamp(operand)}) AS BIGINT)`, type: 'integer' };
}

/**
 * Translates `CAST`.
 * @throws AwsError `ParseExpectedTypeName`, `ParseInvalidTypeParam`; `CastFailed` from the query
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-select-sql-reference-data-types.html
 */
export function cast(operand: Value, to: string, parameters: readonly number[]): Value {
  switch (to) {
    case 'int':
    case 'integer':
    case 'smallint':
    case 'bigint':
      if (isNumeric(operand)) return { sql: `CAST(trunc(${operand.sql}) AS BIGINT)`, type: 'integer' };
      if (operand.type === 'boolean') return { sql: `CAST(${operand.sql} AS BIGINT)`, type: 'integer' };
      return { sql: `s3_integer(${asText(operand)})`, type: 'integer' };
    case 'float':
    case 'double':
    case 'real':
      return { sql: `CAST(${castSource(operand)} AS DOUBLE)`, type: 'double' };
    case 'decimal':
    case 'dec':
    case 'numeric': {
      const [precision = 38, scale = parameters.length > 0 ? 0 : 10] = parameters;
      if (precision < 1 || precision > 38 || scale > precision) throw selectError('ParseInvalidTypeParam');
      return { sql: `CAST(${castSource(operand)} AS DECIMAL(${precision}, ${scale}))`, type: 'decimal' };
    }
    case 'bool':
    case 'boolean':
      return { sql: `CAST(${castSource(operand)} AS BOOLEAN)`, type: 'boolean' };
    case 'string':
    case 'char':
    case 'character':
    case 'varchar':
    case 'symbol':
      return { sql: asText(operand), type: 'string' };
    case 'timestamp':
      return { sql: asTimestamp(operand), type: 'timestamp' };
    default:
      throw selectError('ParseExpectedTypeName');
  }
}

/** Translates casts to types with plain DuckDB casts. */
const castSource = (operand: Value): string =>
  isNumeric(operand) || operand.type === 'boolean' ? operand.sql : asText(operand);
