import { rootOf } from '@emu/core';
import { jsonSyntaxError } from '@emu/core/patterns';
import { invalidParameter } from './errors.ts';

interface Statement {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Action?: string | string[];
  [element: string]: unknown;
}

interface PolicyDocument {
  Version?: string;
  Id?: string;
  Statement: Statement[];
}

/** Actions that a topic's policy can be about. */
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

const MAX_POLICY_BYTES = 30_720;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The policy of a topic that has none of its own: principals of the owner's account may use it. */
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
 * Checks a topic's Policy.
 * @param prefix how errors begin, `Attributes Reason: ` when a topic is created
 * @throws AwsError `InvalidParameter`
 */
export function checkPolicy(json: string, prefix: string): void {
  const invalid = (reason: string) => invalidParameter(`${prefix}${reason}`);
  if (Buffer.byteLength(json) > MAX_POLICY_BYTES) throw invalid('Policy too large');
  if (jsonSyntaxError(json)) throw invalid('Policy Error: null');
  const policy: unknown = JSON.parse(json);
  if (!isObject(policy)) throw invalid('Policy Error: null');
  if (policy.Version !== undefined && policy.Version !== '2008-10-17' && policy.Version !== '2012-10-17')
    throw invalid('Policy Error: null');
  const statements = Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];
  if (!statements.length) throw invalid('Policy Error: null');
  for (const statement of statements) {
    if (!isObject(statement) || (statement.Effect !== 'Allow' && statement.Effect !== 'Deny'))
      throw invalid('Policy Error: null');
    if (!('Principal' in statement || 'NotPrincipal' in statement)) throw invalid('Policy Error: null');
    if (!('Action' in statement || 'NotAction' in statement)) throw invalid('Policy Error: null');
    for (const action of listOf(statement.Action ?? statement.NotAction))
      if (!isInScope(action)) throw invalid('Policy statement action out of service scope!');
    if (!('Resource' in statement || 'NotResource' in statement)) throw invalid('Policy Error: null');
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Whether an action of a policy, which may have wildcards, is one of SNS's. */
function isInScope(action: unknown): boolean {
  if (action === '*') return true;
  const name = typeof action === 'string' ? /^sns:(.+)$/i.exec(action)?.[1]?.toLowerCase() : undefined;
  if (name === undefined) return false;
  return /[*?]/.test(name) || [...ACTIONS].some((known) => known.toLowerCase() === name);
}

/** What AddPermission grants. */
export interface Permission {
  label: string;
  accountIds: readonly string[];
  actions: readonly string[];
  topicArn: string;
  /** Region of the topic. */
  region: string;
}

/**
 * Adds a permission to a topic's policy.
 * @throws AwsError `InvalidParameter` where the label is taken, or actions or accounts do not do
 */
export function addPermission(json: string, { label, accountIds, actions, topicArn, region }: Permission): string {
  if (!actions.every((action) => ACTIONS.has(action)))
    throw invalidParameter('Policy statement action out of service scope!');
  for (const id of accountIds) if (!/^\d{12}$/.test(id)) throw invalidParameter(`Invalid account id: ${id}`);
  const policy = readPolicy(json);
  if (policy.Statement.some(({ Sid }) => Sid === label)) throw invalidParameter('Statement already exists');
  const statement: Statement = {
    Sid: label,
    Effect: 'Allow',
    Principal: { AWS: oneOrAll(accountIds.map((id) => rootOf(id, region).arn)) },
    Action: oneOrAll(actions.map((action) => `SNS:${action}`)),
    Resource: topicArn,
  };
  return JSON.stringify({ ...policy, Statement: [...policy.Statement, statement] });
}

/** Takes a permission out of a topic's policy; without effect where no statement has the label. */
export function removePermission(json: string, label: string): string {
  const policy = readPolicy(json);
  return JSON.stringify({ ...policy, Statement: policy.Statement.filter(({ Sid }) => Sid !== label) });
}

function readPolicy(json: string): PolicyDocument {
  const policy = JSON.parse(json) as Omit<PolicyDocument, 'Statement'> & { Statement: Statement | Statement[] };
  return { ...policy, Statement: Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement] };
}

const oneOrAll = (values: string[]): string | string[] => (values.length === 1 ? values[0]! : values);
