import { type CallOptions, parseArn, roleSessionPrincipal } from '@emu/core/service';
import type { Task } from '../runtime/run.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * As whom and where an execution calls services: as the role of its state machine; or as the one that a task's Credentials
 * name, in that role's account.
 */
export const asRole = (
  { roleArn, executionArn }: Pick<Surroundings, 'roleArn' | 'executionArn'>,
  task?: Task,
): CallOptions => {
  const { accountId } = parseArn(executionArn)!;
  const principal = roleSessionPrincipal(task?.roleArn ?? roleArn, 'states');
  return {
    principal,
    ...(task?.roleArn !== undefined && { accountId: principal.accountId }),
    authorize: { sourceArn: executionArn, sourceAccount: accountId },
  };
};
