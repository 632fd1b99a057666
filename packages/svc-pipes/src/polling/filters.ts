import type { DeepReadonly } from '@emu/core';
import { compilePattern, EVENT_PATTERNS, matchesPattern, type Pattern, patternEvent } from '@emu/core/patterns';
import type { PipeSourceParameters } from '@emu/service-types/pipes';
import type { SourceRecord } from './source.ts';

/**
 * Tells which records a pipe's filters let through: those that any of them matches, or all where there are none.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-event-filtering.html
 */
export function recordFilter({
  FilterCriteria,
}: DeepReadonly<PipeSourceParameters>): (record: SourceRecord) => boolean {
  const patterns: Pattern[] = [];
  for (const { Pattern } of FilterCriteria?.Filters ?? [])
    if (Pattern !== undefined) patterns.push(compilePattern(Pattern, EVENT_PATTERNS));
  if (patterns.length === 0) return () => true;
  return ({ decoded }) => {
    const event = patternEvent(decoded);
    return event !== undefined && patterns.some((pattern) => matchesPattern(pattern, event));
  };
}
