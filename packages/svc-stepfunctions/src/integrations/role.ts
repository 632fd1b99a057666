import { type CallOptions, parseArn, roleSessionPrincipal } from '@emu/core';
import type { Task } from '../runtime/run.ts';
import type { Surroundings } from './surroundings.ts';

/** As whom an execution calls services: the role of its state machine, or the one that a task's Credentials name. */
export const asRole = (
  { roleArn, executionArn }: Pick<Surroundings, 'roleArn' | 'executionArn'>,
  task?: Task,
): CallOptions => {
  const { accountId } = parseArn(executionArn)!;
  const given = task?.state.Credentials?.RoleArn;
  return {
    principal: roleSessionPrincipal(typeof given === 'string' ? given : roleArn, 'states'),
    authorize: { sourceArn: executionArn, sourceAccount: accountId },
  };
};
