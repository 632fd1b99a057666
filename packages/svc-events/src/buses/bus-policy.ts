import {
  actionsOf,
  each,
  identityDirectory,
  type Json,
  type OperationContext,
  type PolicyRules,
  PRINCIPALS,
  parsePolicy,
  readPolicy,
  rootOf,
  statementsOf as statementsIn,
  unknownPrincipal,
} from '@emu/core/service';
import type { PutPermissionRequest } from '@emu/service-types/events';
import { invalid, notFound } from '../errors.ts';
import { policyRefusal } from './policy-problems.ts';

/** A statement of a bus policy. Statements from PutPermission have an id. */
export type PolicyStatement = Json & { Sid?: string };

/** Maximum size of a policy in bytes. */
export const MAX_BYTES = 10_240;

/**
 * Allowed contents of a bus policy: EventBridge actions on buses and their rules.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-perms.html
 */
const RULES: PolicyRules = {
  size: { most: MAX_BYTES, of: 'bytes' },
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions: actionsOf('events'),
  resource: 'required',
  resources: each((resource) => /^(?:\*$|arn:[^:]+:events:)/.test(resource)),
  uniqueSids: 'given',
};

/** Returns the statements of a policy. */
export const statementsOf = (policy: string | undefined): PolicyStatement[] =>
  policy === undefined ? [] : statementsIn(readPolicy(policy));

/** Returns a policy with the statements; undefined without statements. */
export const policyOf = (statements: readonly PolicyStatement[]): string | undefined =>
  statements.length ? JSON.stringify({ Version: '2012-10-17', Statement: statements }) : undefined;

/**
 * Validates a policy. `OperationContext.wouldRefuse` checks that users and roles of the bus's account in it exist.
 * @throws AwsError `ValidationException`, `PolicyLengthExceededException`
 */
export async function checkPolicy(
  text: string,
  accountId: string,
  ctx: Pick<OperationContext, 'capability' | 'wouldRefuse'>,
): Promise<void> {
  const { policy, problem } = parsePolicy(text, RULES);
  if (problem) throw policyRefusal(problem);
  const value = await unknownPrincipal(policy, accountId, await ctx.capability(identityDirectory));
  if (value !== undefined) ctx.wouldRefuse(policyRefusal({ code: 'invalid-principal', element: 'AWS', value }));
}

/**
 * Returns the statement of a PutPermission request without a policy.
 * @throws AwsError `ValidationException`
 */
export function statementFor(input: PutPermissionRequest, resource: string, region: string): PolicyStatement {
  const { StatementId: sid, Action: action, Principal: principal, Condition: condition } = input;
  if (sid === undefined || action === undefined || principal === undefined)
    throw invalid('Parameter(s) Action, Principal and StatementId must be specified.');
  if (action !== 'events:PutEvents') throw invalid("Provided value in parameter 'action' is not supported.");
  return {
    Sid: sid,
    Effect: 'Allow',
    Principal: principal === '*' ? '*' : { AWS: rootOf(principal, region).arn },
    Action: action,
    Resource: resource,
    ...(condition && { Condition: { [condition.Type]: { [condition.Key]: condition.Value } } }),
  };
}

/** @throws AwsError `ResourceNotFoundException` */
export function withoutStatement(statements: readonly PolicyStatement[], sid: string): PolicyStatement[] {
  const left = statements.filter(({ Sid }) => Sid !== sid);
  if (left.length === statements.length) throw notFound('Statement with the provided id does not exist.');
  return left;
}
