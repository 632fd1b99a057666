import type { DeepReadonly } from '@emu/core';
import type { GroupRecord, ScheduleRecord } from './records.ts';

/** A schedule as it is kept. */
export type Schedule = DeepReadonly<ScheduleRecord>;
/** A group as it is kept. */
export type Group = DeepReadonly<GroupRecord>;

/** The groups and schedules of one account and region, as looking them up needs them. */
export interface ScheduleRegistry {
  /** A group by its name; the default group is always there. */
  group(name: string): Group | undefined;
  /** Every group, in order of the names. */
  listGroups(): Group[];
  schedule(group: string, name: string): Schedule | undefined;
  /** Every schedule, in order of group and name. */
  listSchedules(): Schedule[];
}
