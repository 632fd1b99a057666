import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { keyOf, nowOf } from '../entities/lookup.ts';
import { deleteConflict, limitExceeded, noSuchEntity } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { describeVersion, describeVersionFully } from '../policies/describe.ts';
import { checkManagedPolicy } from '../policies/document.ts';
import { requireLocalPolicy, requirePolicy } from '../policies/managed.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreatePolicyVersion.html */
export function CreatePolicyVersion(
  input: InputOf<'CreatePolicyVersion'>,
  ctx: IamContext,
): OutputOf<'CreatePolicyVersion'> {
  const policy = requireLocalPolicy(ctx, input.PolicyArn);
  checkManagedPolicy(input.PolicyDocument);
  if (policy.versions.length >= LIMITS.policyVersions)
    throw limitExceeded(
      `A managed policy can have up to ${LIMITS.policyVersions} versions. Before you create a new version, you must delete an existing version.`,
    );
  const now = nowOf(ctx);
  const version = { id: `v${policy.nextVersion}`, document: input.PolicyDocument, createdAt: now };
  const updated = ctx.state.policies.update(keyOf(policy.name), (draft) => {
    draft.versions.push(version);
    draft.nextVersion++;
    draft.updatedAt = now;
    if (input.SetAsDefault) draft.defaultVersionId = version.id;
  });
  return { PolicyVersion: describeVersion(version, updated) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetPolicyVersion.html */
export async function GetPolicyVersion(
  input: InputOf<'GetPolicyVersion'>,
  ctx: IamContext,
): Promise<OutputOf<'GetPolicyVersion'>> {
  const policy = await requirePolicy(ctx, input.PolicyArn);
  const version = policy.versions.find(({ id }) => id === input.VersionId);
  if (!version) throw noSuchVersion(input.PolicyArn, input.VersionId);
  return { PolicyVersion: describeVersionFully(version, policy) };
}

/**
 * Lists versions, newest first.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListPolicyVersions.html
 */
export async function ListPolicyVersions(
  input: InputOf<'ListPolicyVersions'>,
  ctx: IamContext,
): Promise<OutputOf<'ListPolicyVersions'>> {
  const policy = await requirePolicy(ctx, input.PolicyArn);
  const latestFirst = (id: string) => numericKey(Number.MAX_SAFE_INTEGER - Number.parseInt(id.slice(1), 10));
  return paging
    .page('ListPolicyVersions', input, policy.versions, ({ id }) => latestFirst(id))
    .list((version) => describeVersion(version, policy));
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SetDefaultPolicyVersion.html */
export function SetDefaultPolicyVersion(
  input: InputOf<'SetDefaultPolicyVersion'>,
  ctx: IamContext,
): OutputOf<'SetDefaultPolicyVersion'> {
  const policy = requireLocalPolicy(ctx, input.PolicyArn);
  if (!policy.versions.some(({ id }) => id === input.VersionId)) throw noSuchVersion(input.PolicyArn, input.VersionId);
  ctx.state.policies.update(keyOf(policy.name), (draft) => {
    draft.defaultVersionId = input.VersionId;
    draft.updatedAt = nowOf(ctx);
  });
  return NOTHING;
}

/** Deletes a version that is not the default. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeletePolicyVersion.html */
export function DeletePolicyVersion(
  input: InputOf<'DeletePolicyVersion'>,
  ctx: IamContext,
): OutputOf<'DeletePolicyVersion'> {
  const policy = requireLocalPolicy(ctx, input.PolicyArn);
  if (!policy.versions.some(({ id }) => id === input.VersionId)) throw noSuchVersion(input.PolicyArn, input.VersionId);
  if (policy.defaultVersionId === input.VersionId)
    throw deleteConflict('Cannot delete the default version of a policy.');
  ctx.state.policies.update(keyOf(policy.name), (draft) => {
    draft.versions = draft.versions.filter(({ id }) => id !== input.VersionId);
  });
  return NOTHING;
}

const noSuchVersion = (arn: string, version: string): Error =>
  noSuchEntity(`Policy ${arn} version ${version} does not exist or is not attachable.`);
