import type { Collection, DeepReadonly } from '@emu/core/service';
import type {
  ApiDestinationRecord,
  ArchiveRecord,
  BusRecord,
  ConnectionRecord,
  EndpointRecord,
  EventSourceRecord,
  ReplayRecord,
  RuleRecord,
} from './records.ts';

/** Resources of an account and region, for look-ups. */
export interface ResourceRegistry {
  /** Returns the bus with a name. Creates the default bus on its first use. */
  bus(name: string): DeepReadonly<BusRecord> | undefined;
  readonly buses: Collection<BusRecord>;
  rule(bus: string, name: string): DeepReadonly<RuleRecord> | undefined;
  updateRule(bus: string, name: string, change: (draft: RuleRecord) => void): unknown;
  listRules(): Iterable<DeepReadonly<RuleRecord>>;
  readonly archives: Collection<ArchiveRecord>;
  readonly replays: Collection<ReplayRecord>;
  readonly connections: Collection<ConnectionRecord>;
  readonly apiDestinations: Collection<ApiDestinationRecord>;
  readonly endpoints: Collection<EndpointRecord>;
  readonly eventSources: Collection<EventSourceRecord>;
}
