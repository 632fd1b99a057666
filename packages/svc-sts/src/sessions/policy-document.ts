import { each, type PolicyRules, parsePolicy, readPolicy } from '@emu/core/service';
import { policyRefusal } from './policy-problems.ts';

/** A session policy is an identity policy and has no principals. */
const RULES: PolicyRules = {
  principal: 'refused',
  action: 'required',
  actions: each((action) => action === '*' || /^[A-Za-z0-9-]+:[\w*?-]+$/.test(action)),
  resource: 'required',
  resources: each((resource) => resource === '*' || /^arn:.*:.*:.*:.*:.+/s.test(resource) || /^[*?]/.test(resource)),
  sid: /^[A-Za-z0-9]*$/,
  uniqueSids: 'given',
  order: [['*'], ['duplicate-sid']],
};

/**
 * Validates a session policy by the grammar of IAM's policy language.
 * @param text of the policy in the request
 * @returns the policy without whitespace, which determines the packed size
 * @throws AwsError `MalformedPolicyDocument`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function checkSessionPolicy(text: string): string {
  const { problem } = parsePolicy(text, RULES);
  if (problem) throw policyRefusal(problem);
  return JSON.stringify(readPolicy(text));
}
