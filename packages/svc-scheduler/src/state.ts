import {
  type Clock,
  type Collection,
  IdempotencyTokens,
  metricsOf,
  type RegionMetrics,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
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
/** Lifetime of an idempotency token in milliseconds. */
const TOKEN_PERIOD = 24 * 60 * 60 * 1000;

const keyOf = (group: string, name: string): string => `${group}/${name}`;

/** Groups and schedules of one account and region. */
export class SchedulerState implements ScheduleRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  /** Metrics for CloudWatch; undefined if CloudWatch is not mounted. */
  readonly reported: RegionMetrics | undefined;
  readonly tokens: IdempotencyTokens<string | undefined>;
  readonly groups: Collection<GroupRecord>;
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

  /** Returns the ARN of a group. */
  groupArn(name: string): string {
    return groupType.arn({ name }, this);
  }

  /** Returns the ARN of a schedule. */
  scheduleArn({ group, name }: Pick<Schedule, 'group' | 'name'>): string {
    return scheduleType.arn({ group, name }, this);
  }

  /** Returns the group with a name. Creates the default group on its first use. */
  group(name: string): Group | undefined {
    const group = this.groups.get(name);
    if (group || name !== DEFAULT_GROUP) return group;
    return this.groups.put(name, { name, tags: [], createdAt: this.clock.now() });
  }

  /** Returns all groups, ordered by name. */
  listGroups(): Group[] {
    this.group(DEFAULT_GROUP);
    return [...this.groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Adds or replaces a group. */
  putGroup(group: GroupRecord): Group {
    return this.groups.put(group.name, group);
  }

  /** Deletes a group and its schedules. */
  deleteGroup(name: string): void {
    for (const schedule of this.listSchedules()) if (schedule.group === name) this.deleteSchedule(schedule);
    this.groups.delete(name);
  }

  /** Returns the schedule with a name in a group. */
  schedule(group: string, name: string): Schedule | undefined {
    return this.schedules.get(keyOf(group, name));
  }

  /** Returns all schedules, ordered by group and name. */
  listSchedules(): Schedule[] {
    return [...this.schedules.values()].sort((a, b) => (keyOf(a.group, a.name) < keyOf(b.group, b.name) ? -1 : 1));
  }

  /** Adds or replaces a schedule and starts its runs. */
  putSchedule(record: ScheduleRecord): Schedule {
    const key = keyOf(record.group, record.name);
    const schedule = this.schedules.put(key, record);
    this.runs.set(key, schedule);
    return schedule;
  }

  /** Deletes a schedule. Deliveries in progress continue. */
  deleteSchedule({ group, name }: Pick<Schedule, 'group' | 'name'>): void {
    const key = keyOf(group, name);
    this.runs.cancel(key);
    this.schedules.delete(key);
  }

  /**
   * Returns the time of the next call of a schedule's target in epoch milliseconds; undefined without a further run.
   */
  nextInvocationAt({ group, name }: Schedule): number | undefined {
    return this.runs.nextAt(keyOf(group, name));
  }

  /** Calls the target of a schedule once, immediately, in any state of the schedule. */
  fire(schedule: Schedule): Promise<Outcome> {
    return this.deliveries.once(this.invoke(schedule, this.clock.now()));
  }

  /** Records the run of a schedule and starts the delivery. */
  private invoke({ group, name, target, input, encryption }: Schedule, scheduledAt: number): DeliveryRecord {
    const now = this.clock.now();
    this.schedules.update(keyOf(group, name), (draft) => {
      draft.invokedAt = now;
    });
    return {
      executionId: this.scope.ids.bytes(EXECUTION_ID_BYTES).toString('hex'),
      group,
      name,
      // Parts of a record never change, so they need no copy.
      target: target as DeliveryRecord['target'],
      ...(input !== undefined && { input }),
      ...(encryption !== undefined && { encryption }),
      scheduledAt,
      attempts: 0,
      dueAt: now,
      cause: this.scope.ids.uuid(),
    };
  }

  /** Deletes a schedule after its last run if ActionAfterCompletion is DELETE. */
  private complete(group: string, name: string): void {
    const schedule = this.schedule(group, name);
    if (schedule?.afterCompletion !== 'DELETE' || schedule.ranFor === undefined || schedule.state === 'DISABLED')
      return;
    if (this.nextInvocationAt(schedule) === undefined && !this.deliveries.has(group, name))
      this.deleteSchedule(schedule);
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): SchedulerState {
  return new SchedulerState(scope);
}
