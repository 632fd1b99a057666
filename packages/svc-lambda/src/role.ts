import { type OperationContext, type Principal, parseArn, roleSessionPrincipal, ServiceRole } from '@emu/core/service';
import { awsError } from '@emu/wire';
import type { LambdaContext } from './context.ts';
import { invalid } from './errors.ts';
import type { LambdaState } from './state.ts';

/** The roles that functions run as. */
const functionRole = new ServiceRole({ service: 'lambda', session: 'lambda' });

/** Whether a role is of the caller's account. */
export const isOwnRole = (role: string, { accountId }: Pick<OperationContext, 'accountId'>): boolean =>
  parseArn(role)?.accountId === accountId;

/**
 * Checks that a function may run as a role: it is of the function's own account, exists, and Lambda may assume it.
 * @throws AwsError `AccessDeniedException`, `InvalidParameterValueException`; where policies are not enforced they are
 *   only warnings
 */
export async function checkExecutionRole(role: string, ctx: LambdaContext): Promise<void> {
  if (!isOwnRole(role, ctx)) {
    ctx.wouldRefuse(awsError('AccessDeniedException', 'Cross-account pass role is not allowed.', { status: 403 }));
    return;
  }
  if (!(await functionRole.isTrusting(role, ctx)))
    ctx.wouldRefuse(invalid('The role defined for the function cannot be assumed by Lambda.'));
}

/**
 * The role that a function acts as: in the function's own account, whatever account its ARN is of.
 * @param role of the configuration, which may be of another account where policies are not enforced
 */
export const actingRole = (role: string, { accountId }: Pick<LambdaState, 'accountId'>): string =>
  role.replace(/^(arn:[^:]+:iam::)\d{12}:/, `$1${accountId}:`);

/** Who Lambda is when it does something as the role of a function. @param session names the session */
export const executionPrincipal = (
  role: string,
  session: string,
  state: Pick<LambdaState, 'accountId'>,
): Omit<Principal, 'accessKeyId'> => roleSessionPrincipal(actingRole(role, state), session.slice(0, 64));
