import {
  type Clock,
  type Collection,
  IdempotencyTokens,
  metricsOf,
  type RegionMetrics,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core';
import { Deliveries, type Outcome } from './delivery/deliveries.ts';
import { conflict } from './errors.ts';
import {
  DEFAULT_GROUP,
  type DeliveryRecord,
  deliveryCollection,
  type GroupRecord,
  groupCollection,
  requestCollection,
  type ScheduleRecord,
  scheduleCollection,
} from './records.ts';
import type { Group, Schedule, ScheduleRegistry } from './registry.ts';
import { groupType, scheduleType } from './resources.ts';
import { ScheduleRuns } from './timing/schedule-runs.ts';

const EXECUTION_ID_BYTES = 8;
/** Milliseconds for which a client token stands for its request. */
const TOKEN_PERIOD = 24 * 60 * 60 * 1000;

const keyOf = (group: string, name: string): string => `${group}/${name}`;

/** The groups and schedules of one account and region. */
export class SchedulerState implements ScheduleRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  /** What is reported to CloudWatch; undefined where no service shows it. */
  readonly reported: RegionMetrics | undefined;
  readonly tokens: IdempotencyTokens<string | undefined>;
  private readonly groups: Collection<GroupRecord>;
  private readonly schedules: Collection<ScheduleRecord>;
  private readonly deliveries: Deliveries;
  private readonly runs: ScheduleRuns;

  constructor(private readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.groups = scope.collection(groupCollection);
    this.schedules = scope.collection(scheduleCollection);
    this.tokens = new IdempotencyTokens({
      clock: scope.clock,
      records: scope.collection(requestCollection),
      period: TOKEN_PERIOD,
      refuse: () => conflict('The client token was already used for a request with other parameters.'),
    });
    this.deliveries = new Deliveries(scope, scope.collection(deliveryCollection), ({ group, name }) =>
      this.complete(group, name),
    );
    this.runs = new ScheduleRuns(scope.clock, this.schedules, (schedule, scheduledAt) =>
      this.deliveries.begin(this.invoke(schedule, scheduledAt)),
    );
    this.workers = [this.deliveries, this.runs];
  }

  /** ARN of a group. */
  groupArn(name: string): string {
    return groupType.arn({ name }, this);
  }

  /** ARN of a schedule. */
  scheduleArn({ group, name }: Pick<Schedule, 'group' | 'name'>): string {
    return scheduleType.arn({ group, name }, this);
  }

  /** A group by its name; the default group is made when it is first asked for. */
  group(name: string): Group | undefined {
    const group = this.groups.get(name);
    if (group || name !== DEFAULT_GROUP) return group;
    return this.groups.put(name, { name, tags: [], createdAt: this.clock.now() });
  }

  listGroups(): Group[] {
    this.group(DEFAULT_GROUP);
    return [...this.groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  putGroup(group: GroupRecord): Group {
    return this.groups.put(group.name, group);
  }

  /** Gives a group other tags. */
  tagGroup(name: string, tags: GroupRecord['tags']): void {
    this.groups.update(name, (draft) => {
      draft.tags = tags;
    });
  }

  /** Deletes a group with its schedules. */
  deleteGroup(name: string): void {
    for (const schedule of this.listSchedules()) if (schedule.group === name) this.deleteSchedule(schedule);
    this.groups.delete(name);
  }

  schedule(group: string, name: string): Schedule | undefined {
    return this.schedules.get(keyOf(group, name));
  }

  listSchedules(): Schedule[] {
    return [...this.schedules.values()].sort((a, b) => (keyOf(a.group, a.name) < keyOf(b.group, b.name) ? -1 : 1));
  }

  /** Adds a schedule or puts it in the place of what it was, and has it run from now on. */
  putSchedule(record: ScheduleRecord): Schedule {
    const key = keyOf(record.group, record.name);
    const schedule = this.schedules.put(key, record);
    this.runs.set(key, schedule);
    return schedule;
  }

  /** Deletes a schedule; what it has begun to deliver goes on. */
  deleteSchedule({ group, name }: Pick<Schedule, 'group' | 'name'>): void {
    const key = keyOf(group, name);
    this.runs.cancel(key);
    this.schedules.delete(key);
  }

  /** When a schedule calls its target next, in epoch milliseconds; undefined where it does not. */
  nextInvocationAt({ group, name }: Schedule): number | undefined {
    return this.runs.nextAt(keyOf(group, name));
  }

  /** Calls the target of a schedule now and once, whatever its state is. */
  fire(schedule: Schedule): Promise<Outcome> {
    return this.deliveries.once(this.invoke(schedule, this.clock.now()));
  }

  /** Notes that a schedule calls its target, and makes the delivery. */
  private invoke({ group, name, target, input, encryption }: Schedule, scheduledAt: number): DeliveryRecord {
    const now = this.clock.now();
    this.schedules.update(keyOf(group, name), (draft) => {
      draft.invokedAt = now;
    });
    return {
      executionId: this.scope.ids.bytes(EXECUTION_ID_BYTES).toString('hex'),
      group,
      name,
      // These are parts of a record, and so never change.
      target: target as DeliveryRecord['target'],
      ...(input !== undefined && { input }),
      ...(encryption !== undefined && { encryption }),
      scheduledAt,
      attempts: 0,
      dueAt: now,
      cause: this.scope.ids.uuid(),
    };
  }

  /** Deletes a schedule that has run for the last time, where it says so. */
  private complete(group: string, name: string): void {
    const schedule = this.schedule(group, name);
    if (schedule?.afterCompletion !== 'DELETE' || schedule.ranFor === undefined || schedule.state === 'DISABLED')
      return;
    if (this.nextInvocationAt(schedule) === undefined && !this.deliveries.has(group, name))
      this.deleteSchedule(schedule);
  }
}

/** Makes the state of an account and region. */
export function createState(scope: StateScope): SchedulerState {
  return new SchedulerState(scope);
}
