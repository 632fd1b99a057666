import {
  type AccountGrant,
  actionsOf,
  each,
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
import type { AwsError } from '@emu/wire';
import { invalidValueFor, overLimit } from './errors.ts';
import { policyRefusal, unknownPrincipalRefusal } from './policy-problems.ts';

const MAX_STATEMENTS = 20;
const MAX_ACTIONS = 7;

/** Actions that AddPermission can grant to another account. */
const GRANTABLE = new Set([
  '*',
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ListDeadLetterSourceQueues',
  'PurgeQueue',
  'ReceiveMessage',
  'SendMessage',
]);

/** Actions not allowed in queue policies. */
const NOT_ON_QUEUES = new Set(['*', 'ListQueues']);

/** Actions reserved for the queue's owner. */
export const OWNER_ONLY: ReadonlySet<string> = new Set([
  'AddPermission',
  'CancelMessageMoveTask',
  'CreateQueue',
  'DeleteQueue',
  'ListMessageMoveTasks',
  'ListQueueTags',
  'ListQueues',
  'RemovePermission',
  'SetQueueAttributes',
  'StartMessageMoveTask',
  'TagQueue',
  'UntagQueue',
]);

/**
 * Grammar of queue policies: only actions on queues, and one queue per policy.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
 */
const RULES: PolicyRules = {
  size: { most: 8192, of: 'bytes' },
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf(
    'sqs',
    [...GRANTABLE, ...OWNER_ONLY].filter((name) => !NOT_ON_QUEUES.has(name)),
  ),
  resource: 'required',
  resources: each((resource) => /^(?:\*$|arn:)/.test(resource)),
  uniqueSids: 'given',
  most: { Statement: MAX_STATEMENTS, Principal: 50, Condition: 10, Action: MAX_ACTIONS },
  // Validity is checked before limits.
  order: [['*'], ['too-large', 'too-many']],
  statement: ({ resources }) => (resources.length > 1 ? { code: 'invalid-resource', value: resources[1]! } : undefined),
};

/**
 * Validates a Policy attribute and returns it unchanged; an empty value removes it.
 * @throws AwsError `InvalidAttributeValue` for an invalid policy, `OverLimit` for exceeded limits
 */
export function normalizePolicy(json: string): string {
  if (json) parse(json);
  return json;
}

/**
 * Checks that users and roles of the queue's account in a policy exist.
 * @param json a valid policy
 * @throws AwsError `InvalidAttributeValue`, with policies enforced
 */
export async function checkPrincipals(
  json: string,
  accountId: string,
  ctx: Pick<OperationContext, 'capability' | 'wouldRefuse'>,
): Promise<void> {
  const directory = await ctx.capability(identityDirectory);
  if ((await unknownPrincipal(parse(json), accountId, directory)) !== undefined)
    ctx.wouldRefuse(unknownPrincipalRefusal());
}

function parse(json: string): ParsedPolicy {
  const { policy, problem } = parsePolicy(json, RULES);
  if (problem) throw policyRefusal(problem);
  return policy;
}

/**
 * Adds a permission to a queue's policy, as a statement with the label as its id.
 * @param json current policy; undefined if there is none
 * @param grant with unprefixed action names
 * @returns the new policy
 * @throws AwsError `InvalidParameterValue` for invalid accounts, actions or label, `OverLimit` for too many
 */
export function addPermission(json: string | undefined, grant: AccountGrant): string {
  const { label, actions, resource } = grant;
  checkGrant(grant);
  const policy = (json && readPolicy(json)) || { Version: '2008-10-17', Id: `${resource}/SQSDefaultPolicy` };
  const statements = statementsOf(policy);
  if (statements.some(({ Sid }) => Sid === label)) throw invalidValueFor('Label', label, 'Already exists.');
  if (statements.length >= MAX_STATEMENTS)
    throw overLimit(`${statements.length + 1} Statements were found, maximum allowed is ${MAX_STATEMENTS}.`);
  const statement = grantStatement({ ...grant, actions: actions.map((action) => `SQS:${action}`) });
  return JSON.stringify({ ...policy, Statement: [...statements, statement] });
}

function checkGrant({ label, accountIds, actions }: AccountGrant): void {
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(label))
    throw invalidValueFor(
      'Label',
      label,
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.',
    );
  if (actions.length > MAX_ACTIONS)
    throw overLimit(`${actions.length} Actions were found, maximum allowed is ${MAX_ACTIONS}.`);
  for (const action of actions) {
    if (OWNER_ONLY.has(action))
      throw invalidValueFor('ActionName', `SQS:${action}`, 'Only the queue owner is allowed to invoke this action.');
    if (!GRANTABLE.has(action))
      throw invalidValueFor(
        'ActionName',
        `SQS:${action}`,
        'Please refer to the appropriate WSDL for a list of valid actions. ',
      );
  }
  const unknown = malformedAccounts(accountIds);
  if (unknown.length) throw unverifiedPrincipals(unknown);
}

/** Creates the error for invalid accounts in a permission. */
export const unverifiedPrincipals = (accountIds: readonly string[]): AwsError =>
  invalidValueFor('PrincipalId', `[${accountIds.join(', ')}]`, 'Unable to verify.');

/**
 * Removes a permission from a queue's policy.
 * @returns the new policy; empty without remaining statements
 * @throws AwsError `InvalidParameterValue` for an unknown label
 */
export function removePermission(json: string | undefined, label: string): string {
  const policy = json ? readPolicy(json) : undefined;
  const statements = statementsOf(policy);
  const kept = statements.filter(({ Sid }) => Sid !== label);
  if (!policy || kept.length === statements.length) throw invalidValueFor('Label', label, "can't find label.");
  return kept.length ? JSON.stringify({ ...policy, Statement: kept }) : '';
}
