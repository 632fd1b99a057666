import { defineCollection } from '@emu/core/service';
import type {
  Dimension,
  HistoryItemType,
  MetricCharacteristics,
  MetricDataQuery,
  MetricStreamFilter,
  MetricStreamOutputFormat,
  MetricStreamStatisticsConfiguration,
  PutCompositeAlarmInput,
  PutMetricAlarmInput,
  SingleMetricAnomalyDetector,
  StateValue,
  Tag,
} from '@emu/service-types/cloudwatch';

/** A metric with its dimensions and stored datapoints. */
export interface SeriesRecord {
  /** Id in the keys of datapoints. */
  id: string;
  namespace: string;
  name: string;
  /** Ordered by name. */
  dimensions: Dimension[];
}

/** Resolution of datapoints in seconds, original or merged by retention. */
export type Step = 1 | 60 | 300 | 3600;

/** A part of a series' datapoint of a second, a minute, five minutes or an hour; a datapoint may have several parts. */
export interface PointRecord {
  series: string;
  /** Start in epoch seconds. */
  at: number;
  step: Step;
  unit: string;
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Distinct values; undefined for statistic sets. */
  values?: number[];
  counts?: number[];
  /** Number of data points from requests in it. */
  data: number;
  /** Time in epoch milliseconds of the newest datum, and its value. */
  lastAt: number;
  last: number;
}

/** Members common to both types of alarms. */
interface AlarmRecordBase {
  name: string;
  /** Epoch milliseconds. */
  configuredAt: number;
  state: StateValue;
  reason: string;
  /** JSON text. */
  reasonData?: string;
  updatedAt: number;
  transitionedAt: number;
  /** Undefined until the first tag is set. */
  tags?: Tag[];
}

/** An alarm on a metric or an expression. */
export interface MetricAlarmRecord extends AlarmRecordBase {
  type: 'MetricAlarm';
  /** Settings as put, without tags. */
  settings: Omit<PutMetricAlarmInput, 'Tags'>;
  /** States of a Metrics Insights alarm's groups by id. */
  contributors?: Record<string, ContributorRecord>;
  /** Whether a mute rule delayed its actions until its end. */
  muted?: boolean;
}

/** A group of a Metrics Insights alarm. */
export interface ContributorRecord {
  attributes: Record<string, string>;
  state: StateValue;
  reason: string;
  transitionedAt: number;
}

/** A composite alarm. */
export interface CompositeAlarmRecord extends AlarmRecordBase {
  type: 'CompositeAlarm';
  settings: Omit<PutCompositeAlarmInput, 'Tags'>;
  /** Reason of suppressed or delayed actions, and its end in epoch milliseconds. */
  suppression?: { by: 'WaitPeriod' | 'ExtensionPeriod' | 'Alarm'; reason: string; until?: number };
  /** State of the last actions before the suppression. */
  actedOn?: StateValue;
  muted?: boolean;
}

export type AlarmRecord = MetricAlarmRecord | CompositeAlarmRecord;

/** An entry of an alarm's history. */
export interface HistoryRecord {
  alarm: string;
  alarmType: AlarmRecord['type'];
  /** Epoch milliseconds. */
  at: number;
  type: HistoryItemType;
  summary: string;
  /** JSON text. */
  data: string;
  contributor?: { id: string; attributes: Record<string, string> };
}

/** An alarm mute rule. */
export interface MuteRuleRecord {
  name: string;
  description?: string;
  expression: string;
  /** As put, for example `PT2H`. */
  duration: string;
  timezone?: string;
  /** Undefined for all alarms. */
  alarms?: string[];
  startAt?: number;
  expireAt?: number;
  updatedAt: number;
  createdAt: number;
  tags?: Tag[];
}

/** A dashboard; an account has the same dashboards in all regions. */
export interface DashboardRecord {
  name: string;
  body: string;
  /** Epoch milliseconds. */
  modifiedAt: number;
  tags?: Tag[];
}

/** An anomaly detector. */
export interface AnomalyDetectorRecord {
  single?: SingleMetricAnomalyDetector;
  math?: MetricDataQuery[];
  /** Excluded times in epoch milliseconds. */
  excluded?: { from: number; to: number }[];
  timezone?: string;
  characteristics?: MetricCharacteristics;
}

/** A Contributor Insights rule. */
export interface InsightRuleRecord {
  name: string;
  enabled: boolean;
  /** JSON text. */
  definition: string;
  transformed: boolean;
  /** Template and resource of a managed rule. */
  managed?: { template: string; resource: string };
  /** Creation time in epoch milliseconds, at which counting starts. */
  createdAt: number;
  tags?: Tag[];
}

/** A metric stream to Firehose. */
export interface MetricStreamRecord {
  name: string;
  firehoseArn: string;
  roleArn: string;
  format: MetricStreamOutputFormat;
  include?: MetricStreamFilter[];
  exclude?: MetricStreamFilter[];
  statistics?: MetricStreamStatisticsConfiguration[];
  linkedAccounts: boolean;
  running: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Epoch seconds up to which minutes were sent. */
  sentUntil: number;
  tags?: Tag[];
}

/** Settings of the account and region. */
export interface SettingsRecord {
  otelEnrichment: boolean;
}

/** A pending action or event of an alarm's state change. */
export interface PendingActionRecord {
  /** The alarm at the time of the change. */
  alarm: AlarmRecord;
  previous: { state: StateValue; reason: string; reasonData?: string | undefined; updatedAt: number };
  afterMute: boolean;
  /** ARN of the action; absent for the event. */
  action?: string;
  /** Id of the request or timer that changed the state. */
  cause: string;
}

export const seriesCollection = defineCollection<SeriesRecord>('series', 'region', { content: 'all' });
export const pointCollection = defineCollection<PointRecord>('datapoints', 'region');
export const alarmCollection = defineCollection<AlarmRecord>('alarms', 'region', { content: ['reasonData'] });
export const historyCollection = defineCollection<HistoryRecord>('alarm-history', 'region', {
  content: ['summary', 'data'],
});
export const pendingActionCollection = defineCollection<PendingActionRecord>('pending-actions', 'region', {
  content: ['reasonData'],
});
export const muteRuleCollection = defineCollection<MuteRuleRecord>('alarm-mute-rules', 'region');
export const dashboardCollection = defineCollection<DashboardRecord>('dashboards', 'account', { content: ['body'] });
export const anomalyDetectorCollection = defineCollection<AnomalyDetectorRecord>('anomaly-detectors', 'region');
export const insightRuleCollection = defineCollection<InsightRuleRecord>('insight-rules', 'region', {
  content: ['definition'],
});
export const metricStreamCollection = defineCollection<MetricStreamRecord>('metric-streams', 'region');
export const settingsCollection = defineCollection<SettingsRecord>('settings', 'region');

/** All collections of CloudWatch. */
export const collections = [
  seriesCollection,
  pointCollection,
  alarmCollection,
  historyCollection,
  pendingActionCollection,
  muteRuleCollection,
  dashboardCollection,
  anomalyDetectorCollection,
  insightRuleCollection,
  metricStreamCollection,
  settingsCollection,
];
