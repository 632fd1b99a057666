import type { Decision, EvaluationRequest, PolicyKind } from './types.ts';

const NAMES: Readonly<Record<PolicyKind, { denying: string; allowing: string }>> = {
  identity: { denying: 'an identity-based policy', allowing: 'identity-based policy' },
  boundary: { denying: 'a permissions boundary', allowing: 'permissions boundary' },
  session: { denying: 'a session policy', allowing: 'session policy' },
  resource: { denying: 'a resource-based policy', allowing: 'resource-based policy' },
  trust: { denying: 'the role trust policy', allowing: 'role trust policy' },
  'service-control': { denying: 'a service control policy', allowing: 'service control policy' },
  'resource-control': { denying: 'a resource control policy', allowing: 'resource control policy' },
};

/**
 * Returns the message of a denial.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
 */
export function denialMessage(
  { principal, action, resource }: Pick<EvaluationRequest, 'principal' | 'action' | 'resource'>,
  { verdict, deniedBy = 'identity' }: Decision,
): string {
  const { denying, allowing } = NAMES[deniedBy];
  const reason =
    verdict === 'explicitDeny'
      ? `with an explicit deny in ${denying}`
      : `because no ${allowing} allows the ${action} action`;
  return `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}
