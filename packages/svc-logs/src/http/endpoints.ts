import { collector } from './formats/collector.ts';
import type { Endpoint } from './formats/format.ts';
import { lines } from './formats/lines.ts';
import { openTelemetry } from './formats/open-telemetry.ts';
import { structured } from './formats/structured.ts';

/** The endpoints by their paths, which the manifest claims. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  ['/ingest/bulk', lines],
  ['/ingest/json', structured],
  ['/services/collector/event', collector],
  ['/v1/logs', openTelemetry],
]);
