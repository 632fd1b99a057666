import { compilePattern, EVENT_PATTERNS, matchesPattern, type Pattern, patternEvent } from '@emu/core/patterns';
import type { PolledRecord } from './record.ts';

/**
 * Tells which records filters let through: those that any of them matches, or all where there are none.
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
