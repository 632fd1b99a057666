import type { DeepReadonly, OperationContext } from '@emu/core/service';
import type { ObjectLambdaRecord } from './access-points/object-lambda-records.ts';
import { accessDenied, noSuchAccessPoint } from './errors.ts';
import { globalRegionOf } from './global-region.ts';
import type { AccessPointRecord } from './records.ts';
import { resourceName } from './resources.ts';
import type { S3ControlState } from './state.ts';

/** The context of S3 Control's operations. */
export type S3controlContext = OperationContext<S3ControlState>;

/** @throws AwsError `AccessDenied` if the request names another account */
export function checkAccount({ accountId }: Pick<S3controlContext, 'accountId'>, named: string | undefined): void {
  if (named !== undefined && named !== accountId) throw accessDenied();
}

/** Returns the global state of the caller's account: public access block, Multi-Region Access Points. */
export function globalState({ handle, accountId, partition }: S3controlContext): S3ControlState {
  return handle.state(accountId, globalRegionOf(partition));
}

/**
 * Returns the access point of a request, by name or ARN.
 * @throws AwsError `AccessDenied` for another account's, `NoSuchAccessPoint`
 */
export function findAccessPoint(
  ctx: S3controlContext,
  input: { AccountId: string; Name: string },
): DeepReadonly<AccessPointRecord> {
  checkAccount(ctx, input.AccountId);
  const name = resourceName(input.Name);
  const record = ctx.state.accessPoints.get(name);
  if (!record) throw noSuchAccessPoint(name);
  return record;
}

/**
 * Returns the Object Lambda access point of a request.
 * @throws AwsError `AccessDenied` for another account's, `NoSuchAccessPoint`
 */
export function findObjectLambda(
  ctx: S3controlContext,
  input: { AccountId: string; Name: string },
): DeepReadonly<ObjectLambdaRecord> {
  checkAccount(ctx, input.AccountId);
  const name = resourceName(input.Name);
  const record = ctx.state.objectLambdas.get(name);
  if (!record) throw noSuchAccessPoint(name);
  return record;
}
