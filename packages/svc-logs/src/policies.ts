import { isAwsPrincipal, isServicePrincipal, type PolicyRules, PRINCIPALS, parsePolicy } from '@emu/core/service';
import { invalidParameter } from './errors.ts';

/** Grammar of policies of the account, groups and destinations. */
const RULES: PolicyRules = {
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  resource: 'required',
};

/** Grammar of policies of destinations for subscription filters, in which AWS accepts service names as principals. */
const DESTINATION_RULES: PolicyRules = {
  ...RULES,
  principals: { ...PRINCIPALS, AWS: (name) => isAwsPrincipal(name) || isServicePrincipal(name) },
};

/** Returns the problem with a policy; undefined if it is valid. */
export const policyProblem = (text: string, rules: PolicyRules = RULES): string | undefined =>
  parsePolicy(text, rules).problem?.code;

/**
 * Checks the grammar of a policy of the account.
 * @throws AwsError `InvalidParameterException`
 */
export function checkPolicy(text: string): void {
  refuse(policyProblem(text), 'policy document');
}

/**
 * Checks the grammar of a destination's policy.
 * @throws AwsError `InvalidParameterException`
 */
export function checkDestinationPolicy(text: string): void {
  refuse(policyProblem(text, DESTINATION_RULES), 'access policy');
}

function refuse(problem: string | undefined, what: string): void {
  if (problem !== undefined) throw invalidParameter(`The specified ${what} is not valid (${problem}).`);
}
