import type { DeepReadonly, OperationContext } from '@emu/core/service';
import type { ObjectLambdaRecord } from './access-points/object-lambda-records.ts';
import { accessDenied, noSuchAccessPoint } from './errors.ts';
import { globalRegionOf } from './global-region.ts';
import type { AccessPointRecord } from './records.ts';
import { resourceName } from './resources.ts';
import type { S3ControlState } from './state.ts';

/** The context of S3 Control's operations. */
export type S3controlContext = OperationContext<S3ControlState>;

/** @throws AwsError `AccessDenied` where the request names an account that is not the caller's */
export function checkAccount({ accountId }: Pick<S3controlContext, 'accountId'>, named: string | undefined): void {
  if (named !== undefined && named !== accountId) throw accessDenied();
}

/** What AWS keeps of the caller's account in no region: its public access block, Multi-Region Access Points. */
export function globalState({ handle, accountId, partition }: S3controlContext): S3ControlState {
  return handle.state(accountId, globalRegionOf(partition));
}

/**
 * The access point of a request, named by its name or its ARN.
 * @throws AwsError `AccessDenied` where it is another account's, `NoSuchAccessPoint`
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
 * The Object Lambda access point of a request.
 * @throws AwsError `AccessDenied` where it is another account's, `NoSuchAccessPoint`
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
