import { limitExceeded } from '../errors.ts';
import { parsePattern } from '../patterns/parse.ts';
import type { FilterPattern } from '../patterns/pattern.ts';
import type { LogsState } from '../state.ts';

/** Maximum number of metric and subscription filters with regular expressions per group. */
const MAX_FILTERS = 5;

/**
 * Checks the quota of filters with regular expressions, if the pattern has any.
 * @param key key of the pattern's own filter, which is not counted
 * @throws AwsError `LimitExceededException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function checkExpressions(state: LogsState, group: string, pattern: FilterPattern, key: string): void {
  if (!pattern.expressions) return;
  const filters = [...state.metricFilters.entries(), ...state.subscriptions.entries()];
  const others = filters.filter(
    ([own, filter]) => own !== key && filter.group === group && parsePattern(filter.pattern).expressions > 0,
  );
  if (others.length >= MAX_FILTERS) throw limitExceeded();
}
