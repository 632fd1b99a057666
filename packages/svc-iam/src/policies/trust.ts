import { each, type PolicyRules, PRINCIPALS, parsePolicy } from '@emu/core/service';
import type { IamContext } from '../context.ts';
import { LIMITS } from '../limits.ts';
import { trustRefusal } from '../policy-problems.ts';
import { isKnownService } from './service-principals.ts';
import { principalExists } from './trusted-principals.ts';

/** Actions for assuming roles, in lower case; others and patterns are rejected. */
const ACTIONS: ReadonlySet<string> = new Set(
  [
    'AssumeRole',
    'AssumeRoleWithSAML',
    'AssumeRoleWithWebIdentity',
    'SetContext',
    'SetSourceIdentity',
    'TagSession',
  ].map((name) => `sts:${name}`.toLowerCase()),
);

const TRUST: PolicyRules = {
  size: { most: LIMITS.trustPolicySize, of: 'characters without white space' },
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: each((action) => ACTIONS.has(action.toLowerCase())),
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
 * Validates a trust policy. `OperationContext.wouldRefuse` checks that its users, roles and services exist.
 * @throws AwsError `MalformedPolicyDocument`, `LimitExceeded`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_update-role-trust-policy.html
 */
export function checkTrustPolicy(text: string, ctx: IamContext): void {
  const { policy, problem } = parsePolicy(text, TRUST);
  if (problem) throw trustRefusal(problem);
  for (const { principals } of policy.statements)
    for (const { type, name } of principals)
      if ((type === 'AWS' && !mayExist(name, ctx)) || (type === 'Service' && !isKnownService(name)))
        ctx.wouldRefuse(trustRefusal({ code: 'invalid-principal', element: type, value: name }));
}

/** Whether a principal exists, or is neither a user nor a role. */
function mayExist(name: string, ctx: IamContext): boolean {
  const accountId = /^arn:[^:]+:iam::(\d{12}):(?:user|role)\//.exec(name)?.[1];
  return accountId === undefined || principalExists(name, accountId, ctx);
}
