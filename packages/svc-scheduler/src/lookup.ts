import type { SchedulerContext } from './context.ts';
import { groupNotFound, scheduleNotFound } from './errors.ts';
import { DEFAULT_GROUP } from './records.ts';
import type { Group, Schedule } from './registry.ts';

/** Returns the group with a name. @throws AwsError `ResourceNotFoundException` */
export function groupOf(name: string, { state }: SchedulerContext): Group {
  const group = state.group(name);
  if (!group) throw groupNotFound(name);
  return group;
}

/** Returns the schedule that a request names. @throws AwsError `ResourceNotFoundException` */
export function scheduleOf(
  { Name, GroupName = DEFAULT_GROUP }: { Name: string; GroupName?: string | undefined },
  { state }: SchedulerContext,
): Schedule {
  const schedule = state.schedule(GroupName, Name);
  if (!schedule) throw scheduleNotFound(Name);
  return schedule;
}
