import {
  each,
  isAwsPrincipal,
  isFederatedPrincipal,
  isServicePrincipal,
  type PolicyRules,
  parsePolicy,
} from '@emu/core';
import { trustRefusal } from '../policy-problems.ts';
import { QUOTAS } from '../quotas.ts';

/** Answers whether a principal of a trust policy exists, as far as emu can know. */
export interface PrincipalLookup {
  /** @param arn of a user or role @param accountId of its account */
  exists(arn: string, accountId: string): boolean;
}

const TRUST: PolicyRules = {
  size: { most: QUOTAS.trustPolicySize, of: 'characters without white space' },
  principal: 'required',
  action: 'required',
  actions: each((action) => /^sts:/i.test(action)),
  notActionRefused: true,
  resource: 'refused',
  sid: /^[A-Za-z0-9]*$/,
  uniqueSids: 'given',
  order: [
    ['not-json'],
    ['invalid-version'],
    ['missing-statement', 'empty-statement'],
    ['prohibited-resource'],
    ['missing-effect', 'invalid-effect', 'effect-case'],
    ['missing-action'],
    ['missing-principal'],
    ['*'],
    ['invalid-action', 'prohibited-action'],
    ['principal-not-object', 'invalid-principal', 'empty-principal'],
    ['duplicate-sid'],
    ['invalid-sid'],
    ['too-large'],
  ],
};

/**
 * Checks who may assume a role.
 * @throws AwsError `MalformedPolicyDocument`, `LimitExceeded`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_update-role-trust-policy.html
 */
export function checkTrustPolicy(text: string, facts: PrincipalLookup): void {
  const principals = {
    AWS: (name: string) => isAwsPrincipal(name) && isThere(name, facts),
    Service: isServicePrincipal,
    Federated: isFederatedPrincipal,
  };
  const { problem } = parsePolicy(text, { ...TRUST, principals });
  if (problem) throw trustRefusal(problem);
}

/** Whether a principal is no user or role, or one that exists. */
function isThere(name: string, facts: PrincipalLookup): boolean {
  const accountId = /^arn:[^:]+:iam::(\d{12}):(?:user|role)\//.exec(name)?.[1];
  return accountId === undefined || facts.exists(name, accountId);
}
