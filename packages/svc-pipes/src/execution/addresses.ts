import { type CallOptions, parseArn, roleSessionPrincipal } from '@emu/core';
import type { PipeWork } from './work.ts';

/**
 * As whom, and where, a pipe calls: its role, whose permissions decide, at the owner of a resource.
 * @param arn of the resource
 * @param cause id of what brought the call about
 */
export function callerFor({ pipe, state }: PipeWork, arn: string, cause: string | undefined): CallOptions {
  const { accountId = '', region = '' } = parseArn(arn) ?? {};
  return {
    accountId: accountId || state.accountId,
    region: region || state.region,
    principal: roleSessionPrincipal(pipe.roleArn, pipe.name),
    authorize: {},
    cause: cause ?? pipe.id,
  };
}
