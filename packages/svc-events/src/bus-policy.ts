import { rootOf } from '@emu/core';
import { invalid, invalidParameter, notFound } from './errors.ts';
import type { PutPermissionRequest } from './generated/events.ts';

type Json = Record<string, unknown>;

/** A statement as PutPermission writes it. */
export type PolicyStatement = Json & { Sid: string };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bytes of the longest policy. */
const MOST_BYTES = 10_240;

/** Statements of a policy. */
export function statementsOf(policy: string | undefined): PolicyStatement[] {
  if (policy === undefined) return [];
  const { Statement } = JSON.parse(policy) as { Statement: PolicyStatement | PolicyStatement[] };
  return Array.isArray(Statement) ? Statement : [Statement];
}

/** A policy of statements; undefined where there are none. */
export const policyOf = (statements: readonly PolicyStatement[]): string | undefined =>
  statements.length ? JSON.stringify({ Version: '2012-10-17', Statement: statements }) : undefined;

/**
 * Checks a whole policy.
 * @throws AwsError `ValidationException`
 */
export function checkPolicy(text: string): string {
  if (Buffer.byteLength(text) > MOST_BYTES) throw invalidParameter('Policy', 'It is too long.');
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw invalidParameter('Policy', 'It is not valid JSON.');
  }
  const statements = isObject(policy) ? (Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement]) : [];
  if (!statements.length) throw invalidParameter('Policy', 'It has no statement.');
  for (const statement of statements)
    if (
      !isObject(statement) ||
      (statement.Effect !== 'Allow' && statement.Effect !== 'Deny') ||
      (statement.Principal ?? statement.NotPrincipal) === undefined ||
      (statement.Action ?? statement.NotAction) === undefined ||
      (statement.Resource ?? statement.NotResource) === undefined
    )
      throw invalidParameter('Policy', 'It has a statement that is not complete.');
  return text;
}

/**
 * The statement that a request without a policy asks for.
 * @throws AwsError `ValidationException`
 */
export function statementFor(input: PutPermissionRequest, resource: string, region: string): PolicyStatement {
  const { StatementId: sid, Action: action, Principal: principal, Condition: condition } = input;
  if (sid === undefined || action === undefined || principal === undefined)
    throw invalid('Parameter(s) Action, Principal and StatementId must be specified.');
  if (action !== 'events:PutEvents') throw invalidParameter('Action', 'Provided value is not supported.');
  return {
    Sid: sid,
    Effect: 'Allow',
    Principal: principal === '*' ? '*' : { AWS: rootOf(principal, region).arn },
    Action: action,
    Resource: resource,
    ...(condition ? { Condition: { [condition.Type]: { [condition.Key]: condition.Value } } } : {}),
  };
}

/** @throws AwsError `ResourceNotFoundException` */
export function withoutStatement(statements: readonly PolicyStatement[], sid: string): PolicyStatement[] {
  const left = statements.filter(({ Sid }) => Sid !== sid);
  if (left.length === statements.length) throw notFound('Statement with the provided id does not exist.');
  return left;
}
