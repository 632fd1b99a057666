import {
  type Clock,
  type Collection,
  type DeepReadonly,
  DueTimers,
  type Ids,
  type InterruptedWork,
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

/** A stored alarm. */
export type Alarm = DeepReadonly<AlarmRecord>;
/** A stored alarm on a metric or an expression. */
export type MetricAlarm = DeepReadonly<MetricAlarmRecord>;
/** A stored composite alarm. */
export type CompositeAlarm = DeepReadonly<CompositeAlarmRecord>;

/** Background work of a state, injected by the plugin so that the state does not depend on alarm rules. */
export interface CloudwatchWork {
  /** Starts all background work. */
  resume(state: CloudwatchState): void;
  /** Returns work that a restart interrupted. */
  interrupted(state: CloudwatchState): Iterable<InterruptedWork>;
}

/** CloudWatch's state of an account and region. */
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
  /** Pending actions of alarm state changes. */
  readonly pendingActions: Collection<PendingActionRecord>;
  readonly muteRules: Collection<MuteRuleRecord>;
  readonly dashboards: Collection<DashboardRecord>;
  readonly anomalyDetectors: Collection<AnomalyDetectorRecord>;
  readonly insightRules: Collection<InsightRuleRecord>;
  readonly streams: Collection<MetricStreamRecord>;
  readonly settings: Collection<SettingsRecord>;
  /** Quotas of usage metrics. */
  readonly quotas: UsageQuotas;
  /** Number of the newest history entry, which orders entries of the same time. */
  private historyNumber = 0;
  private actionNumber = 0;
  /** Metrics reported by emu's other services; undefined without a metric board. */
  readonly reported: RegionMetrics | undefined;
  /** Timers by kind and name. */
  readonly due: DueTimers;
  /** Names of metric alarms by series key. */
  readonly alarmsOfSeries = new Map<string, Set<string>>();
  /** Time of the next evaluation of alarms and reading of levels, in epoch milliseconds. */
  nextTick: number | undefined;
  /** Whether services had levels at the last reading. */
  reporting = true;
  /** Whether usage metrics of operations have been requested. */
  private showsUsage = false;
  /** Whether the state has ended, so that running work is abandoned. */
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
        interrupted: () => work.interrupted(this),
        close: () => {
          this.closed = true;
        },
      },
    ];
  }

  /** Returns a key that sorts after those of all history entries. */
  nextHistoryKey(): string {
    return numericKey(++this.historyNumber);
  }

  /** Returns a key that sorts after those of all pending actions. */
  nextActionKey(): string {
    return numericKey(++this.actionNumber);
  }

  /** Returns a metric alarm by name. */
  metricAlarm(name: string): MetricAlarm | undefined {
    const alarm = this.alarms.get(name);
    return alarm?.type === 'MetricAlarm' ? alarm : undefined;
  }

  /** Returns a composite alarm by name. */
  compositeAlarm(name: string): CompositeAlarm | undefined {
    const alarm = this.alarms.get(name);
    return alarm?.type === 'CompositeAlarm' ? alarm : undefined;
  }

  /** Enables the absorption of `AWS/Usage` metrics if a request or stored record mentions them. */
  noteUsage(asked: unknown): void {
    this.showsUsage ||= JSON.stringify(asked)?.includes(USAGE) ?? false;
  }

  /** Returns the service reports that `absorb` would take, without taking them. */
  pending(): MetricMinute[] {
    const usage = this.showsUsage ? this.reported?.usage.peek() : undefined;
    return [...(this.reported?.peek() ?? []), ...(usage ?? [])];
  }

  /**
   * Absorbs counts reported by services, and their current levels.
   * @param at time in the minute of the levels, in epoch milliseconds: the current minute, or the one just ended
   * @returns keys of the series with new data
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
