import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  type Logger,
  RecordBuffer,
  type ServiceHandle,
  type StateScope,
  type Timer,
  type Worker,
  type WorkingState,
} from '@emu/core';
import { compilePattern, PatternIndex } from '@emu/core/patterns';
import { nextRun, parseSchedule } from '@emu/core/schedules';
import { ArchivedEvents } from './archived-events.ts';
import { type Place, ruleArn } from './arns.ts';
import { type BusEvent, newEvent } from './event.ts';
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
  /** Lets a replay go on that an emulator before this one left unfinished. */
  resumeReplay(state: EventsState, replay: DeepReadonly<ReplayRecord>): void;
}

const ruleKey = (bus: string, name: string): string => `${bus} ${name}`;

/** The buses of one account and region, with everything that belongs to them. */
export class EventsState implements Worker, WorkingState, Place {
  readonly workers: readonly Worker[] = [this];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle<EventsState>;
  readonly call: StateScope['call'];
  readonly buses: Collection<BusRecord>;
  private readonly rules: Collection<RuleRecord>;
  readonly archives: Collection<ArchiveRecord>;
  readonly archived: ArchivedEvents;
  readonly replays: Collection<ReplayRecord>;
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
  private readonly timers = new Map<string, Timer>();
  /** Ends of waits that go on when the state is closed. */
  private readonly waits = new Map<Timer, () => void>();
  readonly rateLimits = new RateLimits();
  closed = false;

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
    this.buses = scope.collection(busCollection);
    this.rules = scope.collection(ruleCollection);
    this.archives = scope.collection(archiveCollection);
    const retentionOf = (name: string) => this.archives.get(name)?.retentionDays;
    this.archived = new ArchivedEvents(scope.collection(archivedEventCollection), this.clock, this.ids, retentionOf);
    this.replays = scope.collection(replayCollection);
    this.connections = scope.collection(connectionCollection);
    this.apiDestinations = scope.collection(apiDestinationCollection);
    this.endpoints = scope.collection(endpointCollection);
    this.partnerSources = scope.collection(partnerSourceCollection);
    this.eventSources = scope.collection(eventSourceCollection);
    for (const rule of this.rules.values()) this.activate(rule);
    for (const replay of this.replays.values()) if (replay.endedAt === undefined) work.resumeReplay(this, replay);
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
    return this.rules.get(ruleKey(bus, name));
  }

  /** Rules of a bus, in order of their names. */
  rulesOf(bus: string): Rule[] {
    const found = [...this.rules.values()].filter((rule) => rule.bus === bus);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  putRule(record: RuleRecord): Rule {
    const rule = this.rules.put(ruleKey(record.bus, record.name), record);
    this.activate(rule);
    return rule;
  }

  updateRule(bus: string, name: string, change: (draft: RuleRecord) => void): Rule {
    const rule = this.rules.update(ruleKey(bus, name), change);
    this.activate(rule);
    return rule;
  }

  removeRule(bus: string, name: string): void {
    const key = ruleKey(bus, name);
    this.deactivate(bus, key);
    this.rules.delete(key);
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
    return this.work.runRule(this, rule, event);
  }

  /** Runs a rule for an event that it matches. */
  run(rule: Rule, event: BusEvent): Promise<DeliveryOutcome[]> {
    return this.work.runRule(this, rule, event);
  }

  /** Remembers an event for the control route. */
  record(bus: string, event: BusEvent): void {
    this.seen.add({ event, bus, at: this.clock.now() });
  }

  /** Lets a wait end with the state. @param timer that ends it otherwise */
  onClose(timer: Timer, end: () => void): void {
    for (const old of this.waits.keys()) if (old.dueAt <= this.clock.now()) this.waits.delete(old);
    this.waits.set(timer, end);
  }

  close(): void {
    this.closed = true;
    for (const [timer, end] of this.waits) {
      timer.cancel();
      end();
    }
    this.waits.clear();
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
    this.archived.close();
  }

  private activate(rule: Rule): void {
    const key = ruleKey(rule.bus, rule.name);
    this.deactivate(rule.bus, key);
    if (rule.state === 'DISABLED' || this.closed) return;
    if (rule.eventPattern !== undefined) {
      let index = this.indexes.get(rule.bus);
      if (!index) {
        index = new PatternIndex<string>();
        this.indexes.set(rule.bus, index);
      }
      index.put(key, compilePattern(rule.eventPattern));
    }
    this.schedule(key, rule);
  }

  private deactivate(bus: string, key: string): void {
    this.indexes.get(bus)?.delete(key);
    this.timers.get(key)?.cancel();
    this.timers.delete(key);
  }

  /** Sets the timer of a rule's next run. */
  private schedule(key: string, rule: Rule): void {
    if (rule.scheduleExpression === undefined) return;
    const schedule = parseSchedule(rule.scheduleExpression);
    const now = this.clock.now();
    const due = schedule && nextRun(schedule, now, rule.scheduledFrom ?? now);
    if (due === undefined) return;
    const timer = this.clock.at(due, async () => {
      const current = this.rules.get(key);
      if (current?.scheduleExpression === undefined || current.state === 'DISABLED' || this.closed) return;
      this.schedule(key, current);
      await this.fireSchedule(current);
    });
    this.timers.set(key, timer);
  }
}
