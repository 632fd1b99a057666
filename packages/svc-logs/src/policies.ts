import { type PolicyRules, PRINCIPALS, parsePolicy } from '@emu/core';
import { invalidParameter } from './errors.ts';

/** What policies of the account, of groups and of destinations can have. */
const RULES: PolicyRules = {
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  resource: 'required',
};

/** What is wrong with a policy; undefined where nothing is. */
export const policyProblem = (text: string): string | undefined => parsePolicy(text, RULES).problem?.code;

/**
 * Checks the grammar of a policy.
 * @param what the policy is called in the refusal
 * @throws AwsError `InvalidParameterException`
 */
export function checkPolicy(text: string, what = 'policy document'): void {
  const problem = policyProblem(text);
  if (problem !== undefined) throw invalidParameter(`The specified ${what} is not valid (${problem}).`);
}
