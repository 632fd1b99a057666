import { selectError } from './errors.ts';

/**
 * Type of a translated SQL fragment. `raw` is a CSV field: text that adapts to the type it is compared with; `json` a
 * value of a JSON or Parquet file, whose type varies by record.
 */
export type ValueType =
  | 'raw'
  | 'json'
  | 'string'
  | 'integer'
  | 'decimal'
  | 'double'
  | 'boolean'
  | 'timestamp'
  | 'nothing';

/** A translated SQL fragment. */
export interface Value {
  readonly sql: string;
  readonly type: ValueType;
}

export const NOTHING: Value = { sql: 'NULL', type: 'nothing' };

export const isNumeric = ({ type }: Value): boolean => type === 'integer' || type === 'decimal' || type === 'double';
/** Whether the type varies by record. */
export const isUntyped = ({ type }: Value): boolean => type === 'raw' || type === 'json';

/** Converts to a number; NULL if it is none. */
export function asNumber({ sql, type }: Value): string {
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'double':
    case 'nothing':
      return sql;
    case 'json':
      return `s3_number(${sql})`;
    case 'raw':
    case 'string':
      return `TRY_CAST(${sql} AS DOUBLE)`;
    default:
      throw selectError('IncorrectSqlFunctionArgumentType');
  }
}

/** Converts to text. */
export function asText({ sql, type }: Value): string {
  switch (type) {
    case 'json':
      return `json_extract_string(${sql}, '$')`;
    case 'integer':
    case 'boolean':
      return `CAST(${sql} AS VARCHAR)`;
    case 'decimal':
    case 'double':
      return `s3_digits(CAST(${sql} AS VARCHAR))`;
    case 'timestamp':
      return `s3_iso(${sql})`;
    default:
      return sql;
  }
}

/** Converts to text for comparisons; NULL for other types. */
export function asString(value: Value): string {
  return value.type === 'json' ? `s3_string(${value.sql})` : asText(value);
}

/** @throws AwsError `IncorrectSqlFunctionArgumentType` */
export function asBoolean(value: Value): string {
  if (value.type === 'boolean' || value.type === 'nothing') return value.sql;
  if (!isUntyped(value) && value.type !== 'string') throw selectError('IncorrectSqlFunctionArgumentType');
  return `TRY_CAST(${asText(value)} AS BOOLEAN)`;
}

/** @throws AwsError `IncorrectSqlFunctionArgumentType`; `CastFailed` from the query */
export function asTimestamp(value: Value): string {
  if (value.type === 'timestamp' || value.type === 'nothing') return value.sql;
  if (!isUntyped(value) && value.type !== 'string') throw selectError('IncorrectSqlFunctionArgumentType');
  return `s3_timestamp(${asText(value)})`;
}

/** Converts to JSON text for a result; NULL if missing. */
export function asJsonText(value: Value): string {
  switch (value.type) {
    case 'json':
      return `CAST(${value.sql} AS VARCHAR)`;
    case 'raw':
    case 'string':
    case 'timestamp':
      return `CAST(to_json(${asText(value)}) AS VARCHAR)`;
    case 'double':
      return `s3_finite(${value.sql})`;
    case 'nothing':
      return "'null'";
    default:
      return asText(value);
  }
}

/** Converts to JSON, to unify branches of different types. */
export const asJson = (value: Value): string =>
  value.type === 'json' ? value.sql : value.type === 'nothing' ? 'NULL' : `CAST(${asJsonText(value)} AS JSON)`;

/** Converts values to a common type. */
export function unified(values: readonly Value[]): { readonly sql: readonly string[]; readonly type: ValueType } {
  const types = new Set(values.filter(({ type }) => type !== 'nothing').map(({ type }) => type));
  const [first] = types;
  if (first === undefined) return { sql: values.map(({ sql }) => sql), type: 'nothing' };
  if (types.size === 1) return { sql: values.map(({ sql }) => sql), type: first };
  if (values.every((value) => isNumeric(value) || value.type === 'nothing'))
    return { sql: values.map(({ sql }) => sql), type: types.has('double') ? 'double' : 'decimal' };
  return { sql: values.map(asJson), type: 'json' };
}

/** Macros of the dialect. Each evaluates its arguments once, so that nested calls do not grow exponentially. */
export const MACROS: readonly string[] = [
  `CREATE MACRO s3_number(j) AS list_transform([j], lambda x:
    CASE WHEN json_type(x) IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE', 'DECIMAL') THEN TRY_CAST(json_extract_string(x, '$') AS DOUBLE) END)[1]`,
  `CREATE MACRO s3_string(j) AS list_transform([j], lambda x: CASE WHEN json_type(x) = 'VARCHAR' THEN json_extract_string(x, '$') END)[1]`,
  `CREATE MACRO s3_digits(t) AS list_transform([t], lambda x:
    CASE WHEN contains(x, '.') AND NOT contains(x, 'e') THEN rtrim(rtrim(x, '0'), '.') ELSE x END)[1]`,
  `CREATE MACRO s3_finite(d) AS list_transform([d], lambda x: CASE WHEN isfinite(x) THEN s3_digits(CAST(x AS VARCHAR)) WHEN x IS NOT NULL THEN 'null' END)[1]`,
  `CREATE MACRO s3_iso(t) AS list_transform([t], lambda x: strftime(x, '%Y-%m-%dT%H:%M:%S') ||
    CASE WHEN date_part('microsecond', x) % 1000000 = 0 THEN '' ELSE rtrim(strftime(x, '.%f'), '0') END || 'Z')[1]`,
  `CREATE MACRO s3_integer(t) AS list_transform([trim(t)], lambda x:
    CASE WHEN regexp_full_match(x, '[+-]?[0-9]+') THEN CAST(x AS BIGINT) ELSE CAST(trunc(CAST(x AS DOUBLE)) AS BIGINT) END)[1]`,
  `CREATE MACRO s3_timestamp(t) AS list_transform([t], lambda x: CAST(CASE
    WHEN regexp_full_match(x, '[0-9]{4}T') THEN x[:4] || '-01-01'
    WHEN regexp_full_match(x, '[0-9]{4}-[0-9]{2}T') THEN x[:7] || '-01'
    WHEN regexp_full_match(x, '[0-9]{4}-[0-9]{2}-[0-9]{2}T') THEN x[:10]
    WHEN regexp_full_match(x, '.*T[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})') THEN x[:16] || ':00' || x[17:]
    ELSE x END AS TIMESTAMP))[1]`,
  `CREATE MACRO s3_order(l, r) AS list_transform([struct_pack(a := l, b := r)], lambda x: CASE
    WHEN s3_number(x.a) < s3_number(x.b) OR s3_string(x.a) < s3_string(x.b) THEN -1
    WHEN s3_number(x.a) = s3_number(x.b) OR s3_string(x.a) = s3_string(x.b) THEN 0
    WHEN s3_number(x.a) > s3_number(x.b) OR s3_string(x.a) > s3_string(x.b) THEN 1
    WHEN json_type(x.a) = json_type(x.b) AND x.a = x.b AND json_type(x.a) <> 'NULL' THEN 0 END)[1]`,
  `CREATE MACRO s3_member(j, folded) AS list_transform([j], lambda x:
    json_extract(x, '/' || list_filter(json_keys(x), lambda k: lower(k) = folded)[1]))[1]`,
  `CREATE MACRO s3_elements(j) AS list_transform([j], lambda x: CASE WHEN json_type(x) = 'ARRAY' THEN json_extract(x, '$[*]') ELSE [x] END)[1]`,
  `CREATE MACRO s3_substring(t, s, n) AS list_transform([struct_pack(t := t, s := CAST(s AS BIGINT), n := CAST(n AS BIGINT))], lambda x:
    substring(x.t, greatest(x.s, 1), greatest(x.s + x.n - greatest(x.s, 1), 0)))[1]`,
];
