import {
  type Clock,
  type Collection,
  type DeepReadonly,
  DueTimers,
  type Ids,
  type Logger,
  type MetricMinute,
  metricsOf,
  numericKey,
  type RegionMetrics,
  type ServiceCaller,
  type ServiceHandle,
  type StateScope,
  USAGE,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { MetricStore } from './metrics/store.ts';
import { UsageQuotas } from './queries/usage-quotas.ts';
import {
  type AlarmRecord,
  type AnomalyDetectorRecord,
  alarmCollection,
  anomalyDetectorCollection,
  type CompositeAlarmRecord,
  type DashboardRecord,
  dashboardCollection,
  type HistoryRecord,
  historyCollection,
  type InsightRuleRecord,
  insightRuleCollection,
  type MetricAlarmRecord,
  type MetricStreamRecord,
  type MuteRuleRecord,
  metricStreamCollection,
  muteRuleCollection,
  type PendingActionRecord,
  pendingActionCollection,
  pointCollection,
  type SettingsRecord,
  seriesCollection,
  settingsCollection,
} from './records.ts';

/** An alarm as it is kept. */
export type Alarm = DeepReadonly<AlarmRecord>;
/** An alarm on a metric or an expression, as it is kept. */
export type MetricAlarm = DeepReadonly<MetricAlarmRecord>;
/** An alarm on other alarms, as it is kept. */
export type CompositeAlarm = DeepReadonly<CompositeAlarmRecord>;

/** What a state does of its own accord; given by the plugin, so that the state knows nothing of alarms' rules. */
export interface CloudwatchWork {
  /** Begins everything that goes on by itself. */
  resume(state: CloudwatchState): void;
}

/** The metrics, alarms and everything else of one account and region. */
export class CloudwatchState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle<CloudwatchState>;
  readonly call: ServiceCaller['call'];
  readonly callJson: ServiceCaller['callJson'];
  readonly metrics: MetricStore;
  readonly alarms: Collection<AlarmRecord>;
  readonly history: Collection<HistoryRecord>;
  /** What is still to be done about new states of alarms. */
  readonly pendingActions: Collection<PendingActionRecord>;
  readonly muteRules: Collection<MuteRuleRecord>;
  readonly dashboards: Collection<DashboardRecord>;
  readonly anomalyDetectors: Collection<AnomalyDetectorRecord>;
  readonly insightRules: Collection<InsightRuleRecord>;
  readonly streams: Collection<MetricStreamRecord>;
  readonly settings: Collection<SettingsRecord>;
  /** Quotas that metrics count towards. */
  readonly quotas: UsageQuotas;
  /** Number of the newest entry of the history, by which those of one moment keep their order. */
  private historyNumber = 0;
  private actionNumber = 0;
  /** What emu's other services report; undefined in an emulator that has no board. */
  readonly reported: RegionMetrics | undefined;
  /** What falls due, by its kind and name. */
  readonly due: DueTimers;
  /** Names of metric alarms by the key of a series that they look at. */
  readonly alarmsOfSeries = new Map<string, Set<string>>();
  /** When alarms are evaluated and levels read next, in epoch milliseconds. */
  nextTick: number | undefined;
  /** Whether services had levels to show when they were looked at last. */
  reporting = true;
  /** Whether somebody has asked for how often operations are called. */
  private showsUsage = false;
  /** Whether what is under way ends unheard. */
  closed = false;

  constructor(scope: StateScope, work: CloudwatchWork) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.partition = scope.partition;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.service = scope.service as ServiceHandle<CloudwatchState>;
    this.call = scope.call.bind(scope);
    this.callJson = scope.callJson.bind(scope);
    this.metrics = new MetricStore(scope.collection(seriesCollection), scope.collection(pointCollection), scope.clock);
    this.alarms = scope.collection(alarmCollection);
    this.history = scope.collection(historyCollection);
    this.muteRules = scope.collection(muteRuleCollection);
    this.dashboards = scope.collection(dashboardCollection);
    this.anomalyDetectors = scope.collection(anomalyDetectorCollection);
    this.insightRules = scope.collection(insightRuleCollection);
    this.streams = scope.collection(metricStreamCollection);
    this.settings = scope.collection(settingsCollection);
    this.pendingActions = scope.collection(pendingActionCollection);
    for (const key of this.history.keys()) this.historyNumber = Number(key);
    for (const key of this.pendingActions.keys()) this.actionNumber = Number(key);
    this.quotas = new UsageQuotas(scope, scope.service);
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.due = new DueTimers(scope.clock);
    this.workers = [
      {
        resume: () => {
          this.metrics.resume();
          work.resume(this);
        },
        close: () => {
          this.closed = true;
        },
      },
    ];
  }

  /** A key that sorts behind those of every entry of the history so far. */
  nextHistoryKey(): string {
    return numericKey(++this.historyNumber);
  }

  /** A key that sorts behind those of every pending action so far. */
  nextActionKey(): string {
    return numericKey(++this.actionNumber);
  }

  /** A metric alarm of a name. */
  metricAlarm(name: string): MetricAlarm | undefined {
    const alarm = this.alarms.get(name);
    return alarm?.type === 'MetricAlarm' ? alarm : undefined;
  }

  /** A composite alarm of a name. */
  compositeAlarm(name: string): CompositeAlarm | undefined {
    const alarm = this.alarms.get(name);
    return alarm?.type === 'CompositeAlarm' ? alarm : undefined;
  }

  /** Takes in what of `AWS/Usage` there is from now on, if something that is asked or kept names it. */
  noteUsage(asked: unknown): void {
    this.showsUsage ||= JSON.stringify(asked)?.includes(USAGE) ?? false;
  }

  /** Returns what services have counted and `absorb` would take in, and leaves it there. */
  pending(): MetricMinute[] {
    const usage = this.showsUsage ? this.reported?.usage.peek() : undefined;
    return [...(this.reported?.peek() ?? []), ...(usage ?? [])];
  }

  /**
   * Takes in what emu's services have counted, and their levels as they are now.
   * @param at in which minute the levels count, in epoch milliseconds: the running one, or the one that has just ended
   * @returns keys of the series that have something new
   */
  absorb(at = this.clock.now()): Set<string> {
    const keys = new Set<string>();
    this.metrics.settle();
    if (!this.reported) return keys;
    const counted = this.reported.take();
    if (this.showsUsage) counted.push(...this.reported.usage.take());
    for (const { metric, at: minute, values } of counted)
      keys.add(
        this.metrics.add(metric.namespace, metric.name, metric.dimensions, {
          at: minute,
          step: 60,
          unit: metric.unit,
          values: [...values],
        }),
      );
    this.reporting = false;
    for (const { metric, value } of this.reported.read(this.clock.now())) {
      this.reporting = true;
      this.metrics.setLevel(metric, at, value);
    }
    return keys;
  }
}
