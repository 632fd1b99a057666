import { isAggregate } from './aggregates.ts';
import { selectError } from './errors.ts';
import { member, type Names, namesOf } from './names.ts';
import type { Expression, Statement, Step } from './syntax.ts';
import { Translator } from './translate.ts';
import { asBoolean, asJsonText } from './values.ts';

/** Maximum columns of a result. */
const MAX_COLUMNS = 1024;

/** A query for DuckDB. */
export interface Query {
  /** Names of result columns; `null` for `*`: one column with the whole record. */
  readonly columns: readonly string[] | null;
  /** SQL for the result of a batch, or one row of partial aggregates. Each column is JSON text. */
  readonly select: string;
  /** SQL for final aggregates, over the table `parts` with the batches' rows. */
  readonly total: string | undefined;
  readonly limit: number;
}

/** Whether an expression contains an aggregate function. */
function aggregates(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(aggregates);
  if (typeof value !== 'object' || value === null) return false;
  const { type, name } = value as { type?: unknown; name?: unknown };
  if (type === 'all' || (type === 'call' && typeof name === 'string' && isAggregate(name))) return true;
  return Object.values(value).some(aggregates);
}

/** Returns the records of a `FROM`, from the file's records. */
function recordsOf({ from }: Statement, source: string): string {
  const [first, ...rest] = from.path;
  // `S3Object` and `S3Object[*]` are equivalent.
  const path = first && 'wildcard' in first ? rest : from.path;
  return path.reduce(
    (inner, step) =>
      `SELECT ${'wildcard' in step ? 'unnest(s3_elements(r))' : member('r', [step as Step])} AS r FROM (${inner})`,
    source,
  );
}

/** Returns the name of a column without alias: the last member of its path, or its position. */
function nameOf(expression: Expression, index: number): string {
  if (expression.type === 'path') {
    const last = expression.steps.at(-1)!;
    if ('name' in last) return last.name;
  }
  return `_${index + 1}`;
}

/**
 * Plans a statement.
 * @param columns see `Names`
 * @param source SQL of the records, one column `r`
 * @param now epoch milliseconds
 * @throws AwsError if the statement is rejected
 */
export function planQuery(statement: Statement, columns: Names['columns'], source: string, now: number): Query {
  const { projections, where, limit } = statement;
  const names = namesOf(statement, columns);
  if (projections && 'allOf' in projections && !names.row.has(projections.allOf.toLowerCase()))
    throw selectError('InvalidTableAlias');
  const list = projections && !('allOf' in projections) ? projections : undefined;
  if (list && list.length > MAX_COLUMNS) throw selectError('OverMaxColumn');
  const aggregating = list !== undefined && aggregates(list);
  const translator = new Translator(names, now, aggregating);
  // Conditions apply to single records.
  const condition = where ? ` WHERE ${asBoolean(new Translator(names, now, false).value(where))}` : '';
  const from = ` FROM (${recordsOf(statement, source)})${condition}`;
  const results = list?.map(({ expression }) => asJsonText(translator.value(expression)));
  const common = {
    columns: list?.map(({ expression, alias }, index) => alias ?? nameOf(expression, index)) ?? null,
    limit: limit ?? Number.POSITIVE_INFINITY,
  };
  if (!aggregating)
    return { ...common, select: `SELECT ${results?.join(', ') ?? 'CAST(r AS VARCHAR)'}${from}`, total: undefined };
  const parts = translator.aggregates.flatMap((one, index) =>
    one.parts.map((sql, part) => `${sql} AS a${index}_${part}`),
  );
  return { ...common, select: `SELECT ${parts.join(', ')}${from}`, total: `SELECT ${results!.join(', ')} FROM parts` };
}
