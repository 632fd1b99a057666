import { collector } from './formats/collector.ts';
import type { Endpoint } from './formats/format.ts';
import { lines } from './formats/lines.ts';
import { openTelemetry } from './formats/open-telemetry.ts';
import { structured } from './formats/structured.ts';

/** Endpoints by path, as registered in the manifest. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  ['/ingest/bulk', lines],
  ['/ingest/json', structured],
  ['/services/collector/event', collector],
  ['/v1/logs', openTelemetry],
]);
