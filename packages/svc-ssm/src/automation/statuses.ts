import type { AutomationExecutionStatus } from '@emu/service-types/ssm';

const OVER: ReadonlySet<AutomationExecutionStatus> = new Set([
  'Success',
  'TimedOut',
  'Cancelled',
  'Failed',
  'Rejected',
  'CompletedWithSuccess',
  'CompletedWithFailure',
  'Exited',
]);

/** Whether an execution or step has ended. */
export const isOver = (status: AutomationExecutionStatus): boolean => OVER.has(status);
