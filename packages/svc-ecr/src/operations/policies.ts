import type {
  GetLifecyclePolicyRequest,
  GetLifecyclePolicyResponse,
  GetRepositoryPolicyRequest,
  InputOf,
  OutputOf,
} from '@emu/service-types/ecr';
import type { EcrContext } from '../context.ts';
import { lifecycleNotFound, policyNotFound } from '../errors.ts';
import { repositoryOf } from '../lookup.ts';
import { checkLifecycle, checkPolicy } from '../policy.ts';

type Input = GetRepositoryPolicyRequest;

/** Returns the policy of a repository. @throws AwsError `RepositoryPolicyNotFoundException` */
function policyOf(input: Input, ctx: EcrContext): { name: string; text: string } {
  const { name, policy } = repositoryOf(input, ctx);
  if (policy === undefined) throw policyNotFound(name, ctx.accountId);
  return { name, text: policy };
}

/** Returns the lifecycle policy of a repository. @throws AwsError `LifecyclePolicyNotFoundException` */
function lifecycleOf(input: GetLifecyclePolicyRequest, ctx: EcrContext): GetLifecyclePolicyResponse {
  const { name, lifecycle } = repositoryOf(input, ctx);
  if (!lifecycle) throw lifecycleNotFound(name, ctx.accountId);
  return {
    registryId: ctx.accountId,
    repositoryName: name,
    lifecyclePolicyText: lifecycle.text,
    lastEvaluatedAt: new Date(lifecycle.at),
  };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_SetRepositoryPolicy.html */
export function SetRepositoryPolicy(
  input: InputOf<'SetRepositoryPolicy'>,
  ctx: EcrContext,
): OutputOf<'SetRepositoryPolicy'> {
  const { name } = repositoryOf(input, ctx);
  const { policyText } = input;
  checkPolicy(policyText);
  ctx.state.change(name, (draft) => {
    draft.policy = policyText;
  });
  return { registryId: ctx.accountId, repositoryName: name, policyText };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetRepositoryPolicy.html */
export function GetRepositoryPolicy(
  input: InputOf<'GetRepositoryPolicy'>,
  ctx: EcrContext,
): OutputOf<'GetRepositoryPolicy'> {
  const { name, text } = policyOf(input, ctx);
  return { registryId: ctx.accountId, repositoryName: name, policyText: text };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_DeleteRepositoryPolicy.html */
export function DeleteRepositoryPolicy(
  input: InputOf<'DeleteRepositoryPolicy'>,
  ctx: EcrContext,
): OutputOf<'DeleteRepositoryPolicy'> {
  const { name, text } = policyOf(input, ctx);
  ctx.state.change(name, (draft) => {
    delete draft.policy;
  });
  return { registryId: ctx.accountId, repositoryName: name, policyText: text };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_PutLifecyclePolicy.html */
export function PutLifecyclePolicy(
  input: InputOf<'PutLifecyclePolicy'>,
  ctx: EcrContext,
): OutputOf<'PutLifecyclePolicy'> {
  const { name } = repositoryOf(input, ctx);
  const { lifecyclePolicyText: text } = input;
  checkLifecycle(text);
  ctx.state.change(name, (draft) => {
    draft.lifecycle = { text, at: ctx.clock.now() };
  });
  return { registryId: ctx.accountId, repositoryName: name, lifecyclePolicyText: text };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetLifecyclePolicy.html */
export function GetLifecyclePolicy(
  input: InputOf<'GetLifecyclePolicy'>,
  ctx: EcrContext,
): OutputOf<'GetLifecyclePolicy'> {
  return lifecycleOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_DeleteLifecyclePolicy.html */
export function DeleteLifecyclePolicy(
  input: InputOf<'DeleteLifecyclePolicy'>,
  ctx: EcrContext,
): OutputOf<'DeleteLifecyclePolicy'> {
  const answer = lifecycleOf(input, ctx);
  ctx.state.change(input.repositoryName, (draft) => {
    delete draft.lifecycle;
  });
  return answer;
}
