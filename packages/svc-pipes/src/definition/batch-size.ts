import type { Pipe } from '../registry.ts';
import { batchParameters, SOURCES, sourceKind } from './sources.ts';
import { enrichmentKind, TARGETS, targetKind } from './targets.ts';

/** Records that a pipe works on at once: what it says, or its source's default as far as the target takes so many. */
export function batchSizeOf({ source, sourceParameters, enrichment, target }: Pipe): number {
  const { parameters } = sourceParameters;
  const kind = sourceKind(source, parameters)!;
  const { BatchSize } = batchParameters(kind, parameters);
  if (BatchSize !== undefined) return BatchSize;
  const enriching = enrichment === undefined ? undefined : enrichmentKind(enrichment);
  return Math.min(
    SOURCES[kind].batch,
    TARGETS[targetKind(target)!].most,
    enriching === undefined ? Number.POSITIVE_INFINITY : TARGETS[enriching].most,
  );
}
