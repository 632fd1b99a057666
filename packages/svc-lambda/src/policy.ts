import type { DeepReadonly } from '@emu/core';
import { invalid, lambdaError } from './errors.ts';
import type { AddPermissionRequest } from './generated/lambda.ts';
import { LIMITS } from './limits.ts';
import type { PolicyStatement } from './records.ts';

/** A whole policy, as GetPolicy and GetLayerVersionPolicy print it. */
export const policyDocument = (statements: DeepReadonly<PolicyStatement[]>): string =>
  JSON.stringify({ Version: '2012-10-17', Id: 'default', Statement: statements });

/**
 * Refuses a policy that is too long.
 * @throws AwsError `PolicyLengthExceededException`
 */
export function checkPolicySize(statements: readonly PolicyStatement[]): void {
  const size = Buffer.byteLength(policyDocument(statements));
  if (size > LIMITS.policySize)
    throw lambdaError(
      'PolicyLengthExceededException',
      `The final policy size (${size}) is bigger than the limit (${LIMITS.policySize}).`,
    );
}

/**
 * The principal of a statement, from an account id, an ARN, a service or `*`.
 * @throws AwsError `InvalidParameterValueException`
 */
export function principalOf(principal: string, partition: string): PolicyStatement['Principal'] {
  if (principal === '*') return '*';
  if (/^\d{12}$/.test(principal)) return { AWS: `arn:${partition}:iam::${principal}:root` };
  if (/^arn:[a-z-]+:(?:iam|sts)::\d{12}:\S+$/.test(principal)) return { AWS: principal };
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:amazonaws\.com(?:\.cn)?|amazon\.com|aws\.internal)$/.test(principal))
    return { Service: principal };
  throw invalid('The provided principal was invalid. Please check the principal and try again.');
}

/** The statement that AddPermission adds. @param resource ARN of the function, version or alias */
export function statementOf(input: AddPermissionRequest, resource: string, partition: string): PolicyStatement {
  const equals: Record<string, string> = {
    ...(input.SourceAccount && { 'AWS:SourceAccount': input.SourceAccount }),
    ...(input.FunctionUrlAuthType && { 'lambda:FunctionUrlAuthType': input.FunctionUrlAuthType }),
    ...(input.PrincipalOrgID && { 'aws:PrincipalOrgID': input.PrincipalOrgID }),
    ...(input.EventSourceToken && { 'lambda:EventSourceToken': input.EventSourceToken }),
  };
  const condition = {
    ...(Object.keys(equals).length && { StringEquals: equals }),
    ...(input.InvokedViaFunctionUrl !== undefined && {
      Bool: { 'lambda:InvokedViaFunctionUrl': String(input.InvokedViaFunctionUrl) },
    }),
    ...(input.SourceArn && { ArnLike: { 'AWS:SourceArn': input.SourceArn } }),
  };
  return {
    Sid: input.StatementId,
    Effect: 'Allow',
    Principal: principalOf(input.Principal, partition),
    Action: input.Action,
    Resource: resource,
    ...(Object.keys(condition).length && { Condition: condition }),
  };
}
