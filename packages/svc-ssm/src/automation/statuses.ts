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

/** Whether an execution or a step has come to its end. */
export const isOver = (status: AutomationExecutionStatus): boolean => OVER.has(status);
