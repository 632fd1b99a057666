import { literal } from '@emu/core/duckdb';
import { selectError } from './errors.ts';

/** `strftime` or computed fragments, by symbol of AWS's patterns. */
const SYMBOLS: Readonly<Record<string, (time: string) => string>> = Object.fromEntries(
  (
    [
      ['yy', '%y'],
      ['yyyy', '%Y'],
      ['M', '%-m'],
      ['MM', '%m'],
      ['MMM', '%b'],
      ['MMMM', '%B'],
      ['d', '%-d'],
      ['dd', '%d'],
      ['a', '%p'],
      ['h', '%-I'],
      ['hh', '%I'],
      ['H', '%-H'],
      ['HH', '%H'],
      ['m', '%-M'],
      ['mm', '%M'],
      ['s', '%-S'],
      ['ss', '%S'],
    ] as const
  ).map(([symbol, format]) => [symbol, (time: string) => `strftime(${time}, '${format}')`]),
);

/** UTC offsets; all timestamps are stored in UTC. */
const OFFSETS: Readonly<Record<string, string>> = {
  X: 'Z',
  XX: 'Z',
  XXX: 'Z',
  XXXX: 'Z',
  XXXXX: 'Z',
  x: '+00',
  xx: '+0000',
  xxx: '+00:00',
  xxxx: '+0000',
  xxxxx: '+00:00',
};

/**
 * Returns the SQL fragment for a run of one letter.
 * @throws AwsError `EvaluatorInvalidTimestampFormatPatternSymbol`
 */
function symbol(run: string, time: string): string {
  const known = SYMBOLS[run];
  if (known) return known(time);
  if (run === 'y') return `CAST(date_part('year', ${time}) AS VARCHAR)`;
  if (run === 'MMMMM') return `strftime(${time}, '%b')[1]`;
  if (/^S{1,9}$/.test(run)) return `rpad(strftime(${time}, '%f'), 9, '0')[:${run.length}]`;
  if (run === 'n') return `CAST(date_part('microsecond', ${time}) % 1000000 * 1000 AS VARCHAR)`;
  const offset = OFFSETS[run];
  if (offset === undefined) throw selectError('EvaluatorInvalidTimestampFormatPatternSymbol');
  return literal(offset);
}

/**
 * Translates `TO_STRING(time, pattern)`.
 * @param time SQL of the timestamp
 * @throws AwsError `EvaluatorInvalidTimestampFormatPattern…`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-select-sql-reference-date.html
 */
export function datePattern(pattern: string, time: string): string {
  const pieces = [...pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g)].map(([run, quoted]) => {
    if (quoted !== undefined) return literal(quoted === '' ? "'" : quoted);
    if (run === "'") throw selectError('EvaluatorInvalidTimestampFormatPattern');
    return /^[A-Za-z]/.test(run) ? symbol(run, 'x') : literal(run);
  });
  if (pieces.length === 0) return "''";
  return `list_transform([${time}], lambda x: ${pieces.join(' || ')})[1]`;
}
