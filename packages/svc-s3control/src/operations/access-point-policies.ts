import { isPublicPolicy } from '@emu/core';
import type {
  DeleteAccessPointPolicyRequest,
  DeleteAccessPointScopeRequest,
  GetAccessPointPolicyRequest,
  GetAccessPointPolicyResult,
  GetAccessPointPolicyStatusRequest,
  GetAccessPointPolicyStatusResult,
  GetAccessPointScopeRequest,
  GetAccessPointScopeResult,
  PutAccessPointPolicyRequest,
  PutAccessPointScopeRequest,
} from '@emu/service-types/s3control';
import { checkPolicy } from '../access-points/access-point.ts';
import { checkScope } from '../access-points/scope.ts';
import { findAccessPoint, type S3ControlContext } from '../context.ts';
import { invalidRequest, noSuchPolicy } from '../errors.ts';
import { accessPointArn, isOfDirectory } from '../resources.ts';

/** @throws AwsError `NoSuchAccessPoint`, `MalformedPolicy`, `AccessDenied` */
export async function PutAccessPointPolicy(
  input: PutAccessPointPolicyRequest,
  ctx: S3ControlContext,
): Promise<Record<string, never>> {
  const { name: given, publicAccessBlock } = findAccessPoint(ctx, input);
  const arn = accessPointArn(given, ctx);
  await checkPolicy(input.Policy, arn, 's3:PutAccessPointPolicy', publicAccessBlock, ctx);
  // It may be gone by now.
  const { name } = findAccessPoint(ctx, input);
  ctx.state.accessPoints.update(name, (draft) => {
    draft.policy = input.Policy;
  });
  return {};
}

/** @throws AwsError `NoSuchAccessPoint`, `NoSuchAccessPointPolicy` */
export function GetAccessPointPolicy(
  input: GetAccessPointPolicyRequest,
  ctx: S3ControlContext,
): GetAccessPointPolicyResult {
  return { Policy: requirePolicy(ctx, input) };
}

/** @throws AwsError `NoSuchAccessPoint` */
export function DeleteAccessPointPolicy(
  input: DeleteAccessPointPolicyRequest,
  ctx: S3ControlContext,
): Record<string, never> {
  const { name } = findAccessPoint(ctx, input);
  ctx.state.accessPoints.update(name, (draft) => {
    delete draft.policy;
  });
  return {};
}

/** @throws AwsError `NoSuchAccessPoint`, `NoSuchAccessPointPolicy` */
export function GetAccessPointPolicyStatus(
  input: GetAccessPointPolicyStatusRequest,
  ctx: S3ControlContext,
): GetAccessPointPolicyStatusResult {
  return { PolicyStatus: { IsPublic: isPublicPolicy(requirePolicy(ctx, input)) } };
}

function requirePolicy(ctx: S3ControlContext, input: { AccountId: string; Name: string }): string {
  const { name, policy } = findAccessPoint(ctx, input);
  if (policy === undefined) throw noSuchPolicy(name);
  return policy;
}

function requireDirectory(ctx: S3ControlContext, input: { AccountId: string; Name: string }) {
  const record = findAccessPoint(ctx, input);
  if (!isOfDirectory(record.name))
    throw invalidRequest('Access point scope is supported for access points of directory buckets only.');
  return record;
}

/** @throws AwsError `NoSuchAccessPoint`, `InvalidRequest`, `MalformedXML` */
export function PutAccessPointScope(input: PutAccessPointScopeRequest, ctx: S3ControlContext): Record<string, never> {
  const { name } = requireDirectory(ctx, input);
  const scope = checkScope(input.Scope);
  ctx.state.accessPoints.update(name, (draft) => {
    draft.scope = scope;
  });
  return {};
}

/** An access point that is not limited has an empty scope. @throws AwsError `NoSuchAccessPoint`, `InvalidRequest` */
export function GetAccessPointScope(
  input: GetAccessPointScopeRequest,
  ctx: S3ControlContext,
): GetAccessPointScopeResult {
  const { Prefixes = [], Permissions = [] } = requireDirectory(ctx, input).scope ?? {};
  return { Scope: { Prefixes: [...Prefixes], Permissions: [...Permissions] } };
}

/** @throws AwsError `NoSuchAccessPoint`, `InvalidRequest` */
export function DeleteAccessPointScope(
  input: DeleteAccessPointScopeRequest,
  ctx: S3ControlContext,
): Record<string, never> {
  const { name } = requireDirectory(ctx, input);
  ctx.state.accessPoints.update(name, (draft) => {
    delete draft.scope;
  });
  return {};
}
