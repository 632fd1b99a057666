import {
  type AttachedPolicy,
  type ContextValue,
  type Decision,
  evaluate,
  type PolicyPrincipal,
  type PolicySet,
  type ResourcePolicy,
} from '../../src/service.ts';

export const ACCOUNT = '111122223333';
export const OTHER = '444455556666';

export const JANE: PolicyPrincipal = {
  type: 'user',
  accountId: ACCOUNT,
  arn: `arn:aws:iam::${ACCOUNT}:user/jane`,
  userId: 'AIDAJANE',
};
export const SESSION: PolicyPrincipal = {
  type: 'assumed-role',
  accountId: ACCOUNT,
  arn: `arn:aws:sts::${ACCOUNT}:assumed-role/app/one`,
  userId: 'AROAAPP:one',
  entityArn: `arn:aws:iam::${ACCOUNT}:role/team/app`,
};
export const ROOT: PolicyPrincipal = {
  type: 'root',
  accountId: ACCOUNT,
  arn: `arn:aws:iam::${ACCOUNT}:root`,
  userId: ACCOUNT,
};
export const ANONYMOUS: PolicyPrincipal = { type: 'anonymous', accountId: ACCOUNT, arn: '*' };
export const SNS: PolicyPrincipal = {
  type: 'service',
  accountId: ACCOUNT,
  arn: 'sns.amazonaws.com',
  service: 'sns.amazonaws.com',
};

export type Element = Record<string, unknown>;

/** Returns a policy of some statements. */
export const policy = (...statements: Element[]): AttachedPolicy => ({
  id: 'p',
  document: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
});

export const allow = (element: Element = {}): Element => ({ Effect: 'Allow', Action: '*', Resource: '*', ...element });
export const deny = (element: Element = {}): Element => ({ ...allow(element), Effect: 'Deny' });

export const resourcePolicy = (statement: Element, rest: Partial<ResourcePolicy> = {}): ResourcePolicy => ({
  ...policy(statement),
  ...rest,
});

export interface Question {
  principal?: PolicyPrincipal;
  action?: string;
  resource?: string;
  resourceAccountId?: string;
  context?: Record<string, ContextValue>;
  policies?: Partial<PolicySet>;
}

/** Evaluates a request; by default Jane sends to a queue of her account without any policy. */
export function ask({
  principal = JANE,
  action = 'sqs:SendMessage',
  resource = `arn:aws:sqs:us-east-1:${ACCOUNT}:orders`,
  context = {},
  policies = {},
  resourceAccountId,
}: Question): Decision {
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  const owner = resourceAccountId === undefined ? {} : { resourceAccountId };
  return evaluate({ principal, action, resource, context: keys, ...owner }, { identity: [], ...policies });
}

/** Whether one statement of an identity policy applies. */
export const applies = (element: Element, question: Omit<Question, 'policies'> = {}): boolean =>
  ask({ ...question, policies: { identity: [policy(allow(element))] } }).verdict === 'allowed';
