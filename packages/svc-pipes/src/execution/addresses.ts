import { type CallOptions, parseArn, roleSessionPrincipal } from '@emu/core/service';
import type { PipeWork } from './work.ts';

/**
 * Returns the caller of a pipe's requests: its role, whose permissions apply, in the account of the called resource.
 * @param arn of the resource
 * @param cause id of the cause
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
