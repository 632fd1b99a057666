import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  type Logger,
  metricsOf,
  RecordBuffer,
  type RegionMetrics,
  type ServiceCaller,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core';
import { compilePattern, PatternIndex } from '@emu/core/patterns';
import { ArchivedEvents } from './archived-events.ts';
import { ruleArn } from './arns.ts';
import { type BusEvent, newEvent } from './event.ts';
import { BusLogs } from './logs/bus-logs.ts';
import { OAuthTokens } from './oauth-tokens.ts';
import { Pauses } from './pauses.ts';
import { RateLimits } from './rate-limit.ts';
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
import { RuleSchedules } from './rule-schedules.ts';

/** A bus as it is kept. */
export type Bus = DeepReadonly<BusRecord>;
/** A rule as it is kept. */
export type Rule = DeepReadonly<RuleRecord>;
/** An archive as it is kept. */
export type Archived = DeepReadonly<ArchiveRecord>;

/** What became of an event at a target. */
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

/** An event that a bus has seen. */
export interface SeenEvent {
  event: BusEvent;
  bus: string;
  at: number;
}

/** Bytes of the events whose history is kept, and a guess at what one takes besides its detail. */
const MAX_SEEN_BYTES = 64 * 1024 * 1024;
const EVENT_BYTES = 500;

/** What a state does of its own accord; given by the plugin, so that the state knows nothing of targets. */
export interface EventsWork {
  /** Runs a rule for an event. */
  runRule(state: EventsState, rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]>;
  /** Goes on with what an emulator before this one left unfinished. */
  resume(state: EventsState): void;
}

const keyOfRule = (bus: string, name: string): string => `${bus} ${name}`;

/** The buses of one account and region, with everything that belongs to them. */
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
  /** Events on their way to targets. */
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
  /** Rules by bus, where it has any. */
  private readonly ruleNumbers = new Map<string, number>();
  private readonly reported: RegionMetrics | undefined;
  /** What buses log of events on their way. */
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
    this.tokens = new OAuthTokens(this.clock);
    this.schedules = new RuleSchedules(this.clock, this.rules, (rule) => this.fireSchedule(rule));
    for (const [key, rule] of this.rules.entries()) {
      this.index(key, rule);
      this.tallyRule(rule.bus, 1);
    }
    this.workers = [this.pauses, this.schedules, this.archived, { resume: () => work.resume(this) }];
  }

  /** Whether the state is gone; what is under way has no effect any more. */
  get closed(): boolean {
    return this.pauses.closed;
  }

  /** A bus by its name; the default bus is made when it is first asked for. */
  bus(name: string): Bus | undefined {
    const bus = this.buses.get(name);
    if (bus || name !== DEFAULT_BUS) return bus;
    const now = this.clock.now();
    return this.buses.put(name, { name, tags: [], createdAt: now, modifiedAt: now });
  }

  /** Deletes a bus with its rules. */
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

  /** Rules of a bus, in order of their names. */
  rulesOf(bus: string): Rule[] {
    const found = [...this.rules.values()].filter((rule) => rule.bus === bus);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** How many rules a bus has. */
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

  /** Whether a rule or an archive may look at the events of a bus. */
  isHeard(bus: string): boolean {
    return this.archives.size > 0 || (this.indexes.get(bus)?.size ?? 0) > 0;
  }

  /** Enabled rules of a bus whose pattern matches. @param event as patterns look at it */
  matching(bus: string, event: Parameters<PatternIndex<string>['match']>[0]): Rule[] {
    const index = this.indexes.get(bus);
    return index ? [...index.match(event)].flatMap((key) => this.rules.get(key) ?? []) : [];
  }

  /** Runs a rule's targets for an event of its schedule. */
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

  /** Runs a rule for an event that it matches. */
  run(rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]> {
    return this.work.runRule(this, rule, event);
  }

  /**
   * Counts something of a rule; of another bus than the default one, by the bus too.
   * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
   */
  report({ bus, name }: Pick<Rule, 'bus' | 'name'>, metric: string): void {
    const dimensions = bus === DEFAULT_BUS ? { RuleName: name } : { EventBusName: bus, RuleName: name };
    this.reported?.resource('AWS/Events', dimensions).add(metric, 1, this.clock.now());
  }

  /** Remembers an event for the control route. */
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
    // What a managed rule stands for, an archive, takes events by itself.
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
