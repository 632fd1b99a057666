import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { keyOf, nowOf } from '../entities/lookup.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { alreadyExists, deleteConflict } from '../errors.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { pageKeyOf } from '../policies/attachments.ts';
import { listManagedPolicies } from '../policies/aws-managed.ts';
import { describePolicy } from '../policies/describe.ts';
import { checkManagedPolicy } from '../policies/document.ts';
import { type AnyPolicy, requireLocalPolicy, requirePolicy } from '../policies/managed.ts';
import { UNUSED, usageOfPolicies } from '../policies/usage.ts';
import { awsManaged, policyType } from '../resources.ts';
import { tagging, tagsMember } from '../tags.ts';

/**
 * Creates a customer managed policy.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreatePolicy.html
 */
export function CreatePolicy(input: InputOf<'CreatePolicy'>, ctx: IamContext): OutputOf<'CreatePolicy'> {
  const { PolicyName: name, Path: path = '/', Description: description } = input;
  const tags = tagging.merge(undefined, input.Tags);
  checkManagedPolicy(input.PolicyDocument);
  const { policies } = ctx.state;
  if (policies.has(keyOf(name)))
    throw alreadyExists(`A policy called ${name} already exists. Duplicate names are not allowed.`);
  const now = nowOf(ctx);
  const policy = policies.put(keyOf(name), {
    name,
    id: uniqueId('ANPA', ctx.ids),
    path,
    arn: policyType.arn({ path, name }, ctx),
    ...(description !== undefined && { description }),
    tags,
    createdAt: now,
    updatedAt: now,
    defaultVersionId: 'v1',
    nextVersion: 2,
    versions: [{ id: 'v1', document: input.PolicyDocument, createdAt: now }],
  });
  return { Policy: { ...describePolicy(policy, UNUSED), ...tagsMember(policy.tags) } };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetPolicy.html */
export async function GetPolicy(input: InputOf<'GetPolicy'>, ctx: IamContext): Promise<OutputOf<'GetPolicy'>> {
  const policy = await requirePolicy(ctx, input.PolicyArn);
  const usage = usageOfPolicies(ctx.state).get(input.PolicyArn) ?? UNUSED;
  return {
    Policy: {
      ...describePolicy(policy, usage, input.PolicyArn),
      ...(policy.description !== undefined && { Description: policy.description }),
      Tags: 'tags' in policy ? policy.tags.map((tag) => ({ ...tag })) : [],
    },
  };
}

/**
 * Lists managed policies of the account, of AWS, or both.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListPolicies.html
 */
export async function ListPolicies(input: InputOf<'ListPolicies'>, ctx: IamContext): Promise<OutputOf<'ListPolicies'>> {
  const { Scope: scope = 'All', OnlyAttached: onlyAttached, PathPrefix: prefix = '/', PolicyUsageFilter } = input;
  const policies: { policy: AnyPolicy; arn: string }[] = [];
  if (scope !== 'AWS') for (const policy of ctx.state.policies.values()) policies.push({ policy, arn: policy.arn });
  if (scope !== 'Local')
    for (const policy of await listManagedPolicies())
      policies.push({ policy, arn: policyType.arn(policy, awsManaged(ctx.region)) });
  const usage = usageOfPolicies(ctx.state);
  const wanted = policies.filter(({ policy, arn }) => {
    const { attached, boundary } = usage.get(arn) ?? UNUSED;
    const used = PolicyUsageFilter === 'PermissionsBoundary' ? boundary : attached;
    return policy.path.startsWith(prefix) && (used > 0 || !(onlyAttached || PolicyUsageFilter));
  });
  return paging
    .page('ListPolicies', input, wanted, ({ arn }) => pageKeyOf(arn))
    .list(({ policy, arn }) => describePolicy(policy, usage.get(arn) ?? UNUSED, arn));
}

/**
 * Deletes an unused policy.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeletePolicy.html
 */
export function DeletePolicy(input: InputOf<'DeletePolicy'>, ctx: IamContext): OutputOf<'DeletePolicy'> {
  const policy = requireLocalPolicy(ctx, input.PolicyArn);
  if (usageOfPolicies(ctx.state).has(policy.arn)) throw deleteConflict('Cannot delete a policy attached to entities.');
  if (policy.versions.length > 1)
    throw deleteConflict(
      "This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy.",
    );
  ctx.state.policies.delete(keyOf(policy.name));
  return NOTHING;
}
