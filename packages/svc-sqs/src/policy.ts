import { invalidAttributeValue, invalidValueFor, overLimit } from './errors.ts';

/** A statement of a queue's access policy, in the grammar of IAM policies. */
interface Statement {
  Sid?: string;
  Effect: string;
  [element: string]: unknown;
}

/** A queue's access policy. */
interface PolicyDocument {
  Version?: string;
  Id?: string;
  Statement: Statement | Statement[];
}

const MAX_STATEMENTS = 20;
const MAX_ACTIONS = 7;
const VERSIONS: readonly unknown[] = ['2008-10-17', '2012-10-17'];
const DOCUMENT_ELEMENTS = new Set(['Version', 'Id', 'Statement']);
const STATEMENT_ELEMENTS = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);

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

/** Actions that stay with the queue's owner. */
const OWNER_ONLY = new Set([
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStringOrList = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

function isStatement(value: unknown): value is Statement {
  return (
    isObject(value) &&
    Object.keys(value).every((element) => STATEMENT_ELEMENTS.has(element)) &&
    (value.Effect === 'Allow' || value.Effect === 'Deny') &&
    isStringOrList(value.Action ?? value.NotAction) &&
    isStringOrList(value.Resource ?? value.NotResource)
  );
}

function parsePolicy(json: string): PolicyDocument | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (!isObject(value) || !Object.keys(value).every((element) => DOCUMENT_ELEMENTS.has(element))) return undefined;
    if (value.Version !== undefined && !VERSIONS.includes(value.Version)) return undefined;
    const statements = Array.isArray(value.Statement) ? value.Statement : [value.Statement];
    if (!statements.length || !statements.every(isStatement)) return undefined;
    return value as unknown as PolicyDocument;
  } catch {
    return undefined;
  }
}

const statementsOf = (policy: PolicyDocument): Statement[] =>
  Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];

/**
 * Checks a Policy attribute and gives it back as it was written; empty stays empty and removes it.
 * @throws AwsError `InvalidAttributeValue` for what is no policy, `OverLimit` for more than 20 statements
 */
export function normalizePolicy(json: string): string {
  if (!json) return '';
  const policy = parsePolicy(json);
  if (!policy) throw invalidAttributeValue('Policy');
  const { length } = statementsOf(policy);
  if (length > MAX_STATEMENTS)
    throw overLimit(`${length} statements were found in the submitted policy, max allowed is ${MAX_STATEMENTS}`);
  return json;
}

/** What AddPermission grants. */
export interface Permission {
  label: string;
  accountIds: readonly string[];
  actions: readonly string[];
  queueArn: string;
  partition: string;
}

/**
 * Adds a permission to a queue's policy, as a statement with the label as its id.
 * @param json the policy so far; undefined where the queue has none
 * @returns the new policy
 * @throws AwsError `InvalidParameterValue` for accounts, actions or a label that do not do, `OverLimit` for too many
 */
export function addPermission(json: string | undefined, permission: Permission): string {
  const { label, accountIds, actions, queueArn, partition } = permission;
  checkGrant(permission);
  const policy: PolicyDocument = (json && parsePolicy(json)) || {
    Version: '2008-10-17',
    Id: `${queueArn}/SQSDefaultPolicy`,
    Statement: [],
  };
  const statements = statementsOf(policy);
  if (statements.some(({ Sid }) => Sid === label)) throw invalidValueFor('Label', label, 'Already exists.');
  if (statements.length >= MAX_STATEMENTS)
    throw overLimit(`${statements.length + 1} Statements were found, maximum allowed is ${MAX_STATEMENTS}.`);
  const statement: Statement = {
    Sid: label,
    Effect: 'Allow',
    Principal: { AWS: oneOrAll(accountIds.map((accountId) => `arn:${partition}:iam::${accountId}:root`)) },
    Action: oneOrAll(actions.map((action) => `SQS:${action}`)),
    Resource: queueArn,
  };
  return JSON.stringify({ ...policy, Statement: [...statements, statement] });
}

function checkGrant({ label, accountIds, actions }: Permission): void {
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
  const unknown = accountIds.filter((accountId) => !/^\d{12}$/.test(accountId));
  if (unknown.length) throw invalidValueFor('PrincipalId', `[${unknown.join(', ')}]`, 'Unable to verify.');
}

/**
 * Takes a permission out of a queue's policy.
 * @returns the new policy; empty where no statement is left
 * @throws AwsError `InvalidParameterValue` where no statement has the label
 */
export function removePermission(json: string | undefined, label: string): string {
  const policy = json ? parsePolicy(json) : undefined;
  const statements = policy ? statementsOf(policy) : [];
  const kept = statements.filter(({ Sid }) => Sid !== label);
  if (!policy || kept.length === statements.length) throw invalidValueFor('Label', label, "can't find label.");
  return kept.length ? JSON.stringify({ ...policy, Statement: kept }) : '';
}

const oneOrAll = (values: string[]): string | string[] => (values.length === 1 ? values[0]! : values);
