import type { Json } from '@emu/polling';
import type { PipeEnrichmentHttpParameters } from '@emu/service-types/pipes';
import { enrichmentKind } from '../definition/targets.ts';
import { invokeFunction, runMachine, sendHttp } from './invoke.ts';
import { type PipeEvent, resolvedAll } from './template.ts';
import type { PipeWork } from './work.ts';

/**
 * Calls the enrichment of a pipe with a whole batch.
 * @param values records after the enrichment's input template
 * @returns the response
 * @throws AwsError from the service; StepFailure for a failure reported by the enrichment
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/pipes-enrichment.html
 */
export function enrich(
  work: PipeWork,
  events: readonly PipeEvent[],
  values: Json[],
  cause: string | undefined,
): Promise<Json | undefined> {
  const arn = work.pipe.enrichment!;
  const http = (work.pipe.enrichmentParameters?.HttpParameters ?? {}) as PipeEnrichmentHttpParameters;
  switch (enrichmentKind(arn)!) {
    case 'lambda':
      return invokeFunction(work, arn, values, cause);
    case 'state-machine':
      return runMachine(work, arn, values, cause);
    default:
      return sendHttp(work, arn, resolvedAll(http, events[0]!), values[0]!, cause);
  }
}

/** Returns the events in the response of an enrichment; none for an empty response. */
export function enriched(answer: Json | undefined): PipeEvent[] {
  if (answer === undefined || answer === null || answer === '') return [];
  const list = Array.isArray(answer) ? answer : [answer];
  if (!Array.isArray(answer) && typeof answer === 'object' && Object.keys(answer).length === 0) return [];
  return list.map((value) => ({ value, decoded: value }));
}
