import { literal } from '@emu/core/duckdb';
import { selectError } from './errors.ts';
import type { Statement, Step } from './syntax.ts';
import type { Value } from './values.ts';

/** Resolution of an expression's paths in a record. */
export interface Names {
  /** Names of the whole record, in lower case. */
  readonly row: ReadonlySet<string>;
  /** Columns of a CSV header; `null` without a header, undefined for JSON and Parquet. */
  readonly columns: readonly string[] | null | undefined;
}

/**
 * Returns the record aliases of a `FROM`.
 * @throws AwsError `InvalidDataSource`, `UnsupportedSqlStructure`
 */
export function namesOf({ from }: Statement, columns: Names['columns']): Names {
  if (from.root.toLowerCase() !== 's3object') throw selectError('InvalidDataSource');
  if (columns !== undefined && from.path.some((step) => !('wildcard' in step)))
    throw selectError('UnsupportedSqlStructure');
  const last = from.path.findLast((step) => 'name' in step);
  const implicit = last && 'name' in last ? last.name : undefined;
  const row = [from.alias ?? implicit, 's3object'].filter((name) => name !== undefined);
  return { row: new Set(row.map((name) => name.toLowerCase())), columns };
}

/**
 * Translates a path.
 * @throws AwsError `MissingHeaders`, `AmbiguousFieldName`, `InvalidColumnIndex`, …
 */
export function lookUp(steps: readonly Step[], names: Names): Value {
  const [first, ...rest] = steps as [Step & { name: string; quoted: boolean }, ...Step[]];
  const isRow = names.row.has(first.name.toLowerCase());
  if (names.columns !== undefined) return column(isRow && rest.length > 0 ? rest : steps, names.columns);
  // Without an alias, `_1` is the record.
  const own = isRow || (first.name === '_1' && !first.quoted);
  return { sql: member('r', own ? rest : steps), type: 'json' };
}

function column(steps: readonly Step[], columns: readonly string[] | null): Value {
  const [step, ...deeper] = steps;
  if (!step || deeper.length > 0 || !('name' in step)) throw selectError('UnsupportedSqlStructure');
  return { sql: `json_extract_string(r, '/${indexOf(step, columns)}')`, type: 'raw' };
}

function indexOf({ name, quoted }: { name: string; quoted: boolean }, columns: readonly string[] | null): number {
  const folded = name.toLowerCase();
  const found = (columns ?? []).flatMap((header, index) =>
    (quoted ? header === name : header.toLowerCase() === folded) ? [index] : [],
  );
  if (found.length > 1) throw selectError('AmbiguousFieldName');
  if (found.length === 1) return found[0]!;
  const position = /^_(\d+)$/.exec(name)?.[1];
  if (position === undefined) throw selectError('MissingHeaders');
  const index = Number(position) - 1;
  if (index < 0 || index > 100_000) throw selectError('InvalidColumnIndex');
  return index;
}

const pointerOf = (steps: readonly Step[]): string =>
  steps
    .map((step) => `/${'name' in step ? step.name.replaceAll('~', '~0').replaceAll('/', '~1') : step.index}`)
    .join('');

/** Returns a member of a JSON value: by exact name first; unquoted names then ignore case. */
export function member(json: string, steps: readonly Step[]): string {
  if (steps.length === 0) return json;
  const exact = `json_extract(${json}, ${literal(pointerOf(steps))})`;
  if (steps.every((step) => !('name' in step) || step.quoted)) return exact;
  const folded = steps.reduce(
    (sql, step) =>
      'name' in step && !step.quoted
        ? `s3_member(${sql}, ${literal(step.name.toLowerCase())})`
        : `json_extract(${sql}, ${literal(pointerOf([step]))})`,
    json,
  );
  return `coalesce(${exact}, ${folded})`;
}
