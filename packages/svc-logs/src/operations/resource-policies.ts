import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, ResourcePolicy } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, limitExceeded, logsError, notFound } from '../errors.ts';
import { groupIdentified } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkPolicy } from '../policies.ts';
import type { ResourcePolicyRecord } from '../records.ts';
import { groupType } from '../resources.ts';

/** Maximum number of policies per account and region. */
const MAX_POLICIES = 10;

/**
 * Permits services or accounts to put events, with a policy of the account or of one log group.
 * @throws AwsError `InvalidParameterException`, `LimitExceededException`, `ResourceNotFoundException`,
 * `OperationAbortedException` for an unexpected revision
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutResourcePolicy.html
 */
export function PutResourcePolicy(
  input: InputOf<'PutResourcePolicy'>,
  ctx: LogsContext,
): OutputOf<'PutResourcePolicy'> {
  const { policyName, policyDocument, resourceArn, expectedRevisionId } = input;
  if ((policyName === undefined) === (resourceArn === undefined))
    throw invalidParameter('Either policyName or resourceArn must be specified, but not both.');
  if (policyDocument === undefined) throw invalidParameter('The policy document is required.');
  checkPolicy(policyDocument);
  const { resourcePolicies } = ctx.state;
  const key = keyOf(policyName, resourceArn, ctx);
  const existing = resourcePolicies.get(key);
  checkRevision(existing, expectedRevisionId);
  const named = [...resourcePolicies.values()].filter(({ scope }) => scope === 'ACCOUNT');
  if (!existing && policyName !== undefined && named.length >= MAX_POLICIES) throw limitExceeded();
  const record = resourcePolicies.put(key, {
    scope: policyName === undefined ? 'RESOURCE' : 'ACCOUNT',
    ...(policyName === undefined ? { resourceArn: key } : { name: policyName }),
    document: policyDocument,
    updatedAt: ctx.clock.now(),
    revisionId: ctx.ids.uuid(),
  });
  return {
    resourcePolicy: describe(record),
    ...(policyName === undefined && { revisionId: record.revisionId }),
  };
}

/**
 * Returns the key of a policy: its name, or the ARN of its log group.
 * @throws AwsError `ResourceNotFoundException`
 */
function keyOf(policyName: string | undefined, resourceArn: string | undefined, ctx: LogsContext): string {
  if (resourceArn === undefined) return policyName!;
  const { state, group } = groupIdentified(resourceArn, ctx);
  return groupType.arn({ name: group.name }, state);
}

/** @throws AwsError `OperationAbortedException` */
function checkRevision(policy: DeepReadonly<ResourcePolicyRecord> | undefined, expected: string | undefined): void {
  if (expected !== undefined && policy?.revisionId !== expected)
    throw logsError('OperationAbortedException', 'The policy was updated by another request. Please retry.');
}

const describe = (policy: DeepReadonly<ResourcePolicyRecord>): ResourcePolicy => ({
  ...(policy.name !== undefined && { policyName: policy.name }),
  policyDocument: policy.document,
  lastUpdatedTime: policy.updatedAt,
  policyScope: policy.scope,
  ...(policy.scope === 'RESOURCE' && { resourceArn: policy.resourceArn, revisionId: policy.revisionId }),
});

/**
 * Lists the policies of the account or of resources.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeResourcePolicies.html
 */
export function DescribeResourcePolicies(
  input: InputOf<'DescribeResourcePolicies'>,
  ctx: LogsContext,
): OutputOf<'DescribeResourcePolicies'> {
  const { resourceArn, policyScope = resourceArn === undefined ? 'ACCOUNT' : 'RESOURCE' } = input;
  const key = resourceArn?.replace(/:\*$/, '');
  const found = [...ctx.state.resourcePolicies.entries()].filter(
    ([own, { scope }]) => scope === policyScope && (key === undefined || own === key),
  );
  return paging.page('DescribeResourcePolicies', input, found, ([own]) => own).list(([, policy]) => describe(policy));
}

/**
 * Deletes a policy.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterException`, `OperationAbortedException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteResourcePolicy.html
 */
export function DeleteResourcePolicy(
  input: InputOf<'DeleteResourcePolicy'>,
  ctx: LogsContext,
): OutputOf<'DeleteResourcePolicy'> {
  const { policyName, resourceArn, expectedRevisionId } = input;
  if (policyName === undefined && resourceArn === undefined)
    throw invalidParameter('Either policyName or resourceArn must be specified, but not both.');
  const key = policyName ?? resourceArn!.replace(/:\*$/, '');
  const policy = ctx.state.resourcePolicies.get(key);
  if (!policy) throw notFound(`Policy with name [${key}] does not exist.`);
  checkRevision(policy, expectedRevisionId);
  ctx.state.resourcePolicies.delete(key);
  return {};
}
