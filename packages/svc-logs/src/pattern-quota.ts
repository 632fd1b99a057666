import { limitExceeded } from './errors.ts';
import { parsePattern } from './patterns/parse.ts';
import type { FilterPattern } from './patterns/pattern.ts';
import type { LogsState } from './state.ts';

/** Metric and subscription filters of a group with regular expressions, at most. */
const MOST = 5;

/**
 * Checks that a group may have one more filter with regular expressions, if the pattern has any.
 * @param key of the filter that the pattern is for, which does not count
 * @throws AwsError `LimitExceededException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function checkExpressions(state: LogsState, group: string, pattern: FilterPattern, key: string): void {
  if (!pattern.expressions) return;
  const filters = [...state.metricFilters.entries(), ...state.subscriptions.entries()];
  const others = filters.filter(
    ([own, filter]) => own !== key && filter.group === group && parsePattern(filter.pattern).expressions > 0,
  );
  if (others.length >= MOST) throw limitExceeded();
}
