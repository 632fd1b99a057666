import type { CommandOf } from '../language/syntax.ts';
import type { TimeRange } from './pipeline.ts';

const DAY = 86_400_000;

/**
 * Returns the time range that `diff` compares to.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Diff.html
 */
export function comparedRange(modifier: CommandOf<'diff'>['modifier'], { start, end }: TimeRange): TimeRange {
  if (modifier === 'previousmonth') return { start: monthBefore(start), end: monthBefore(end) };
  const days = { previousday: DAY, previousweek: 7 * DAY };
  const back = modifier === null ? end - start + 1 : days[modifier];
  return { start: start - back, end: end - back };
}

function monthBefore(time: number): number {
  const date = new Date(time);
  return date.setUTCMonth(date.getUTCMonth() - 1);
}
