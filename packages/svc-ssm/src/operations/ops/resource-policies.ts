import { createHash } from 'node:crypto';
import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { findParameter } from '../../lookup.ts';
import { policyProblem } from '../../ops/policies.ts';
import type { ResourcePolicyRecord } from '../../ops/records.ts';
import { paging } from '../../paging.ts';
import { readSelection } from '../../parameters/names.ts';
import { currentVersion } from '../../parameters/table.ts';

/**
 * Checks that a resource supports policies: an advanced parameter, or the account's OpsItem group.
 * @throws AwsError `ResourcePolicyInvalidParameterException`, `ResourceNotFoundException`
 */
function checkResource(arn: string, ctx: SsmContext): void {
  const parsed = parseArn(arn);
  const invalid = (message: string) =>
    ssmError('ResourcePolicyInvalidParameterException', message, { members: { ParameterNames: ['ResourceArn'] } });
  if (parsed?.service !== 'ssm' || !/^(parameter|opsitemgroup)\/.+/.test(parsed.resource))
    throw invalid(`The resource ${arn} cannot have a policy.`);
  if (parsed.accountId !== ctx.accountId || parsed.region !== ctx.region)
    throw invalid(`The resource ${arn} is of another account or region.`);
  const name = parsed.resource.slice(parsed.resource.indexOf('/') + 1);
  const target = parsed.resource.startsWith('parameter/') ? findParameter(readSelection(arn), ctx) : undefined;
  if (parsed.resource.startsWith('parameter/') ? !target : name !== 'default')
    throw ssmError('ResourceNotFoundException', `The resource ${arn} doesn't exist.`);
  if (target && currentVersion(target.parameter).tier !== 'Advanced')
    throw invalid('Only parameters of the advanced tier can be shared.');
}

/**
 * Returns a policy of a resource by id.
 * @throws AwsError `ResourcePolicyNotFoundException`, `ResourcePolicyConflictException`
 */
function policyAt(arn: string, id: string, hash: string | undefined, ctx: SsmContext): ResourcePolicyRecord {
  const policy = ctx.state.ops.policies.get(arn);
  if (policy?.id !== id) throw ssmError('ResourcePolicyNotFoundException', `No policy has the ID ${id}.`);
  if (policy.hash !== hash)
    throw ssmError('ResourcePolicyConflictException', 'The hash does not match the current policy.');
  return policy;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutResourcePolicy.html */
export function PutResourcePolicy(input: InputOf<'PutResourcePolicy'>, ctx: SsmContext): OutputOf<'PutResourcePolicy'> {
  const { state, ids } = ctx;
  const { ResourceArn, Policy, PolicyId, PolicyHash } = input;
  checkResource(ResourceArn, ctx);
  const problem = policyProblem(Policy, ResourceArn);
  if (problem) throw problem;
  if (PolicyId !== undefined) policyAt(ResourceArn, PolicyId, PolicyHash, ctx);
  else if (state.ops.policies.has(ResourceArn))
    throw ssmError('ResourcePolicyLimitExceededException', 'A resource can have at most one policy.', {
      members: { Limit: 1, LimitType: 'policies per resource' },
    });
  const id = PolicyId ?? ids.uuid();
  const hash = createHash('sha256').update(Policy).digest('hex');
  state.ops.policies.put(ResourceArn, { id, hash, resourceArn: ResourceArn, policy: Policy });
  return { PolicyId: id, PolicyHash: hash };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetResourcePolicies.html */
export function GetResourcePolicies(
  input: InputOf<'GetResourcePolicies'>,
  ctx: SsmContext,
): OutputOf<'GetResourcePolicies'> {
  checkResource(input.ResourceArn, ctx);
  const policy = ctx.state.ops.policies.get(input.ResourceArn);
  return paging
    .page('GetResourcePolicies', input, policy ? [policy] : [], ({ id }) => id)
    .list((one) => ({
      PolicyId: one.id,
      PolicyHash: one.hash,
      Policy: one.policy,
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteResourcePolicy.html */
export function DeleteResourcePolicy(
  input: InputOf<'DeleteResourcePolicy'>,
  ctx: SsmContext,
): OutputOf<'DeleteResourcePolicy'> {
  checkResource(input.ResourceArn, ctx);
  policyAt(input.ResourceArn, input.PolicyId, input.PolicyHash, ctx);
  ctx.state.ops.policies.delete(input.ResourceArn);
  return {};
}
