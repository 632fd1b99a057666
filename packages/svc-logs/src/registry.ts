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
} from '@emu/core/service';
import type { LogGroup, LogGroups } from './groups/groups.ts';
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

/** Events that were just stored. */
export interface WrittenEvents {
  readonly ids: readonly string[];
  /** Returns the id of the request that wrote the event at an index, if known. */
  readonly causeOf: (index: number) => string | undefined;
}

/** Access of a state's parts to the state and each other. */
export interface LogsRegistry {
  readonly accountId: string;
  readonly region: string;
  /** Whether policies are enforced. */
  readonly enforces: boolean;
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
  /** Expires events. */
  readonly retention: { enforce(): void };
  /** Live tail sessions. */
  readonly tails: { publish(group: LogGroup, stream: string, events: () => readonly StoredEvent[]): void };
  /** Subscribers. */
  readonly deliveries: { wake(group: LogGroup, written?: WrittenEvents): void };
  readonly metrics: { report(group: LogGroup, events: readonly NewEvent[]): Promise<void> };
  /** Embedded metrics. */
  readonly embedded: { report(group: LogGroup, events: readonly NewEvent[]): Promise<void> };
  /** Recorder of CloudWatch metrics; undefined if no mounted service shows them. */
  readonly reported: RegionMetrics | undefined;
  /** Reports a group's incoming events to CloudWatch. */
  counted(group: LogGroup, events: readonly NewEvent[]): void;
  /** Reports the deliveries and failures of a subscription filter to CloudWatch. */
  forwarded(group: LogGroup, filter: Subscription, counts: Readonly<Record<string, number>>): void;
  /** Deliveries of vended logs. */
  readonly vended: { deliver(log: VendedLog, records: readonly VendedRecord[]): Promise<void> };
  /** Transformers of new events; without one, `apply` returns undefined. */
  readonly transformers: {
    apply(target: IngestionTarget, events: readonly NewEvent[]): Promise<readonly NewEvent[]> | undefined;
  };
  /** Data protection. */
  readonly protection: {
    /** Whether an account policy protects all groups. */
    readonly isInherited: boolean;
    masked(group: LogGroup, event: StoredEvent): string;
    audit(group: LogGroup, events: readonly NewEvent[]): Promise<void>;
  };
}

/** Returns a group. */
export interface RegisteredGroup {
  readonly state: LogsRegistry;
  readonly group: LogGroup;
}

/** Event store. */
export interface IngestionTarget extends RegisteredGroup {
  readonly stream: Stream;
}
