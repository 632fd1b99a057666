import { type DeepReadonly, parseArn, rootOf } from '@emu/core/service';
import type { AddPermissionRequest } from '@emu/service-types/lambda';
import { invalidParameterValue, lambdaError } from './errors.ts';
import { LIMITS } from './limits.ts';
import type { PolicyStatement } from './records.ts';

/** Returns a complete policy, as GetPolicy and GetLayerVersionPolicy return it. */
export const policyDocument = (statements: DeepReadonly<PolicyStatement[]>): string =>
  JSON.stringify({ Version: '2012-10-17', Id: 'default', Statement: statements });

/**
 * Rejects a policy that exceeds the size limit.
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
 * Returns the principal of a statement: an account id, an ARN, a service or `*`.
 * @param region of the function or layer
 * @throws AwsError `InvalidParameterValueException`
 */
export function principalOf(principal: string, region: string): PolicyStatement['Principal'] {
  if (principal === '*') return '*';
  if (/^\d{12}$/.test(principal)) return { AWS: rootOf(principal, region).arn };
  if (isIdentity(principal)) return { AWS: principal };
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:amazonaws\.com(?:\.cn)?|amazon\.com|aws\.internal)$/.test(principal))
    return { Service: principal };
  throw invalidParameterValue('The provided principal was invalid. Please check the principal and try again.');
}

/** Whether a text is the ARN of a principal in an account. */
function isIdentity(text: string): boolean {
  const arn = parseArn(text);
  const { service = '', region, accountId = '', resource = ' ' } = arn ?? {};
  return ['iam', 'sts'].includes(service) && region === '' && /^\d{12}$/.test(accountId) && !/\s/.test(resource);
}

/**
 * Returns the statement of AddPermission.
 * @param resource ARN of the function, version or alias
 * @param region its region
 */
export function statementOf(input: AddPermissionRequest, resource: string, region: string): PolicyStatement {
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
    Principal: principalOf(input.Principal, region),
    Action: input.Action,
    Resource: resource,
    ...(Object.keys(condition).length && { Condition: condition }),
  };
}
