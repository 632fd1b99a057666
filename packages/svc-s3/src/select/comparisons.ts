import { asBoolean, asJson, asNumber, asString, asTimestamp, isNumeric, type Value } from './values.ts';

/** Returns the type for a comparison: that of the operand with a known type. */
function converterFor(values: readonly Value[]): ((value: Value) => string) | undefined {
  if (values.some(({ type }) => type === 'timestamp')) return asTimestamp;
  if (values.some(({ type }) => type === 'boolean')) return asBoolean;
  if (values.some(isNumeric)) return asNumber;
  if (values.some(({ type }) => type === 'string') || values.every(({ type }) => type === 'raw')) return asString;
  return undefined;
}

/** Translates a comparison; NULL for incomparable types. */
export function compare(operator: string, left: Value, right: Value): string {
  if (left.type === 'nothing' || right.type === 'nothing') return 'CAST(NULL AS BOOLEAN)';
  const convert = converterFor([left, right]);
  if (convert) return `(${convert(left)} ${operator} ${convert(right)})`;
  return `(s3_order(${asJson(left)}, ${asJson(right)}) ${operator} 0)`;
}

/** Translates `IN`. Each candidate's type determines how the operand is read; the operand is evaluated once. */
export function contained(operand: Value, candidates: readonly Value[]): string {
  const variable: Value = { sql: 'x', type: operand.type };
  const tests = candidates.map((one) => compare('=', variable, one));
  return `list_transform([${operand.sql}], lambda x: (${tests.join(' OR ')}))[1]`;
}
