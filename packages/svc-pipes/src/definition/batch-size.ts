import type { Pipe } from '../registry.ts';
import { batchParameters, SOURCES, sourceKind } from './sources.ts';
import { enrichmentKind, TARGETS, targetKind } from './targets.ts';

/** Returns the batch size of a pipe: the configured one, or the source's default up to the target's limit. */
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
