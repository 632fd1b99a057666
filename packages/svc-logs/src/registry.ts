import type {
  Clock,
  Collection,
  Ids,
  Logger,
  RegionMetrics,
  ServiceCaller,
  ServiceHandle,
  VendedLog,
  VendedRecord,
} from '@emu/core';
import type { LogGroup, LogGroups } from './groups.ts';
import type { LookupTables } from './insights/lookup-tables.ts';
import type { Queries } from './insights/queries/queries.ts';
import type {
  AccountPolicyRecord,
  AnomalyRecord,
  DeliveryDestinationRecord,
  DeliveryPosition,
  DeliveryRecord,
  DeliverySourceRecord,
  DestinationRecord,
  DetectorRecord,
  ExportTaskRecord,
  MetricFilterRecord,
  Stream,
  Subscription,
  SubscriptionRecord,
} from './records.ts';
import type { NewEvent, StoredEvent } from './store/event.ts';
import type { EventStore } from './store/event-store.ts';

/** Events that have just been kept. */
export interface WrittenEvents {
  readonly ids: readonly string[];
  /** The id of what wrote the event at an index, where it is known. */
  readonly causeOf: (index: number) => string | undefined;
}

/** What the parts of a state see of it and of each other. */
export interface LogsRegistry {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly call: ServiceCaller['call'];
  readonly service: Pick<ServiceHandle<LogsRegistry>, 'existingState'>;
  readonly groups: LogGroups;
  readonly store: EventStore;
  readonly metricFilters: Collection<MetricFilterRecord>;
  readonly subscriptions: Collection<SubscriptionRecord>;
  readonly positions: Collection<DeliveryPosition>;
  readonly destinations: Collection<DestinationRecord>;
  readonly accountPolicies: Collection<AccountPolicyRecord>;
  readonly exportTasks: Collection<ExportTaskRecord>;
  readonly deliverySources: Collection<DeliverySourceRecord>;
  readonly deliveryDestinations: Collection<DeliveryDestinationRecord>;
  readonly vendedDeliveries: Collection<DeliveryRecord>;
  readonly detectors: Collection<DetectorRecord>;
  readonly anomalies: Collection<AnomalyRecord>;
  readonly insights: { readonly queries: Queries; readonly lookupTables: LookupTables };
  /** Lets events expire. */
  readonly retention: { enforce(): void };
  /** Sessions that look at new events. */
  readonly tails: { publish(group: LogGroup, stream: string, events: () => readonly StoredEvent[]): void };
  /** Subscribers. */
  readonly deliveries: { wake(group: LogGroup, written?: WrittenEvents): void };
  readonly metrics: { report(group: LogGroup, events: readonly NewEvent[]): Promise<void> };
  /** Metrics that events carry. */
  readonly embedded: { report(group: LogGroup, events: readonly NewEvent[]): Promise<void> };
  /** What is reported to CloudWatch; undefined where no service shows it. */
  readonly reported: RegionMetrics | undefined;
  /** Reports what came to a group to CloudWatch. */
  counted(group: LogGroup, events: readonly NewEvent[]): void;
  /** Reports what of a group a subscription filter has delivered, or could not, to CloudWatch. */
  forwarded(group: LogGroup, filter: Subscription, counts: Readonly<Record<string, number>>): void;
  /** Logs of services on their way to where deliveries say. */
  readonly vended: { deliver(log: VendedLog, records: readonly VendedRecord[]): Promise<void> };
  /** What makes other events of new ones. */
  readonly transformers: {
    apply(target: IngestionTarget, events: readonly NewEvent[]): readonly NewEvent[];
  };
  /** What is sensitive. */
  readonly protection: {
    /** Whether the account's policy protects every group. */
    readonly isInherited: boolean;
    masked(group: LogGroup, event: StoredEvent): string;
    audit(group: LogGroup, events: readonly NewEvent[]): Promise<void>;
  };
}

/** A group, as the parts of a state see it. */
export interface RegisteredGroup {
  readonly state: LogsRegistry;
  readonly group: LogGroup;
}

/** Where events go. */
export interface IngestionTarget extends RegisteredGroup {
  readonly stream: Stream;
}
