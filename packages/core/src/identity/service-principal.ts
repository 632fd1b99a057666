import type { Principal } from './principal.ts';

/**
 * Returns the name of a service's principal, e.g. `scheduler.amazonaws.com`.
 * @param service name in principals, e.g. `states` for Step Functions
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html#principal-services
 */
export const servicePrincipalName = (service: string): string => `${service}.amazonaws.com`;

/**
 * Returns a service as the caller of operations in an account.
 * @param service name in principals
 */
export function servicePrincipal(service: string, accountId: string): Principal {
  const name = servicePrincipalName(service);
  return { type: 'service', accountId, arn: name, userId: name };
}
