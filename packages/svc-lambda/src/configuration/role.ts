import { type OperationContext, type Principal, parseArn, roleSessionPrincipal, ServiceRole } from '@emu/core/service';
import type { LambdaContext } from '../context.ts';
import { invalidParameterValue, plainError } from '../errors.ts';
import type { LambdaState } from '../state.ts';

/** Roles of functions. */
const functionRole = new ServiceRole({ service: 'lambda', session: 'lambda' });

/** Whether a role belongs to the caller's account. */
export const isOwnRole = (role: string, { accountId }: Pick<OperationContext, 'accountId'>): boolean =>
  parseArn(role)?.accountId === accountId;

/**
 * Checks that a function can use a role: it belongs to the function's account, exists, and trusts Lambda.
 * @throws AwsError `AccessDeniedException`, `InvalidParameterValueException`; only logged as warnings if policies are
 * not enforced
 */
export async function checkExecutionRole(role: string, ctx: LambdaContext): Promise<void> {
  if (!isOwnRole(role, ctx)) {
    ctx.wouldRefuse(plainError('AccessDeniedException', 'Cross-account pass role is not allowed.', { status: 403 }));
    return;
  }
  if (!(await functionRole.isTrusting(role, ctx)))
    ctx.wouldRefuse(invalidParameterValue('The role defined for the function cannot be assumed by Lambda.'));
}

/**
 * Returns the effective role of a function: in the function's own account, whatever the account of its ARN.
 * @param role role in the configuration, which may belong to another account if policies are not enforced
 */
export const actingRole = (role: string, { accountId }: Pick<LambdaState, 'accountId'>): string =>
  role.replace(/^(arn:[^:]+:iam::)\d{12}:/, `$1${accountId}:`);

/**
 * Returns the identity of Lambda acting with a function's role.
 * @param session session name
 */
export const executionPrincipal = (
  role: string,
  session: string,
  state: Pick<LambdaState, 'accountId'>,
): Omit<Principal, 'accessKeyId'> => roleSessionPrincipal(actingRole(role, state), session.slice(0, 64));
