import {
  type Clock,
  type Collection,
  type Ids,
  type Logger,
  metricsOf,
  parseArn,
  type RegionMetrics,
  type ServiceCaller,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { EmbeddedMetrics } from './embedded/embedded-metrics.ts';
import { ExportTasks } from './export-tasks.ts';
import { type LogGroup, LogGroups } from './groups/groups.ts';
import { Retention } from './groups/retention.ts';
import { Insights } from './insights/insights.ts';
import { LiveTails } from './live-tail.ts';
import { MetricFilters } from './metric-filters/metric-filters.ts';
import { Protection } from './protection/protection.ts';
import {
  type AccountPolicyRecord,
  type AnomalyRecord,
  accountPolicyCollection,
  anomalyCollection,
  type DeliveryDestinationRecord,
  type DeliveryPosition,
  type DeliveryRecord,
  type DeliverySourceRecord,
  type DestinationRecord,
  type DetectorRecord,
  deliveryCollection,
  deliveryDestinationCollection,
  deliverySourceCollection,
  destinationCollection,
  detectorCollection,
  type ExportTaskRecord,
  exportTaskCollection,
  groupCollection,
  type ImportTaskRecord,
  type IntegrationRecord,
  importTaskCollection,
  integrationCollection,
  type MetricFilterRecord,
  metricFilterCollection,
  positionCollection,
  type ResourcePolicyRecord,
  resourcePolicyCollection,
  type Subscription,
  type SubscriptionRecord,
  streamCollection,
  subscriptionCollection,
  type TableSourceRecord,
  tableSourceCollection,
} from './records.ts';
import { groupType } from './resources.ts';
import type { NewEvent } from './store/event.ts';
import type { EventStore } from './store/event-store.ts';
import { Deliveries } from './subscriptions/delivery.ts';
import { transformerCollection } from './transformers/records.ts';
import { Transformers } from './transformers/transformers.ts';
import { VendedDeliveries } from './vended/deliveries.ts';

const NO_DIMENSIONS = {};
/** Metric names of subscription destination services. */
const DESTINATION_TYPES: Readonly<Record<string, string>> = {
  firehose: 'Firehose',
  kinesis: 'Kinesis',
  lambda: 'Lambda',
  logs: 'Destination',
};

/** State of CloudWatch Logs in one account and region. */
export class LogsState implements WorkingState {
  readonly accountId: string;
  readonly region: string;
  readonly enforces: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly call: ServiceCaller['call'];
  readonly service: ServiceHandle<LogsState>;
  readonly groups: LogGroups;
  readonly store: EventStore;
  readonly metricFilters: Collection<MetricFilterRecord>;
  readonly subscriptions: Collection<SubscriptionRecord>;
  readonly positions: Collection<DeliveryPosition>;
  readonly resourcePolicies: Collection<ResourcePolicyRecord>;
  readonly destinations: Collection<DestinationRecord>;
  readonly accountPolicies: Collection<AccountPolicyRecord>;
  readonly exportTasks: Collection<ExportTaskRecord>;
  readonly deliverySources: Collection<DeliverySourceRecord>;
  readonly deliveryDestinations: Collection<DeliveryDestinationRecord>;
  readonly vendedDeliveries: Collection<DeliveryRecord>;
  readonly detectors: Collection<DetectorRecord>;
  readonly anomalies: Collection<AnomalyRecord>;
  readonly integrations: Collection<IntegrationRecord>;
  readonly importTasks: Collection<ImportTaskRecord>;
  readonly tableSources: Collection<TableSourceRecord>;
  readonly metrics: MetricFilters;
  readonly embedded: EmbeddedMetrics;
  readonly protection: Protection;
  readonly tails: LiveTails;
  readonly exports: ExportTasks;
  readonly insights: Insights;
  readonly transformers: Transformers;
  readonly deliveries: Deliveries;
  readonly vended: VendedDeliveries;
  readonly retention: Retention;
  readonly workers: readonly Worker[];
  /** Recorder of CloudWatch metrics; undefined if no mounted service shows them. */
  readonly reported: RegionMetrics | undefined;

  constructor(scope: StateScope) {
    const { accountId, region } = scope;
    this.accountId = accountId;
    this.enforces = scope.settings.values.EMULATOR_ENFORCE_IAM;
    this.region = region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.call = scope.call;
    this.service = scope.service as ServiceHandle<LogsState>;
    this.reported = metricsOf(scope.service, accountId, region);
    this.metricFilters = scope.collection(metricFilterCollection);
    this.subscriptions = scope.collection(subscriptionCollection);
    this.positions = scope.collection(positionCollection);
    this.resourcePolicies = scope.collection(resourcePolicyCollection);
    this.destinations = scope.collection(destinationCollection);
    this.accountPolicies = scope.collection(accountPolicyCollection);
    this.exportTasks = scope.collection(exportTaskCollection);
    this.deliverySources = scope.collection(deliverySourceCollection);
    this.deliveryDestinations = scope.collection(deliveryDestinationCollection);
    this.vendedDeliveries = scope.collection(deliveryCollection);
    this.detectors = scope.collection(detectorCollection);
    this.anomalies = scope.collection(anomalyCollection);
    this.integrations = scope.collection(integrationCollection);
    this.importTasks = scope.collection(importTaskCollection);
    this.tableSources = scope.collection(tableSourceCollection);
    this.store = scope.data as EventStore;
    const keyOf = (id: string): string => `${accountId}/${region}/${id}`;
    this.groups = new LogGroups({
      groups: scope.collection(groupCollection),
      streams: scope.collection(streamCollection),
      store: this.store,
      keyOf,
    });
    const kept = new Set(this.groups.list().map(({ key }) => key));
    this.store.prune(accountId, region, (key) => kept.has(key));
    this.retention = new Retention(this.groups, this.store, this.clock);
    this.metrics = new MetricFilters(this);
    this.embedded = new EmbeddedMetrics(this);
    this.deliveries = new Deliveries(this);
    this.vended = new VendedDeliveries(this);
    this.protection = new Protection(this);
    this.tails = new LiveTails(this);
    this.exports = new ExportTasks(this);
    this.insights = new Insights(scope, this);
    this.transformers = new Transformers(scope.collection(transformerCollection), this.accountPolicies);
    this.workers = [this.retention, this.deliveries, this.vended, this.tails, this.exports, ...this.insights.workers];
  }

  /**
   * Reports events of a group and the account to CloudWatch.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CloudWatch-Logs-Monitoring-CloudWatch-Metrics.html
   */
  counted(group: LogGroup, events: readonly NewEvent[]): void {
    if (!this.reported) return;
    const now = this.clock.now();
    const bytes = events.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0);
    for (const dimensions of [{ LogGroupName: group.name }, NO_DIMENSIONS]) {
      const metrics = this.reported.resource('AWS/Logs', dimensions);
      metrics.add('IncomingBytes', bytes, now, 'Bytes');
      metrics.add('IncomingLogEvents', events.length, now);
    }
  }

  /**
   * Reports the deliveries and failures of a subscription filter to CloudWatch.
   * @param counts by metric, e.g. `ForwardedLogEvents`
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CloudWatch-Logs-Monitoring-CloudWatch-Metrics.html
   */
  forwarded(group: LogGroup, filter: Subscription, counts: Readonly<Record<string, number>>): void {
    const service = parseArn(filter.destinationArn)?.service ?? '';
    const metrics = this.reported?.resource('AWS/Logs', {
      DestinationType: DESTINATION_TYPES[service] ?? service,
      FilterName: filter.name,
      ...(filter.group === undefined ? { PolicyLevel: 'AccountPolicy' } : { LogGroupName: group.name }),
    });
    for (const [name, value] of Object.entries(counts))
      metrics?.add(name, value, this.clock.now(), name === 'ForwardedBytes' ? 'Bytes' : 'Count');
  }

  /** Deletes a group with everything that belongs to it. */
  drop(group: LogGroup): void {
    this.groups.delete(group);
    this.transformers.delete(group.name);
    for (const [key, filter] of [...this.metricFilters.entries()])
      if (filter.group === group.name) this.metricFilters.delete(key);
    for (const [key, filter] of [...this.subscriptions.entries()])
      if (filter.group === group.name) {
        this.subscriptions.delete(key);
        this.deliveries.end(key);
      }
    for (const key of [...this.positions.keys()]) if (key.endsWith(` ${group.record.id}`)) this.positions.delete(key);
    this.resourcePolicies.delete(groupType.arn({ name: group.name }, this));
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): LogsState {
  return new LogsState(scope);
}
