import type { InputOf, OutputOf } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';

const KEY = 'settings';

/** Returns whether vended metrics are available as OpenTelemetry metrics, which only PromQL queries can read. */
export function GetOTelEnrichment(
  _input: InputOf<'GetOTelEnrichment'>,
  ctx: CloudwatchContext,
): OutputOf<'GetOTelEnrichment'> {
  return { Status: ctx.state.settings.get(KEY)?.otelEnrichment ? 'Running' : 'Stopped' };
}

/** Enables the enrichment; idempotent. */
export function StartOTelEnrichment(
  _input: InputOf<'StartOTelEnrichment'>,
  ctx: CloudwatchContext,
): OutputOf<'StartOTelEnrichment'> {
  ctx.state.settings.put(KEY, { otelEnrichment: true });
  return {};
}

/** Disables the enrichment; idempotent. */
export function StopOTelEnrichment(
  _input: InputOf<'StopOTelEnrichment'>,
  ctx: CloudwatchContext,
): OutputOf<'StopOTelEnrichment'> {
  ctx.state.settings.put(KEY, { otelEnrichment: false });
  return {};
}
