import type { InputOf, OutputOf } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';

const KEY = 'settings';

/** Whether vended metrics are to be had as OpenTelemetry's, which only PromQL queries see. */
export function GetOTelEnrichment(
  _input: InputOf<'GetOTelEnrichment'>,
  ctx: CloudwatchContext,
): OutputOf<'GetOTelEnrichment'> {
  return { Status: ctx.state.settings.get(KEY)?.otelEnrichment ? 'Running' : 'Stopped' };
}

/** Turns the enrichment on; harmless where it is on already. */
export function StartOTelEnrichment(
  _input: InputOf<'StartOTelEnrichment'>,
  ctx: CloudwatchContext,
): OutputOf<'StartOTelEnrichment'> {
  ctx.state.settings.put(KEY, { otelEnrichment: true });
  return {};
}

/** Turns the enrichment off; harmless where it is off already. */
export function StopOTelEnrichment(
  _input: InputOf<'StopOTelEnrichment'>,
  ctx: CloudwatchContext,
): OutputOf<'StopOTelEnrichment'> {
  ctx.state.settings.put(KEY, { otelEnrichment: false });
  return {};
}
