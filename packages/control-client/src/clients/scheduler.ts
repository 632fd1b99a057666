import type { AccountAndRegionQuery } from '../routes/common.ts';
import type { SchedulerFireResult, SchedulerSchedule } from '../routes/scheduler.ts';
import { AreaControl } from './area.ts';

/** Control routes of EventBridge Scheduler. */
export class SchedulerControl extends AreaControl {
  /** Lists the schedules of all groups, accounts and regions. `GET /_emulator/scheduler/schedules` */
  schedules(): Promise<{ schedules: SchedulerSchedule[] }> {
    return this.transport.json('GET /_emulator/scheduler/schedules');
  }

  /**
   * Calls the target of a schedule immediately. `POST /_emulator/scheduler/fire/{group}/{name}`
   * @param group name of the group, e.g. `default`
   * @param scope account and region of the schedule, by default the server's
   * @throws ApiError 404 for an unknown schedule
   */
  fire(group: string, name: string, scope?: AccountAndRegionQuery): Promise<SchedulerFireResult> {
    return this.transport.json('POST /_emulator/scheduler/fire/{group}/{name}', {
      params: { group, name },
      query: scope,
    });
  }
}
