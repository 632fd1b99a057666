import type { AnyResourceProvider } from '@emu/core/service';
import { alarm, compositeAlarm } from './alarm.ts';
import { anomalyDetector } from './anomaly-detector.ts';
import { dashboard, insightRule } from './dashboard.ts';
import { alarmMuteRule, metricStream, otelEnrichment } from './metric-stream.ts';

/** Providers of CloudWatch's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  alarm,
  alarmMuteRule,
  anomalyDetector,
  compositeAlarm,
  dashboard,
  insightRule,
  metricStream,
  otelEnrichment,
];
