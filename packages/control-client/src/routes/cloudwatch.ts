import type { CloudWatchAlarm, CloudWatchMetric } from '../records/cloudwatch.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of CloudWatch. */
export const cloudwatch = {
  /** Lists alarms by account, region and name. `GET /_emulator/cloudwatch/alarms` */
  alarms: json<{ alarms: CloudWatchAlarm[] }>()('GET /_emulator/cloudwatch/alarms'),

  /** Lists metric series by account, region, namespace and metric. `GET /_emulator/cloudwatch/metrics` */
  metrics: json<{ metrics: CloudWatchMetric[] }>()('GET /_emulator/cloudwatch/metrics'),
};

/** Methods for the control routes of CloudWatch. */
export interface CloudWatchControl extends MethodsOf<typeof cloudwatch> {}

/** Control routes of CloudWatch by name. */
export type CloudWatchRoutes = RoutesOf<typeof cloudwatch>;
