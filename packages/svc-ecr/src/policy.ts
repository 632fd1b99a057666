import {
  type PolicyProblem,
  type PolicyRules,
  PRINCIPALS,
  type ProblemSentences,
  parsePolicy,
  sentenceFor,
} from '@emu/core/service';
import { parseJson } from '@emu/wire';
import { invalidParameter } from './errors.ts';

const MAX_BYTES = 10_240;

const RULES: PolicyRules = {
  size: { most: MAX_BYTES, of: 'bytes' },
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  // The resource is the repository that has the policy.
  resource: 'refused',
  uniqueSids: 'given',
};

/** Message of ECR for every invalid policy. */
const SENTENCES: ProblemSentences = {
  otherwise: "Invalid parameter at 'PolicyText' failed to satisfy constraint: 'Invalid repository policy provided'",
};

const refusal = (problem: PolicyProblem) => invalidParameter(sentenceFor(problem, SENTENCES));

/** Validates the policy of a repository. @throws AwsError `InvalidParameterException` */
export function checkPolicy(text: string): void {
  const { problem } = parsePolicy(text, RULES);
  if (problem) throw refusal(problem);
}

const invalidLifecycle = (why: string) =>
  invalidParameter(
    `Invalid parameter at 'LifecyclePolicyText' failed to satisfy constraint: 'Lifecycle policy validation failure: ${why}'`,
  );

/**
 * Validates a lifecycle policy: rules with unique priorities, a selection and an action.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonECR/latest/userguide/lifecycle_policy_parameters.html
 */
export function checkLifecycle(text: string): void {
  const rules = rulesIn(text);
  const priorities = rules.map(({ rulePriority }) => rulePriority);
  for (const { rulePriority, selection, action } of rules) {
    if (!Number.isInteger(rulePriority) || (rulePriority as number) < 1)
      throw invalidLifecycle('a rule has no rulePriority');
    if (typeof selection !== 'object' || selection === null) throw invalidLifecycle('a rule has no selection');
    if (typeof action !== 'object' || action === null) throw invalidLifecycle('a rule has no action');
  }
  if (new Set(priorities).size < priorities.length) throw invalidLifecycle('rules have the same rulePriority');
}

interface Rule {
  rulePriority?: unknown;
  selection?: unknown;
  action?: unknown;
}

function rulesIn(text: string): readonly Rule[] {
  let document: { rules?: unknown } | null;
  try {
    document = parseJson(text) as typeof document;
  } catch {
    throw invalidLifecycle('it is no JSON');
  }
  const rules = document?.rules;
  if (!Array.isArray(rules) || rules.length === 0) throw invalidLifecycle('it has no rules');
  if (!rules.every((rule) => typeof rule === 'object' && rule !== null)) throw invalidLifecycle('a rule is no object');
  return rules as Rule[];
}
