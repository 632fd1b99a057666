import { Paging } from '@emu/core/service';
import type { SchedulerOperations } from '@emu/service-types/scheduler';
import { invalid } from './errors.ts';
import { pagination } from './generated/scheduler-pagination.ts';

/** Paging of EventBridge Scheduler's lists. */
export const paging = new Paging<SchedulerOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalid('Invalid NextToken.'),
});
