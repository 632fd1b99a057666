import type { IamContext } from '../context.ts';
import { keyOf } from '../entities/lookup.ts';
import { accessDenied, invalid, noSuchEntity } from '../errors.ts';
import { awsManaged, policyType } from '../resources.ts';
import type { IamState, Policy } from '../state.ts';
import { type AwsManagedPolicy, managedPolicy } from './aws-managed.ts';

/** A managed policy of the account or of AWS. */
export type AnyPolicy = Policy | AwsManagedPolicy;

const AWS = awsManaged('us-east-1');

/** Whether an ARN belongs to a policy managed by AWS. */
export const isAwsPolicy = (arn: string): boolean => policyType.parse(arn)?.place.accountId === AWS.accountId;

/** Returns a customer managed policy of an account. */
function findLocalPolicy(state: IamState, arn: string): Policy | undefined {
  const policy = state.policies.get(keyOf(arn.slice(arn.lastIndexOf('/') + 1)));
  return policy?.arn === arn ? policy : undefined;
}

/**
 * Returns a managed policy of an account, if it has a state, or of AWS. AWS's policies are the same in every partition,
 * except for the partition in their ARNs.
 * @returns a promise only until AWS's policies are loaded
 */
export function findPolicy(
  state: IamState | undefined,
  arn: string,
): AnyPolicy | undefined | Promise<AnyPolicy | undefined> {
  const address = policyType.parse(arn);
  if (address?.place.accountId === AWS.accountId) return managedPolicy(policyType.arn(address.key, AWS));
  return state && findLocalPolicy(state, arn);
}

/**
 * Validates the ARN of a policy.
 * @throws AwsError `ValidationError`
 */
export function checkPolicyArn(arn: string): void {
  const parts = arn.split(':');
  if (parts.length < 6 || parts[0] !== 'arn') throw invalid('Invalid ARN:  Could not be parsed!');
  if (!policyType.parse(arn)) throw invalid(`ARN ${arn} is not valid.`);
}

/**
 * Returns the managed policy named by an operation.
 * @throws AwsError `NoSuchEntity`, `ValidationError`
 */
export async function requirePolicy(ctx: IamContext, arn: string): Promise<AnyPolicy> {
  checkPolicyArn(arn);
  const policy = await findPolicy(ctx.state, arn);
  if (!policy) throw noSuchEntity(`Policy ${arn} was not found.`);
  return policy;
}

/**
 * Returns the customer managed policy that an operation changes; AWS's own cannot be changed.
 * @throws AwsError `AccessDenied`, `NoSuchEntity`, `ValidationError`
 */
export function requireLocalPolicy(ctx: IamContext, arn: string): Policy {
  checkPolicyArn(arn);
  if (isAwsPolicy(arn))
    throw accessDenied(
      `User: ${ctx.principal.arn} is not authorized to perform: iam:${ctx.operation} on resource: policy ${arn}`,
    );
  const policy = findLocalPolicy(ctx.state, arn);
  if (!policy) throw noSuchEntity(`Policy ${arn} was not found.`);
  return policy;
}

/**
 * Returns a policy to attach.
 * @throws AwsError `NoSuchEntity`, `ValidationError`
 */
export async function requireAttachable(ctx: IamContext, arn: string): Promise<AnyPolicy> {
  checkPolicyArn(arn);
  const policy = await findPolicy(ctx.state, arn);
  if (!policy) throw noSuchEntity(`Policy ${arn} does not exist or is not attachable.`);
  return policy;
}

/** Returns the document of a policy's default version. */
export const documentOf = (policy: AnyPolicy): string =>
  policy.versions.find(({ id }) => id === policy.defaultVersionId)!.document;
