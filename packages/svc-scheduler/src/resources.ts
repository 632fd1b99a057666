import { defineResource, type Place, type ResourceAddress, taggedRecord } from '@emu/core/service';
import { DEFAULT_GROUP } from './records.ts';
import type { ScheduleRegistry } from './registry.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/** Operations that name a group. */
const OF_GROUPS: ReadonlySet<string> = new Set(['CreateScheduleGroup', 'DeleteScheduleGroup', 'GetScheduleGroup']);
/** Operations that name a schedule and its group. */
const OF_SCHEDULES: ReadonlySet<string> = new Set([
  'CreateSchedule',
  'DeleteSchedule',
  'GetSchedule',
  'UpdateSchedule',
]);

/**
 * Schedule groups. Schedules themselves have no tags.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridgescheduler.html
 */
export const groupType = defineResource({
  name: 'schedule-group',
  service: 'scheduler',
  scope: 'region',
  format: 'schedule-group/{name}',
  cloudFormation: 'AWS::Scheduler::ScheduleGroup',
  arnMembers: ['ResourceArn'],
  identify: (input, place, operation): ResourceAddress<{ name: string }> | undefined =>
    OF_GROUPS.has(operation) && typeof input.Name === 'string' ? { key: { name: input.Name }, place } : undefined,
  find: (registry: ScheduleRegistry, { name }) => (registry.group(name) ? { name } : undefined),
  list: (registry) => registry.listGroups().map(({ name }) => ({ name })),
  tagged: { tagging, find: (registry, { name }) => taggedRecord(registry.groups, name) },
});

function identifySchedule(
  input: Input,
  place: Place,
  operation: string,
): ResourceAddress<{ group: string; name: string }> | undefined {
  const { Name: name, GroupName: group = DEFAULT_GROUP } = input;
  if (!OF_SCHEDULES.has(operation) || typeof name !== 'string' || typeof group !== 'string') return undefined;
  return { key: { group, name }, place };
}

/** Schedules. */
export const scheduleType = defineResource({
  name: 'schedule',
  service: 'scheduler',
  scope: 'region',
  format: 'schedule/{group}/{name}',
  cloudFormation: 'AWS::Scheduler::Schedule',
  identify: identifySchedule,
  find: (registry: ScheduleRegistry, { group, name }) => (registry.schedule(group, name) ? { group, name } : undefined),
  list: (registry) => registry.listSchedules().map(({ group, name }) => ({ group, name })),
});

/** Resource types of EventBridge Scheduler. */
export const resources = [groupType, scheduleType];
