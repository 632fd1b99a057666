import { type DeepReadonly, evaluate } from '@emu/core/service';
import type { S3controlContext } from '../context.ts';
import { accessDenied } from '../errors.ts';
import { accessGrantsInstanceType, INSTANCE } from '../resources.ts';
import type { S3ControlState } from '../state.ts';
import { noInstance } from './errors.ts';
import type { InstanceRecord } from './records.ts';

/** State of an account with an instance. */
export interface AccessGrants {
  state: S3ControlState;
  instance: DeepReadonly<InstanceRecord>;
}

/**
 * Returns the instance of a request from its own account.
 * @throws AwsError `AccessDenied` for another account, `AccessGrantsInstanceNotExistsError`
 */
export function requireInstance(ctx: S3controlContext, accountId: string): AccessGrants {
  if (accountId !== ctx.accountId) throw accessDenied();
  const instance = ctx.state.accessGrantsInstances.get(INSTANCE);
  if (!instance) throw noInstance();
  return { state: ctx.state, instance };
}

/**
 * Returns the instance of a request that other accounts may make if its policy permits.
 * @throws AwsError `AccessDenied`, `AccessGrantsInstanceNotExistsError`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-cross-accounts.html
 */
export function requireSharedInstance(ctx: S3controlContext, accountId: string): AccessGrants {
  if (accountId === ctx.accountId) return requireInstance(ctx, accountId);
  const state = ctx.handle.existingState(accountId, ctx.region);
  const instance = state?.accessGrantsInstances.get(INSTANCE);
  if (!state || !instance?.policy || !mayUse(ctx, state, instance.policy.text)) throw accessDenied();
  return { state, instance };
}

/** Whether an instance's policy permits a caller of another account; IAM evaluates the caller's own policies. */
function mayUse(
  { principal, credentials, operation }: S3controlContext,
  state: S3ControlState,
  document: string,
): boolean {
  const everything = { id: 'own', document: '{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}' };
  const key = principal.accessKeyId;
  const entityArn = key === undefined ? undefined : credentials.get(key)?.session?.roleArn;
  const { verdict } = evaluate(
    {
      principal: { ...principal, ...(entityArn !== undefined && { entityArn }) },
      action: `s3:${operation}`,
      resource: accessGrantsInstanceType.arn({}, state),
      resourceAccountId: state.accountId,
      context: new Map(),
    },
    { identity: [everything], resource: { id: INSTANCE, document } },
  );
  return verdict === 'allowed';
}

/** Returns the policy of an account's S3 Access Grants instance; undefined if it has none. */
export function accessGrantsPolicy(ctx: S3controlContext, accountId: string): string | undefined {
  return ctx.handle.existingState(accountId, ctx.region)?.accessGrantsInstances.get(INSTANCE)?.policy?.text;
}
