import { servicePrincipalName } from '../identity/service-principal.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/**
 * Returns the permission to pass a role to a service, which a caller needs to configure the service with the role.
 * @param role ARN of the role
 * @param service name in principals, e.g. `events`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
 */
export const passRole = (role: string, service: string): AuthorizationRequest => ({
  action: 'iam:PassRole',
  resource: role,
  condition: (key) => (key === 'iam:passedtoservice' ? servicePrincipalName(service) : undefined),
});
