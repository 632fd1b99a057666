import type { DeclareRoute, SchedulerSchedule } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { Schedule } from './registry.ts';
import type { SchedulerState } from './state.ts';

type Handle = ServiceHandle<SchedulerState>;

const route: DeclareRoute<Handle, ControlRoute<SchedulerState>> = controlRoute;

function describe(schedule: Schedule, state: SchedulerState): SchedulerSchedule {
  const { group, name, startDate, endDate, target, input, invokedAt } = schedule;
  const next = state.nextInvocationAt(schedule);
  return {
    accountId: state.accountId,
    region: state.region,
    groupName: group,
    name,
    arn: state.scheduleArn(schedule),
    state: schedule.state,
    scheduleExpression: schedule.expression,
    scheduleExpressionTimezone: schedule.timezone,
    ...(startDate !== undefined && { startDate: new Date(startDate).toISOString() }),
    ...(endDate !== undefined && { endDate: new Date(endDate).toISOString() }),
    target: { arn: target.Arn, roleArn: target.RoleArn, ...(input !== undefined && { input }) },
    ...(next !== undefined && { nextInvocationAt: new Date(next).toISOString() }),
    ...(invokedAt !== undefined && { lastInvocationAt: new Date(invokedAt).toISOString() }),
  };
}

/** Lists the schedules of every account and region, in order of account, region, group and name. */
const list = route('GET /_emulator/scheduler/schedules', (_request, service) => ({
  json: {
    schedules: [...service.states()].flatMap(({ state }) =>
      state.listSchedules().map((schedule) => describe(schedule, state)),
    ),
  },
}));

/**
 * Calls the target of a schedule once, without retries, in any state of the schedule. A failure becomes a dead letter.
 */
const fire = route('POST /_emulator/scheduler/fire/{group}/{name}', async ({ params, query }, service) => {
  const { group, name } = params as { group: string; name: string };
  const accountId = query.get('accountId') || service.settings.accountId;
  const region = query.get('region') || service.settings.region;
  const state = service.existingState(accountId, region);
  const schedule = state?.schedule(group, name);
  if (!state || !schedule)
    throw new ControlError(
      404,
      'ScheduleNotFound',
      `There is no schedule ${name} in the group ${group} of account ${accountId}, region ${region}.`,
    );
  const outcome = await state.fire(schedule);
  return { json: { scheduleArn: state.scheduleArn(schedule), targetArn: schedule.target.Arn, ...outcome } };
});

/** Control routes of EventBridge Scheduler. */
export const control: readonly ControlRoute<SchedulerState>[] = [list, fire];
