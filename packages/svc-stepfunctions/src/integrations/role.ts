import { type CallOptions, parseArn, roleSessionPrincipal } from '@emu/core/service';
import type { Task } from '../runtime/run.ts';
import type { TaskContext } from './task-context.ts';

/**
 * Returns identity and region for an execution's service calls: the state machine's role, or the role in the task's
 * Credentials in that role's account.
 */
export const asRole = (
  { roleArn, executionArn }: Pick<TaskContext, 'roleArn' | 'executionArn'>,
  task?: Task,
): CallOptions => {
  const { accountId } = parseArn(executionArn)!;
  const principal = roleSessionPrincipal(task?.roleArn ?? roleArn, 'states');
  return {
    principal,
    cause: executionArn,
    ...(task?.roleArn !== undefined && { accountId: principal.accountId }),
    authorize: { sourceArn: executionArn, sourceAccount: accountId },
  };
};
