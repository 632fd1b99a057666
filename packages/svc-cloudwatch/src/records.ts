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

/** A metric with its dimensions, of which datapoints are kept. */
export interface SeriesRecord {
  /** Names it in the keys of datapoints. */
  id: string;
  namespace: string;
  name: string;
  /** In order of their names. */
  dimensions: Dimension[];
}

/** Seconds that datapoints are kept by: as they came, or as retention has merged them. */
export type Step = 1 | 60 | 300 | 3600;

/** A part of what a series came to in a second, a minute, five minutes or an hour; several make up one. */
export interface PointRecord {
  series: string;
  /** Its beginning in epoch seconds. */
  at: number;
  step: Step;
  unit: string;
  count: number;
  sum: number;
  min: number;
  max: number;
  /** The values, and how often each came; undefined where a statistic set left them out. */
  values?: number[];
  counts?: number[];
  /** Data of requests in it. */
  data: number;
  /** The newest of them: its time in epoch milliseconds, and its value. */
  lastAt: number;
  last: number;
}

/** What alarms of both types have. */
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

/** An alarm on a metric or on an expression. */
export interface MetricAlarmRecord extends AlarmRecordBase {
  type: 'MetricAlarm';
  /** As it was put, without tags. */
  settings: Omit<PutMetricAlarmInput, 'Tags'>;
  /** What a Metrics Insights alarm with groups says of each: its state by its id. */
  contributors?: Record<string, ContributorRecord>;
  /** Whether a mute rule held its actions back, which run when the rule ends. */
  muted?: boolean;
}

/** A group of a Metrics Insights alarm. */
export interface ContributorRecord {
  attributes: Record<string, string>;
  state: StateValue;
  reason: string;
  transitionedAt: number;
}

/** An alarm on other alarms. */
export interface CompositeAlarmRecord extends AlarmRecordBase {
  type: 'CompositeAlarm';
  settings: Omit<PutCompositeAlarmInput, 'Tags'>;
  /** Why its actions wait, and until when, in epoch milliseconds. */
  suppression?: { by: 'WaitPeriod' | 'ExtensionPeriod' | 'Alarm'; reason: string; until?: number };
  /** The state whose actions were run last, before they were suppressed. */
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

/** When alarms' actions are held back. */
export interface MuteRuleRecord {
  name: string;
  description?: string;
  expression: string;
  /** As it was put, e.g. `PT2H`. */
  duration: string;
  timezone?: string;
  /** Undefined where it is for every alarm. */
  alarms?: string[];
  startAt?: number;
  expireAt?: number;
  updatedAt: number;
  createdAt: number;
  tags?: Tag[];
}

/** A dashboard; those of an account are the same in every region. */
export interface DashboardRecord {
  name: string;
  body: string;
  /** Epoch milliseconds. */
  modifiedAt: number;
  tags?: Tag[];
}

/** What is watched for anomalies. */
export interface AnomalyDetectorRecord {
  single?: SingleMetricAnomalyDetector;
  math?: MetricDataQuery[];
  /** Times that are left out, in epoch milliseconds. */
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
  schema: string;
  transformed: boolean;
  /** What a managed rule was made from. */
  managed?: { template: string; resource: string };
  /** Epoch milliseconds since which it counts. */
  createdAt: number;
  tags?: Tag[];
}

/** A stream of metrics to Firehose. */
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
  /** Epoch seconds up to which minutes have been sent. */
  sentUntil: number;
  tags?: Tag[];
}

/** Settings of the account and region. */
export interface SettingsRecord {
  otelEnrichment: boolean;
}

/** What is still to be done about a new state of an alarm: one of its actions, or the event. */
export interface PendingActionRecord {
  /** The alarm as it was then. */
  alarm: AlarmRecord;
  previous: { state: StateValue; reason: string; reasonData?: string | undefined; updatedAt: number };
  afterMute: boolean;
  /** ARN of the action; absent for the event. */
  action?: string;
  /** Id of what changed the state. */
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

/** Everything CloudWatch keeps. */
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
