import type { CreateScheduleInput, InputOf, OutputOf, Target, UpdateScheduleInput } from '@emu/service-types/scheduler';
import type { SchedulerContext } from '../context.ts';
import { DEFAULT_AGE, DEFAULT_RETRIES } from '../delivery/retries.ts';
import { conflict, groupNotFound } from '../errors.ts';
import { groupOf, scheduleOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { DEFAULT_GROUP, type EncryptionRecord, type ScheduleRecord } from '../records.ts';
import type { Schedule } from '../registry.ts';
import { scheduleKey } from '../schedule-key.ts';
import { checkSchedule } from '../validation.ts';

/** Returns the stored settings of a schedule from a request, with defaults for missing members. */
async function recordOf(
  input: CreateScheduleInput | UpdateScheduleInput,
  createdAt: number | undefined,
  ctx: SchedulerContext,
): Promise<ScheduleRecord> {
  const { Name: name, GroupName: group = DEFAULT_GROUP, KmsKeyArn: keyArn, FlexibleTimeWindow: window } = input;
  const { Input, RetryPolicy, ...target } = input.Target;
  const now = ctx.clock.now();
  const scheduleArn = ctx.state.scheduleArn({ group, name });
  const encryption = keyArn === undefined ? undefined : await newEncryption(keyArn, scheduleArn, ctx);
  return {
    group,
    name,
    expression: input.ScheduleExpression,
    timezone: input.ScheduleExpressionTimezone ?? 'UTC',
    window: {
      mode: window.Mode,
      ...(window.MaximumWindowInMinutes !== undefined && { minutes: window.MaximumWindowInMinutes }),
    },
    ...(input.StartDate !== undefined && { startDate: input.StartDate.getTime() }),
    ...(input.EndDate !== undefined && { endDate: input.EndDate.getTime() }),
    state: input.State ?? 'ENABLED',
    ...(input.Description !== undefined && { description: input.Description }),
    target: {
      ...target,
      RetryPolicy: {
        MaximumEventAgeInSeconds: RetryPolicy?.MaximumEventAgeInSeconds ?? DEFAULT_AGE,
        MaximumRetryAttempts: RetryPolicy?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
      },
    },
    ...(Input !== undefined && { input: Input }),
    afterCompletion: input.ActionAfterCompletion ?? 'NONE',
    ...(encryption !== undefined && { encryption }),
    createdAt: createdAt ?? now,
    modifiedAt: now,
  };
}

async function newEncryption(keyArn: string, scheduleArn: string, ctx: SchedulerContext): Promise<EncryptionRecord> {
  const { dataKey } = await scheduleKey.newDataKey(keyArn, scheduleArn, ctx);
  return { keyArn, dataKey };
}

/**
 * Creates a schedule and starts its runs.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
 */
export async function CreateSchedule(
  input: InputOf<'CreateSchedule'>,
  ctx: SchedulerContext,
): Promise<OutputOf<'CreateSchedule'>> {
  const { state } = ctx;
  const arn = await state.tokens.once('CreateSchedule', input, async () => {
    const { Name: name, GroupName: group = DEFAULT_GROUP } = input;
    await checkSchedule(input, ctx);
    groupOf(group, ctx);
    const refuseOther = () => {
      if (state.schedule(group, name)) throw conflict(`Schedule ${name} already exists.`);
    };
    refuseOther();
    const record = await recordOf(input, undefined, ctx);
    // Another request may have been handled during the call of KMS.
    refuseOther();
    return state.scheduleArn(state.putSchedule(record));
  });
  return { ScheduleArn: arn! };
}

/**
 * Replaces a schedule: members that the request lacks get their defaults.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_UpdateSchedule.html
 */
export async function UpdateSchedule(
  input: InputOf<'UpdateSchedule'>,
  ctx: SchedulerContext,
): Promise<OutputOf<'UpdateSchedule'>> {
  const { state } = ctx;
  const arn = await state.tokens.once('UpdateSchedule', input, async () => {
    await checkSchedule(input, ctx);
    const { createdAt } = scheduleOf(input, ctx);
    const record = await recordOf(input, createdAt, ctx);
    const { invokedAt } = scheduleOf(input, ctx);
    return state.scheduleArn(state.putSchedule({ ...record, ...(invokedAt !== undefined && { invokedAt }) }));
  });
  return { ScheduleArn: arn! };
}

/**
 * Deletes a schedule. Deliveries in progress continue.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_DeleteSchedule.html
 */
export async function DeleteSchedule(
  input: InputOf<'DeleteSchedule'>,
  ctx: SchedulerContext,
): Promise<OutputOf<'DeleteSchedule'>> {
  await ctx.state.tokens.once('DeleteSchedule', input, () => {
    ctx.state.deleteSchedule(scheduleOf(input, ctx));
    return undefined;
  });
  return {};
}

const dateOf = (time: number | undefined): Date | undefined => (time === undefined ? undefined : new Date(time));

/**
 * Returns a schedule; its customer key must permit decryption.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_GetSchedule.html
 */
export async function GetSchedule(
  input: InputOf<'GetSchedule'>,
  ctx: SchedulerContext,
): Promise<OutputOf<'GetSchedule'>> {
  const schedule = scheduleOf(input, ctx);
  const { window, encryption, target } = schedule;
  const arn = ctx.state.scheduleArn(schedule);
  if (encryption) await scheduleKey.decrypt(encryption, arn, ctx);
  return {
    ActionAfterCompletion: schedule.afterCompletion,
    Arn: arn,
    CreationDate: new Date(schedule.createdAt),
    Description: schedule.description,
    EndDate: dateOf(schedule.endDate),
    FlexibleTimeWindow: { Mode: window.mode, MaximumWindowInMinutes: window.minutes },
    GroupName: schedule.group,
    KmsKeyArn: encryption?.keyArn,
    LastModificationDate: new Date(schedule.modifiedAt),
    Name: schedule.name,
    ScheduleExpression: schedule.expression,
    ScheduleExpressionTimezone: schedule.timezone,
    StartDate: dateOf(schedule.startDate),
    State: schedule.state,
    Target: { ...(target as Target), Input: schedule.input },
  };
}

/**
 * Lists schedules by group and name, with a page size of 100 by default.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_ListSchedules.html
 */
export function ListSchedules(input: InputOf<'ListSchedules'>, ctx: SchedulerContext): OutputOf<'ListSchedules'> {
  const { GroupName: group, NamePrefix: prefix = '', State: wanted } = input;
  if (group !== undefined && !ctx.state.group(group)) throw groupNotFound(group);
  const schedules = ctx.state
    .listSchedules()
    .filter(
      (schedule) =>
        (group === undefined || schedule.group === group) &&
        schedule.name.startsWith(prefix) &&
        (wanted === undefined || schedule.state === wanted),
    );
  return paging
    .page('ListSchedules', input, schedules, (schedule: Schedule) => `${schedule.group}/${schedule.name}`)
    .list((schedule) => ({
      Arn: ctx.state.scheduleArn(schedule),
      CreationDate: new Date(schedule.createdAt),
      GroupName: schedule.group,
      LastModificationDate: new Date(schedule.modifiedAt),
      Name: schedule.name,
      State: schedule.state,
      Target: { Arn: schedule.target.Arn },
    }));
}
