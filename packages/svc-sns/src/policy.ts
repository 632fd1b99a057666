import {
  type AccountGrant,
  actionsOf,
  grantStatement,
  identityDirectory,
  malformedAccounts,
  type OperationContext,
  type ParsedPolicy,
  type PolicyRules,
  PRINCIPALS,
  parsePolicy,
  readPolicy,
  statementsOf,
  unknownPrincipal,
} from '@emu/core/service';
import { invalidParameter } from './errors.ts';
import { policySentence } from './policy-problems.ts';

/** Actions that a topic policy may contain. */
const ACTIONS = new Set([
  'AddPermission',
  'DeleteTopic',
  'GetDataProtectionPolicy',
  'GetTopicAttributes',
  'ListSubscriptionsByTopic',
  'ListTagsForResource',
  'Publish',
  'PutDataProtectionPolicy',
  'Receive',
  'RemovePermission',
  'SetTopicAttributes',
  'Subscribe',
  'TagResource',
  'UntagResource',
]);

const DEFAULT_ACTIONS = [
  'SNS:GetTopicAttributes',
  'SNS:SetTopicAttributes',
  'SNS:AddPermission',
  'SNS:RemovePermission',
  'SNS:DeleteTopic',
  'SNS:Subscribe',
  'SNS:ListSubscriptionsByTopic',
  'SNS:Publish',
];

/**
 * Allowed contents of a topic policy.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-language-api-permissions-reference.html
 */
const RULES: PolicyRules = {
  size: { most: 30_720, of: 'bytes' },
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf('sns', [...ACTIONS]),
  resource: 'required',
  uniqueSids: 'all',
  most: { Resource: 1 },
};

/** Returns the default policy of a topic: principals of the owner's account may use it. */
export function defaultPolicy(topicArn: string, owner: string): string {
  return JSON.stringify({
    Version: '2008-10-17',
    Id: '__default_policy_ID',
    Statement: [
      {
        Sid: '__default_statement_ID',
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Action: DEFAULT_ACTIONS,
        Resource: topicArn,
        Condition: { StringEquals: { 'AWS:SourceOwner': owner } },
      },
    ],
  });
}

/**
 * Validates a topic's Policy.
 * @param prefix of error messages, `Attributes Reason: ` for CreateTopic
 */
export function checkPolicy(json: string, prefix: string): ParsedPolicy {
  const { policy, problem } = parsePolicy(json, RULES);
  if (problem) throw invalidParameter(`${prefix}${policySentence(problem)}`);
  return policy;
}

/**
 * Checks that users and roles of the topic's account in a policy exist.
 * @param json a valid Policy
 * @param prefix of error messages
 * @throws AwsError `InvalidParameter` if policies are enforced
 */
export async function checkPrincipals(
  json: string,
  prefix: string,
  accountId: string,
  ctx: Pick<OperationContext, 'capability' | 'wouldRefuse'>,
): Promise<void> {
  const directory = await ctx.capability(identityDirectory);
  if ((await unknownPrincipal(checkPolicy(json, prefix), accountId, directory)) !== undefined)
    ctx.wouldRefuse(invalidParameter(`${prefix}${policySentence({ code: 'invalid-principal' })}`));
}

/**
 * Adds a permission to a topic's policy.
 * @param grant with action names without a prefix
 * @throws AwsError `InvalidParameter` for an existing label, or invalid actions or accounts
 */
export function addPermission(json: string, grant: AccountGrant): string {
  const { label, accountIds, actions } = grant;
  if (!actions.every((action) => ACTIONS.has(action)))
    throw invalidParameter('Policy statement action out of service scope!');
  for (const id of malformedAccounts(accountIds)) throw invalidParameter(`Invalid account id: ${id}`);
  const policy = readPolicy(json);
  const statements = statementsOf(policy);
  if (statements.some(({ Sid }) => Sid === label)) throw invalidParameter('Statement already exists');
  const statement = grantStatement({ ...grant, actions: actions.map((action) => `SNS:${action}`) });
  return JSON.stringify({ ...policy, Statement: [...statements, statement] });
}

/** Removes a permission from a topic's policy. Without effect for an unknown label. */
export function removePermission(json: string, label: string): string {
  const policy = readPolicy(json);
  return JSON.stringify({ ...policy, Statement: statementsOf(policy).filter(({ Sid }) => Sid !== label) });
}
