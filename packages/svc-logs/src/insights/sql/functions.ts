/**
 * OpenSearch SQL functions with different names in DuckDB.
 * @see https://docs.aws.amazon.com/opensearch-service/latest/developerguide/supported-directquery-sql.html
 */
export const MACROS: readonly string[] = [
  'get_json_object(json, path) AS json_extract_string(json, path)',
  'nvl(value, other) AS coalesce(value, other)',
  'is_null(value) AS value IS NULL',
  'is_not_null(value) AS value IS NOT NULL',
  'size(list) AS len(list)',
  'locate(part, value) AS instr(value, part)',
  'rlike(value, pattern) AS regexp_matches(value, pattern)',
  'collect_list(value) AS list(value) FILTER (value IS NOT NULL)',
  'collect_set(value) AS list(DISTINCT value) FILTER (value IS NOT NULL)',
  'percentile(value, share) AS quantile_cont(value, share)',
  'percentile_approx(value, share) AS quantile_disc(value, share)',
  'approx_percentile(value, share) AS quantile_disc(value, share)',
  'to_timestamp(value) AS CAST(value AS TIMESTAMP)',
  'to_date(value) AS CAST(value AS DATE)',
  'unix_timestamp(value) AS CAST(floor(epoch(CAST(value AS TIMESTAMP))) AS BIGINT)',
  'date_add(value, days) AS CAST(value AS DATE) + CAST(days AS INTEGER)',
  'date_sub(value, days) AS CAST(value AS DATE) - CAST(days AS INTEGER)',
  'dayofmonth(value) AS day(value)',
].map((macro) => `CREATE MACRO ${macro}`);

/** Functions whose names are DuckDB keywords, by upper-case name. */
export const RENAMED: ReadonlyMap<string, string> = new Map([
  ['ISNULL', 'is_null'],
  ['ISNOTNULL', 'is_not_null'],
]);
