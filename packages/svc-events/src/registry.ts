import type { Collection, DeepReadonly } from '@emu/core';
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

/** What an account has in a region, as resources are found in it. */
export interface ResourceRegistry {
  /** A bus by its name; the default bus is there when it is asked for. */
  bus(name: string): DeepReadonly<BusRecord> | undefined;
  readonly buses: Collection<BusRecord>;
  rule(bus: string, name: string): DeepReadonly<RuleRecord> | undefined;
  listRules(): Iterable<DeepReadonly<RuleRecord>>;
  readonly archives: Collection<ArchiveRecord>;
  readonly replays: Collection<ReplayRecord>;
  readonly connections: Collection<ConnectionRecord>;
  readonly apiDestinations: Collection<ApiDestinationRecord>;
  readonly endpoints: Collection<EndpointRecord>;
  readonly eventSources: Collection<EventSourceRecord>;
}
