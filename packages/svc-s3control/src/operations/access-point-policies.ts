import type { InputOf, OutputOf } from '@emu/service-types/s3control';
import { checkPolicy, grantsPublicAccess } from '../access-points/access-point.ts';
import { checkScope } from '../access-points/scope.ts';
import type { S3controlContext } from '../context.ts';
import { findAccessPoint } from '../context.ts';
import { invalidRequest, noSuchPolicy } from '../errors.ts';
import { accessPointArn, isOfDirectory } from '../resources.ts';

/** @throws AwsError `NoSuchAccessPoint`, `MalformedPolicy`, `AccessDenied` */
export async function PutAccessPointPolicy(
  input: InputOf<'PutAccessPointPolicy'>,
  ctx: S3controlContext,
): Promise<OutputOf<'PutAccessPointPolicy'>> {
  const point = findAccessPoint(ctx, input);
  const arn = accessPointArn(point.name, ctx);
  await checkPolicy(input.Policy, arn, 's3:PutAccessPointPolicy', point, ctx);
  // It may have been deleted meanwhile.
  const { name } = findAccessPoint(ctx, input);
  ctx.state.accessPoints.update(name, (draft) => {
    draft.policy = input.Policy;
  });
  return {};
}

/** @throws AwsError `NoSuchAccessPoint`, `NoSuchAccessPointPolicy` */
export function GetAccessPointPolicy(
  input: InputOf<'GetAccessPointPolicy'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointPolicy'> {
  return { Policy: requirePolicy(ctx, input) };
}

/** @throws AwsError `NoSuchAccessPoint` */
export function DeleteAccessPointPolicy(
  input: InputOf<'DeleteAccessPointPolicy'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessPointPolicy'> {
  const { name } = findAccessPoint(ctx, input);
  ctx.state.accessPoints.update(name, (draft) => {
    delete draft.policy;
  });
  return {};
}

/** @throws AwsError `NoSuchAccessPoint`, `NoSuchAccessPointPolicy` */
export function GetAccessPointPolicyStatus(
  input: InputOf<'GetAccessPointPolicyStatus'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointPolicyStatus'> {
  const policy = requirePolicy(ctx, input);
  return { PolicyStatus: { IsPublic: grantsPublicAccess(policy, findAccessPoint(ctx, input)) } };
}

function requirePolicy(ctx: S3controlContext, input: { AccountId: string; Name: string }): string {
  const { name, policy } = findAccessPoint(ctx, input);
  if (policy === undefined) throw noSuchPolicy(name);
  return policy;
}

function requireDirectory(ctx: S3controlContext, input: { AccountId: string; Name: string }) {
  const record = findAccessPoint(ctx, input);
  if (!isOfDirectory(record.name))
    throw invalidRequest('Access point scope is supported for access points of directory buckets only.');
  return record;
}

/** @throws AwsError `NoSuchAccessPoint`, `InvalidRequest`, `MalformedXML` */
export function PutAccessPointScope(
  input: InputOf<'PutAccessPointScope'>,
  ctx: S3controlContext,
): OutputOf<'PutAccessPointScope'> {
  const { name } = requireDirectory(ctx, input);
  const scope = checkScope(input.Scope);
  ctx.state.accessPoints.update(name, (draft) => {
    draft.scope = scope;
  });
  return {};
}

/**
 * Returns the scope of an access point; empty without restrictions.
 * @throws AwsError `NoSuchAccessPoint`, `InvalidRequest`
 */
export function GetAccessPointScope(
  input: InputOf<'GetAccessPointScope'>,
  ctx: S3controlContext,
): OutputOf<'GetAccessPointScope'> {
  const { Prefixes = [], Permissions = [] } = requireDirectory(ctx, input).scope ?? {};
  return { Scope: { Prefixes: [...Prefixes], Permissions: [...Permissions] } };
}

/** @throws AwsError `NoSuchAccessPoint`, `InvalidRequest` */
export function DeleteAccessPointScope(
  input: InputOf<'DeleteAccessPointScope'>,
  ctx: S3controlContext,
): OutputOf<'DeleteAccessPointScope'> {
  const { name } = requireDirectory(ctx, input);
  ctx.state.accessPoints.update(name, (draft) => {
    delete draft.scope;
  });
  return {};
}
