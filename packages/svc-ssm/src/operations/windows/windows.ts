import type { InputOf, OutputOf, Target } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';
import { windowAt } from '../../windows/lookup.ts';
import type { WindowRecord } from '../../windows/records.ts';
import { windowType } from '../../windows/resources.ts';
import type { Window, WindowStore } from '../../windows/store.ts';
import { checkTiming, nextOpening, printTime } from '../../windows/timing.ts';

/** Maximum number of openings that a schedule response covers. */
const MAX_OPENINGS = 100;

/** Sends the enabled or disabled state of a window to EventBridge. */
function announceState(window: Window, ctx: SsmContext): void {
  const detail = { 'window-id': window.id, status: window.enabled ? 'ENABLED' : 'DISABLED' };
  const arn = windowType.arn({ id: window.id }, ctx);
  ctx.state.announce('Maintenance Window State-change Notification', arn, detail, ctx.requestId);
}

const nextTimeOf = (window: Window, now: number): string | undefined => {
  const next = nextOpening(window, now);
  return next === undefined ? undefined : printTime(next);
};

/** Returns the members common to all responses about a window. */
const facts = (window: Window) => ({
  WindowId: window.id,
  Name: window.name,
  Description: window.description,
  StartDate: window.startDate,
  EndDate: window.endDate,
  Schedule: window.schedule,
  ScheduleTimezone: window.timezone,
  ScheduleOffset: window.offset,
  Duration: window.duration,
  Cutoff: window.cutoff,
  Enabled: window.enabled,
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateMaintenanceWindow.html */
export function CreateMaintenanceWindow(
  input: InputOf<'CreateMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'CreateMaintenanceWindow'> {
  const { state, ids, clock } = ctx;
  const now = clock.now();
  const window: Omit<WindowRecord, 'id'> = {
    name: input.Name,
    description: input.Description,
    startDate: input.StartDate || undefined,
    endDate: input.EndDate || undefined,
    schedule: input.Schedule,
    timezone: input.ScheduleTimezone || undefined,
    offset: input.ScheduleOffset,
    duration: input.Duration,
    cutoff: input.Cutoff,
    allowUnassociatedTargets: input.AllowUnassociatedTargets,
    enabled: true,
    tags: tagging.merge(undefined, input.Tags),
    createdAt: now,
    modifiedAt: now,
    scheduledAt: now,
  };
  checkTiming(window);
  const WindowId = state.tokens.once('CreateMaintenanceWindow', input, () => {
    const id = `mw-0${ids.hex(16)}`;
    announceState(state.windows.windows.put(id, { id, ...window }), ctx);
    state.windows.watch(id);
    return id;
  });
  return { WindowId };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateMaintenanceWindow.html */
export function UpdateMaintenanceWindow(
  input: InputOf<'UpdateMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'UpdateMaintenanceWindow'> {
  const { windows } = ctx.state;
  const window = windowAt(input.WindowId, ctx);
  const { Replace = false, Name, Schedule, Duration, Cutoff, AllowUnassociatedTargets } = input;
  const required = { Name, Schedule, Duration, Cutoff, AllowUnassociatedTargets };
  const missing = Object.entries(required).find(([, value]) => value === undefined)?.[0];
  if (Replace && missing !== undefined) throw invalid(`${missing} is required where Replace is true.`);
  // Empty text removes the value.
  const optional = <Value>(given: Value | undefined, kept: Value | undefined): Value | undefined =>
    given === '' ? undefined : (given ?? (Replace ? undefined : kept));
  const changed = {
    name: Name ?? window.name,
    description: optional(input.Description, window.description),
    startDate: optional(input.StartDate, window.startDate),
    endDate: optional(input.EndDate, window.endDate),
    schedule: Schedule ?? window.schedule,
    timezone: optional(input.ScheduleTimezone, window.timezone),
    offset: optional(input.ScheduleOffset, window.offset),
    duration: Duration ?? window.duration,
    cutoff: Cutoff ?? window.cutoff,
    allowUnassociatedTargets: AllowUnassociatedTargets ?? window.allowUnassociatedTargets,
    enabled: input.Enabled ?? window.enabled,
  };
  checkTiming(changed);
  const now = ctx.clock.now();
  const rescheduled = changed.schedule !== window.schedule || changed.startDate !== window.startDate;
  const updated = windows.windows.update(window.id, (draft) => {
    Object.assign(draft, changed, { modifiedAt: now });
    if (rescheduled) draft.scheduledAt = now;
  });
  windows.watch(window.id);
  if (updated.enabled !== window.enabled) announceState(updated, ctx);
  return { ...facts(updated), AllowUnassociatedTargets: updated.allowUnassociatedTargets };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetMaintenanceWindow.html */
export function GetMaintenanceWindow(
  input: InputOf<'GetMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'GetMaintenanceWindow'> {
  const window = windowAt(input.WindowId, ctx);
  return {
    ...facts(window),
    NextExecutionTime: nextTimeOf(window, ctx.clock.now()),
    AllowUnassociatedTargets: window.allowUnassociatedTargets,
    CreatedDate: new Date(window.createdAt),
    ModifiedDate: new Date(window.modifiedAt),
  };
}

/**
 * Deletes a window; succeeds for an unknown one.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteMaintenanceWindow.html
 */
export function DeleteMaintenanceWindow(
  { WindowId }: InputOf<'DeleteMaintenanceWindow'>,
  { state }: SsmContext,
): OutputOf<'DeleteMaintenanceWindow'> {
  state.windows.delete(WindowId);
  return { WindowId };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindows.html */
export function DescribeMaintenanceWindows(
  input: InputOf<'DescribeMaintenanceWindows'>,
  ctx: SsmContext,
): OutputOf<'DescribeMaintenanceWindows'> {
  const passes = passesAll<Window>(input.Filters, {
    Name: ({ name }, values) => values.includes(name),
    Enabled: ({ enabled }, values) => values.some((value) => value.toLowerCase() === String(enabled)),
  });
  const listed = [...ctx.state.windows.windows.values()].filter(passes);
  return paging
    .page('DescribeMaintenanceWindows', input, listed, ({ id }) => id)
    .list((window) => ({ ...facts(window), NextExecutionTime: nextTimeOf(window, ctx.clock.now()) }));
}

/** Whether a window's targets equal or include the requested ones. */
const hasTarget = (
  windowId: string,
  type: string | undefined,
  wanted: readonly Target[],
  windows: WindowStore,
): boolean =>
  windows
    .targetsOf(windowId)
    .filter(({ resourceType }) => type === undefined || resourceType === type)
    .flatMap(({ targets }) => targets)
    .some((own) =>
      wanted.some(({ Key, Values = [] }) => Key === own.Key && Values.some((value) => own.Values?.includes(value))),
    );

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowsForTarget.html */
export function DescribeMaintenanceWindowsForTarget(
  input: InputOf<'DescribeMaintenanceWindowsForTarget'>,
  { state: { windows } }: SsmContext,
): OutputOf<'DescribeMaintenanceWindowsForTarget'> {
  const listed = [...windows.windows.values()].filter(({ id }) =>
    hasTarget(id, input.ResourceType, input.Targets, windows),
  );
  return paging
    .page('DescribeMaintenanceWindowsForTarget', input, listed, ({ id }) => id)
    .list(({ id, name }) => ({ WindowId: id, Name: name }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowSchedule.html */
export function DescribeMaintenanceWindowSchedule(
  input: InputOf<'DescribeMaintenanceWindowSchedule'>,
  ctx: SsmContext,
): OutputOf<'DescribeMaintenanceWindowSchedule'> {
  const { windows } = ctx.state;
  if (input.WindowId !== undefined) windowAt(input.WindowId, ctx);
  const bound = (time: number, values: readonly string[], before: boolean) =>
    values.every((value) => (before ? time < readTime(value) : time > readTime(value)));
  const passes = passesAll<{ time: number }>(input.Filters, {
    ScheduledBefore: ({ time }, values) => bound(time, values, true),
    ScheduledAfter: ({ time }, values) => bound(time, values, false),
  });
  const after = (input.Filters ?? []).find(({ Key }) => Key === 'ScheduledAfter')?.Values?.[0];
  const from = Math.max(ctx.clock.now(), after === undefined ? 0 : readTime(after));
  const listed = [...windows.windows.values()]
    .filter(({ id }) => input.WindowId === undefined || id === input.WindowId)
    .filter(({ id }) => !input.Targets?.length || hasTarget(id, input.ResourceType, input.Targets, windows))
    .flatMap((window) => openingsOf(window, from).map((time) => ({ window, time })))
    .filter(passes);
  return paging
    .page('DescribeMaintenanceWindowSchedule', input, listed, ({ window, time }) => `${printKey(time)} ${window.id}`)
    .list(({ window, time }) => ({ WindowId: window.id, Name: window.name, ExecutionTime: printTime(time) }));
}

const printKey = (time: number): string => String(time).padStart(16, '0');

/**
 * Parses a time.
 * @throws AwsError `ValidationException` if it is invalid
 */
function readTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid(`The date ${text} is not of ISO 8601.`);
  return time;
}

function openingsOf(window: Window, from: number): number[] {
  const found: number[] = [];
  for (let next = nextOpening(window, from); next !== undefined; next = nextOpening(window, next)) {
    found.push(next);
    if (found.length === MAX_OPENINGS) break;
  }
  return found;
}
