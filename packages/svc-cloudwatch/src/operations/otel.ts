import type {
  GetOTelEnrichmentInput,
  GetOTelEnrichmentOutput,
  StartOTelEnrichmentInput,
  StartOTelEnrichmentOutput,
  StopOTelEnrichmentInput,
  StopOTelEnrichmentOutput,
} from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../lookup.ts';

const KEY = 'settings';

/** Whether vended metrics are to be had as OpenTelemetry's, which only PromQL queries see. */
export function GetOTelEnrichment(_input: GetOTelEnrichmentInput, ctx: CloudwatchContext): GetOTelEnrichmentOutput {
  return { Status: ctx.state.settings.get(KEY)?.otelEnrichment ? 'Running' : 'Stopped' };
}

/** Turns the enrichment on; harmless where it is on already. */
export function StartOTelEnrichment(
  _input: StartOTelEnrichmentInput,
  ctx: CloudwatchContext,
): StartOTelEnrichmentOutput {
  ctx.state.settings.put(KEY, { otelEnrichment: true });
  return {};
}

/** Turns the enrichment off; harmless where it is off already. */
export function StopOTelEnrichment(_input: StopOTelEnrichmentInput, ctx: CloudwatchContext): StopOTelEnrichmentOutput {
  ctx.state.settings.put(KEY, { otelEnrichment: false });
  return {};
}
