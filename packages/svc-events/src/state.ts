import { compilePattern, PatternIndex } from '@emu/core/patterns';
import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  type InterruptedWork,
  type Logger,
  metricsOf,
  RecordBuffer,
  type RegionMetrics,
  type ServiceCaller,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { ArchivedEvents } from './archives/archived-events.ts';
import { ruleArn } from './arns.ts';
import { OAuthTokens } from './connections/oauth-tokens.ts';
import { Pauses } from './delivery/pauses.ts';
import { RateLimits } from './delivery/rate-limit.ts';
import { type BusEvent, newEvent } from './event.ts';
import { BusLogs } from './logs/bus-logs.ts';
import {
  type ApiDestinationRecord,
  type ArchiveRecord,
  apiDestinationCollection,
  archiveCollection,
  archivedEventCollection,
  type BusRecord,
  busCollection,
  type ConnectionRecord,
  connectionCollection,
  DEFAULT_BUS,
  type DeliveryRecord,
  deliveryCollection,
  type EndpointRecord,
  type EventSourceRecord,
  endpointCollection,
  eventSourceCollection,
  type PartnerSourceRecord,
  partnerSourceCollection,
  type ReplayRecord,
  type RuleRecord,
  replayCollection,
  ruleCollection,
} from './records.ts';
import type { ResourceRegistry } from './registry.ts';
import { RuleSchedules } from './rules/rule-schedules.ts';

/** A stored bus. */
export type Bus = DeepReadonly<BusRecord>;
/** A stored rule. */
export type Rule = DeepReadonly<RuleRecord>;
/** A stored archive. */
export type Archived = DeepReadonly<ArchiveRecord>;

/** Outcome of an event at a target. */
export interface DeliveryOutcome {
  eventId: string;
  bus: string;
  rule: string;
  ruleArn: string;
  targetId: string;
  targetArn: string;
  status: 'delivered' | 'failed' | 'dead-lettered';
  attempts: number;
  error?: { code: string; message: string };
  at: number;
}

/** An event that a bus has received. */
export interface SeenEvent {
  event: BusEvent;
  bus: string;
  at: number;
}

/** Size limit in bytes of the event history, and the estimated size of an event without its detail. */
const MAX_SEEN_BYTES = 64 * 1024 * 1024;
const EVENT_BYTES = 500;

/** Background work of a state. The plugin provides it, so that the state does not depend on targets. */
export interface EventsWork {
  /** Runs a rule for an event. */
  runRule(state: EventsState, rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]>;
  /** Resumes work that was in progress before a restart. */
  interrupted(state: EventsState): Iterable<InterruptedWork>;
}

const keyOfRule = (bus: string, name: string): string => `${bus} ${name}`;

/** Buses of one account and region with everything that belongs to them. */
export class EventsState implements ResourceRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle<EventsState>;
  readonly call: ServiceCaller['call'];
  readonly callJson: ServiceCaller['callJson'];
  readonly buses: Collection<BusRecord>;
  private readonly rules: Collection<RuleRecord>;
  readonly archives: Collection<ArchiveRecord>;
  readonly archived: ArchivedEvents;
  readonly replays: Collection<ReplayRecord>;
  /** Deliveries in progress. */
  readonly deliveries: Collection<DeliveryRecord>;
  readonly connections: Collection<ConnectionRecord>;
  readonly apiDestinations: Collection<ApiDestinationRecord>;
  readonly endpoints: Collection<EndpointRecord>;
  readonly partnerSources: Collection<PartnerSourceRecord>;
  readonly eventSources: Collection<EventSourceRecord>;
  readonly seen = new RecordBuffer<SeenEvent>(10_000, {
    limit: MAX_SEEN_BYTES,
    of: ({ event }) => event.detail.length + EVENT_BYTES,
  });
  readonly outcomes = new RecordBuffer<DeliveryOutcome>();
  /** Enabled rules with a pattern, by bus. */
  private readonly indexes = new Map<string, PatternIndex<string>>();
  private readonly schedules: RuleSchedules;
  /** Rules by bus. Buses without rules have no entry. */
  private readonly ruleNumbers = new Map<string, number>();
  private readonly reported: RegionMetrics | undefined;
  /** Logs of buses about their events. */
  readonly logs: BusLogs;
  readonly pauses: Pauses;
  readonly rateLimits: RateLimits;
  readonly tokens: OAuthTokens;

  constructor(
    scope: StateScope,
    private readonly work: EventsWork,
  ) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.service = scope.service as ServiceHandle<EventsState>;
    this.call = scope.call.bind(scope);
    this.callJson = scope.callJson.bind(scope);
    this.buses = scope.collection(busCollection);
    this.rules = scope.collection(ruleCollection);
    this.archives = scope.collection(archiveCollection);
    const retentionOf = (name: string) => this.archives.get(name)?.retentionDays;
    this.archived = new ArchivedEvents(scope.collection(archivedEventCollection), this.clock, this.ids, retentionOf);
    this.replays = scope.collection(replayCollection);
    this.deliveries = scope.collection(deliveryCollection);
    this.connections = scope.collection(connectionCollection);
    this.apiDestinations = scope.collection(apiDestinationCollection);
    this.endpoints = scope.collection(endpointCollection);
    this.partnerSources = scope.collection(partnerSourceCollection);
    this.eventSources = scope.collection(eventSourceCollection);
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.logs = new BusLogs(this);
    this.pauses = new Pauses(this.clock);
    this.rateLimits = new RateLimits(this.clock, this.pauses);
    this.tokens = new OAuthTokens(this.clock, this.service.names);
    this.schedules = new RuleSchedules(this.clock, this.rules, (rule) => this.fireSchedule(rule));
    for (const [key, rule] of this.rules.entries()) {
      this.index(key, rule);
      this.tallyRule(rule.bus, 1);
    }
    this.workers = [this.pauses, this.schedules, this.archived, { interrupted: () => work.interrupted(this) }];
  }

  /** Whether the state has ended; work in progress then has no effect. */
  get closed(): boolean {
    return this.pauses.closed;
  }

  /** Returns the bus with a name. Creates the default bus on its first use. */
  bus(name: string): Bus | undefined {
    const bus = this.buses.get(name);
    if (bus || name !== DEFAULT_BUS) return bus;
    const now = this.clock.now();
    return this.buses.put(name, { name, tags: [], createdAt: now, modifiedAt: now });
  }

  /** Deletes a bus and its rules. */
  removeBus(name: string): void {
    for (const rule of this.rulesOf(name)) this.removeRule(name, rule.name);
    this.buses.delete(name);
    this.indexes.delete(name);
  }

  rule(bus: string, name: string): Rule | undefined {
    return this.rules.get(keyOfRule(bus, name));
  }

  listRules(): Iterable<Rule> {
    return this.rules.values();
  }

  /** Returns the rules of a bus, ordered by name. */
  rulesOf(bus: string): Rule[] {
    const found = [...this.rules.values()].filter((rule) => rule.bus === bus);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the number of rules of a bus. */
  ruleNumberOf(bus: string): number {
    return this.ruleNumbers.get(bus) ?? 0;
  }

  putRule(record: RuleRecord): Rule {
    if (!this.rule(record.bus, record.name)) this.tallyRule(record.bus, 1);
    const rule = this.rules.put(keyOfRule(record.bus, record.name), record);
    this.activate(rule);
    return rule;
  }

  updateRule(bus: string, name: string, change: (draft: RuleRecord) => void): Rule {
    const rule = this.rules.update(keyOfRule(bus, name), change);
    this.activate(rule);
    return rule;
  }

  removeRule(bus: string, name: string): void {
    const key = keyOfRule(bus, name);
    this.deactivate(bus, key);
    if (this.rules.delete(key)) this.tallyRule(bus, -1);
  }

  /** Whether a bus may have consumers: an enabled rule with a pattern, or any archive of the account. */
  mayConsume(bus: string): boolean {
    return this.archives.size > 0 || (this.indexes.get(bus)?.size ?? 0) > 0;
  }

  /** Returns the enabled rules of a bus whose pattern matches. @param event in the form for patterns */
  matching(bus: string, event: Parameters<PatternIndex<string>['match']>[0]): Rule[] {
    const index = this.indexes.get(bus);
    return index ? [...index.match(event)].flatMap((key) => this.rules.get(key) ?? []) : [];
  }

  /** Runs a rule's targets for a scheduled event. */
  async fireSchedule(rule: Rule): Promise<DeliveryOutcome[]> {
    const arn = ruleArn(this, rule.bus, rule.name);
    const event = newEvent(this, {
      id: this.ids.uuid(),
      source: 'aws.events',
      detailType: 'Scheduled Event',
      time: this.clock.now(),
      resources: [arn],
      detail: '{}',
      cause: this.ids.uuid(),
    });
    this.record(rule.bus, event);
    this.logs.taken(rule.bus, event, true);
    return this.work.runRule(this, rule, event);
  }

  /** Runs a rule for a matching event. */
  run(rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]> {
    return this.work.runRule(this, rule, event);
  }

  /**
   * Counts a metric of a rule, with the bus as an additional dimension if it is not the default bus.
   * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
   */
  report({ bus, name }: Pick<Rule, 'bus' | 'name'>, metric: string): void {
    const dimensions = bus === DEFAULT_BUS ? { RuleName: name } : { EventBusName: bus, RuleName: name };
    this.reported?.resource('AWS/Events', dimensions).add(metric, 1, this.clock.now());
  }

  /** Adds an event to the history for the control route. */
  record(bus: string, event: BusEvent): void {
    this.seen.add({ event, bus, at: this.clock.now() });
  }

  private tallyRule(bus: string, by: number): void {
    this.ruleNumbers.set(bus, this.ruleNumberOf(bus) + by);
  }

  private activate(rule: Rule): void {
    const key = keyOfRule(rule.bus, rule.name);
    this.indexes.get(rule.bus)?.delete(key);
    this.index(key, rule);
    this.schedules.set(key, rule);
  }

  private index(key: string, rule: Rule): void {
    // The archive of a managed rule receives events itself.
    if (rule.state === 'DISABLED' || rule.eventPattern === undefined || rule.managedBy !== undefined) return;
    let index = this.indexes.get(rule.bus);
    if (!index) {
      index = new PatternIndex<string>();
      this.indexes.set(rule.bus, index);
    }
    index.put(key, compilePattern(rule.eventPattern));
  }

  private deactivate(bus: string, key: string): void {
    this.indexes.get(bus)?.delete(key);
    this.schedules.cancel(key);
  }
}
