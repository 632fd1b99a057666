import type { AccountAndRegionQuery } from '../records/common.ts';
import type { SchedulerFireResult, SchedulerSchedule } from '../records/scheduler.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of EventBridge Scheduler. */
export const scheduler = {
  /** Lists the schedules of all groups, accounts and regions. `GET /_emulator/scheduler/schedules` */
  schedules: json<{ schedules: SchedulerSchedule[] }>()('GET /_emulator/scheduler/schedules'),

  /**
   * Calls the target of a schedule immediately. `POST /_emulator/scheduler/fire/{group}/{name}`
   * @param group name of the group, e.g. `default`
   * @param scope account and region of the schedule, by default the server's
   * @throws ApiError 404 for an unknown schedule
   */
  fire: json<SchedulerFireResult>()(
    'POST /_emulator/scheduler/fire/{group}/{name}',
    (group: string, name: string, scope?: AccountAndRegionQuery) => ({
      params: { group, name },
      query: scope,
    }),
  ),
};

/** Methods for the control routes of EventBridge Scheduler. */
export interface SchedulerControl extends MethodsOf<typeof scheduler> {}

/** Control routes of EventBridge Scheduler by name. */
export type SchedulerRoutes = RoutesOf<typeof scheduler>;
