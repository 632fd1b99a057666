import { ServiceRole } from '@emu/core/service';
import type { CreateScheduleInput, UpdateScheduleInput } from '@emu/service-types/scheduler';
import type { SchedulerContext } from './context.ts';
import { invalid } from './errors.ts';
import { DEFAULT_GROUP } from './records.ts';
import { checkTarget } from './targets/validation.ts';
import { isTimezone, parseTiming } from './timing/timing.ts';

/** Roles for calls of targets. */
const targetRole = new ServiceRole({
  service: 'scheduler',
  session: 'scheduler',
  refuse: () => invalid('The execution role you provide must allow AWS EventBridge Scheduler to assume the role.'),
});

const FIVE_MINUTES = 300_000;

/**
 * Validates the schedule in a request.
 * @throws AwsError `ValidationException`
 */
export async function checkSchedule(
  input: CreateScheduleInput | UpdateScheduleInput,
  ctx: SchedulerContext,
): Promise<void> {
  checkTiming(input, ctx.clock.now());
  checkWindow(input);
  checkTarget(input.Target, ctx.region);
  const sourceArn = ctx.state.groupArn(input.GroupName ?? DEFAULT_GROUP);
  await targetRole.check(input.Target.RoleArn, ctx, { sourceArn });
}

function checkTiming(input: CreateScheduleInput | UpdateScheduleInput, now: number): void {
  const { ScheduleExpression: expression, ScheduleExpressionTimezone: timezone = 'UTC', StartDate, EndDate } = input;
  if (!isTimezone(timezone)) throw invalid(`Invalid Schedule Expression Timezone ${timezone}.`);
  const timing = parseTiming(expression, timezone);
  if (!timing) throw invalid(`Invalid Schedule Expression ${expression}.`);
  // Start and end dates have no effect on one-time schedules.
  if (timing.kind === 'at') return;
  if (StartDate && StartDate.getTime() < now - FIVE_MINUTES)
    throw invalid('The StartDate you specify cannot be earlier than 5 minutes ago.');
  if (EndDate && EndDate.getTime() < now) throw invalid('The EndDate you specify cannot be in the past.');
  if (StartDate && EndDate && StartDate >= EndDate)
    throw invalid('The StartDate you specify must come before the EndDate.');
}

function checkWindow({ FlexibleTimeWindow: { Mode, MaximumWindowInMinutes } }: CreateScheduleInput): void {
  if (Mode === 'OFF' && MaximumWindowInMinutes !== undefined)
    throw invalid('MaximumWindowInMinutes must not be provided when FlexibleTimeWindowMode is set to OFF.');
  if (Mode === 'FLEXIBLE' && MaximumWindowInMinutes === undefined)
    throw invalid('MaximumWindowInMinutes must be provided when FlexibleTimeWindowMode is set to FLEXIBLE.');
}
