import { compilePattern, EVENT_PATTERNS, matchesPattern, type Pattern, patternEvent } from '@emu/core/patterns';
import type { EventSourceMapping } from '../records.ts';

/**
 * Tells which records a mapping's filters let through: those that any of them matches, or all where there are none.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function recordFilter({ settings }: EventSourceMapping): (record: object) => boolean {
  const patterns: Pattern[] = [];
  for (const { Pattern } of settings.FilterCriteria?.Filters ?? [])
    if (Pattern !== undefined) patterns.push(compilePattern(Pattern, EVENT_PATTERNS));
  if (patterns.length === 0) return () => true;
  return (record) => {
    const event = patternEvent(record);
    return event !== undefined && patterns.some((pattern) => matchesPattern(pattern, event));
  };
}
