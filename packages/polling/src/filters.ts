import { compilePattern, EVENT_PATTERNS, matchesPattern, type Pattern, patternEvent } from '@emu/core/patterns';
import type { PolledRecord } from './record.ts';

/**
 * Returns the predicate of filters: a record passes if any of them matches, or without filters.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-event-filtering.html
 */
export function recordFilter(
  filters: readonly { readonly Pattern?: string | undefined }[] | undefined,
): (record: PolledRecord) => boolean {
  const patterns: Pattern[] = [];
  for (const { Pattern } of filters ?? [])
    if (Pattern !== undefined) patterns.push(compilePattern(Pattern, EVENT_PATTERNS));
  if (patterns.length === 0) return () => true;
  return ({ decoded }) => {
    const event = patternEvent(decoded);
    return event !== undefined && patterns.some((pattern) => matchesPattern(pattern, event));
  };
}
