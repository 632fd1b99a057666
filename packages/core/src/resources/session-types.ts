import { defineResource } from './resource-type.ts';

/**
 * Sessions of roles; a role's path is no part of their ARNs.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
 */
export const assumedRoleType = defineResource({
  name: 'assumed-role',
  service: 'sts',
  scope: 'account',
  format: 'assumed-role/{role}/{session}',
});

/** Sessions of users that GetFederationToken vouches for. */
export const federatedUserType = defineResource({
  name: 'federated-user',
  service: 'sts',
  scope: 'account',
  format: 'federated-user/{name}',
});
