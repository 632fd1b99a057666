import type { Located, Timestamp } from './common.ts';

/** Common members of metric and composite alarms. */
export interface CloudWatchAlarmBase extends Located {
  name: string;
  state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** May be empty. */
  stateReason: string;
  stateUpdatedTimestamp: Timestamp;
  actionsEnabled: boolean;
  /** ARNs. */
  alarmActions: string[];
  /** ARNs. */
  okActions: string[];
  /** ARNs. */
  insufficientDataActions: string[];
}

/** An alarm on a metric. One on a metric expression has no `namespace` and `metricName`. */
export interface CloudWatchMetricAlarm extends CloudWatchAlarmBase {
  type: 'metric';
  namespace?: string;
  metricName?: string;
  threshold?: number;
  comparisonOperator: string;
}

/** An alarm on other alarms. */
export interface CloudWatchCompositeAlarm extends CloudWatchAlarmBase {
  type: 'composite';
  alarmRule: string;
}

/** An alarm of either type. */
export type CloudWatchAlarm = CloudWatchMetricAlarm | CloudWatchCompositeAlarm;

/** A metric series: one per account, region, namespace, metric name and dimensions. */
export interface CloudWatchMetric extends Located {
  namespace: string;
  metricName: string;
  dimensions: { name: string; value: string }[];
  datapointCount: number;
  /** Newest datapoint. */
  latest: { timestamp: Timestamp; value: number; unit: string };
}
