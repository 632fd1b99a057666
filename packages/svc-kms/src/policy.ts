import {
  actionsOf,
  conditionsHold,
  each,
  identityDirectory,
  isAwsPrincipal,
  isServicePrincipal,
  nameMatcher,
  type ParsedStatement,
  type PolicyRules,
  type Principal,
  parsePolicy,
  rootOf,
  unknownPrincipal,
} from '@emu/core/service';
import type { KmsContext } from './context.ts';
import { lockoutRefusal, policyRefusal } from './policy-problems.ts';
import { isNamed } from './principals.ts';

/** The only name of a key policy. */
export const POLICY_NAME = 'default';

/**
 * Allowed contents of a key policy: principals of accounts and services. A statement without an action or a resource is
 * accepted and has no effect.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_PutKeyPolicy.html
 */
const RULES: PolicyRules = {
  size: { most: 32 * 1024, of: 'bytes' },
  principal: 'required',
  principals: { AWS: isAwsPrincipal, Service: isServicePrincipal },
  action: 'optional',
  actions: actionsOf('kms'),
  resource: 'optional',
  resources: each((resource) => /^(?:\*$|arn:)/.test(resource)),
  uniqueSids: 'given',
};

/** Returns the default key policy: the account's own policies apply. */
export function defaultPolicy(accountId: string, region: string): string {
  return `{
  "Version" : "2012-10-17",
  "Id" : "key-default-1",
  "Statement" : [ {
    "Sid" : "Enable IAM User Permissions",
    "Effect" : "Allow",
    "Principal" : {
      "AWS" : "${rootOf(accountId, region).arn}"
    },
    "Action" : "kms:*",
    "Resource" : "*"
  } ]
}`;
}

/** Whether a statement matches PutKeyPolicy by the caller, directly or through its role or account. */
function coversCaller(statement: ParsedStatement, caller: Principal): boolean {
  const { principals, exceptPrincipals, actions, exceptActions, resources } = statement;
  if (exceptPrincipals || !actions.length || !resources.length) return false;
  const covered = principals.some(
    ({ type, name }) =>
      type === 'AWS' &&
      (name === '*' ||
        name === caller.accountId ||
        isNamed(name, caller) ||
        name.endsWith(`:iam::${caller.accountId}:root`)),
  );
  return covered && actions.some((action) => nameMatcher(action)('kms:PutKeyPolicy')) !== exceptActions;
}

/** Values of condition keys in the caller's next request, keyed in lower case. */
function valuesOf({ principal, credentials }: KmsContext): ReadonlyMap<string, string> {
  const { arn, accountId, userId, accessKeyId = '' } = principal;
  return new Map([
    ['aws:principalaccount', accountId],
    // For a session, the ARN of its role.
    ['aws:principalarn', credentials.get(accessKeyId)?.session?.roleArn ?? arn],
    ['aws:userid', userId],
    ['kms:calleraccount', accountId],
  ]);
}

/** Whether a policy allows the caller to replace it: one statement allows it and none denies it. */
function allowsReplacement(statements: readonly ParsedStatement[], ctx: KmsContext): boolean {
  const values = valuesOf(ctx);
  const about = statements.filter(
    (statement) =>
      coversCaller(statement, ctx.principal) &&
      conditionsHold(statement.conditions, (key) => values.get(key.toLowerCase())),
  );
  return about.some(({ effect }) => effect === 'Allow') && about.every(({ effect }) => effect === 'Allow');
}

/**
 * Validates a key policy. `OperationContext.wouldRefuse` checks that the users and roles of the account in it exist.
 * @param bypassLockoutCheck whether the caller may lose the permission to change it
 */
export async function checkPolicy(
  text: string,
  bypassLockoutCheck: boolean | undefined,
  ctx: KmsContext,
): Promise<void> {
  const { policy, problem } = parsePolicy(text, RULES);
  if (problem) throw policyRefusal(problem);
  if (!bypassLockoutCheck && !allowsReplacement(policy.statements, ctx)) throw lockoutRefusal();
  if ((await unknownPrincipal(policy, ctx.accountId, await ctx.capability(identityDirectory))) !== undefined)
    ctx.wouldRefuse(policyRefusal({ code: 'invalid-principal' }));
}

/** Whether a key policy allows anything to an account, to its users and roles, or to everybody. */
export function policyNames(text: string, accountId: string): boolean {
  const { policy } = parsePolicy(text, RULES);
  return Boolean(
    policy?.statements.some(
      ({ effect, principals }) =>
        effect === 'Allow' &&
        principals.some(({ type, name }) => type === 'AWS' && (name === '*' || name.includes(accountId))),
    ),
  );
}
