import type { Collection, DeepReadonly } from '@emu/core/service';
import type { GroupRecord, ScheduleRecord } from './records.ts';

/** A stored schedule. */
export type Schedule = DeepReadonly<ScheduleRecord>;
/** A stored group. */
export type Group = DeepReadonly<GroupRecord>;

/** Look-up of the groups and schedules of one account and region. */
export interface ScheduleRegistry {
  readonly groups: Collection<GroupRecord>;
  /** Returns the group with a name. The default group always exists. */
  group(name: string): Group | undefined;
  /** Returns all groups, ordered by name. */
  listGroups(): Group[];
  /** Returns the schedule with a name in a group. */
  schedule(group: string, name: string): Schedule | undefined;
  /** Returns all schedules, ordered by group and name. */
  listSchedules(): Schedule[];
}
