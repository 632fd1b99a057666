import { type PolicyRules, PRINCIPALS, parsePolicy } from '@emu/core/service';
import { invalidParameter } from './errors.ts';

/** Grammar of policies of the account, groups and destinations. */
const RULES: PolicyRules = {
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  resource: 'required',
};

/** Returns the problem with a policy; undefined if it is valid. */
export const policyProblem = (text: string): string | undefined => parsePolicy(text, RULES).problem?.code;

/**
 * Checks the grammar of a policy.
 * @param what name of the policy in the error message
 * @throws AwsError `InvalidParameterException`
 */
export function checkPolicy(text: string, what = 'policy document'): void {
  const problem = policyProblem(text);
  if (problem !== undefined) throw invalidParameter(`The specified ${what} is not valid (${problem}).`);
}
