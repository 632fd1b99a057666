import { defineResource } from '@emu/core/service';

/**
 * OpenID Connect providers from IAM, which trust policies name as principals. STS has no addressable resources;
 * sessions are identified by their credentials.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecuritytokenservice.html
 */
export const oidcProviderType = defineResource({
  name: 'oidc-provider',
  service: 'iam',
  scope: 'account',
  format: 'oidc-provider/{url+}',
});

/** Sessions of GetFederationToken. */
export const federatedUserType = defineResource({
  name: 'federated-user',
  service: 'sts',
  scope: 'account',
  format: 'federated-user/{name}',
});
