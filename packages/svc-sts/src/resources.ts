import { defineResource } from '@emu/core';

/**
 * OpenID Connect providers, which IAM keeps: trust policies name them as principals. STS has nothing of its own that
 * could be looked up by ARN: sessions are known by their credentials.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecuritytokenservice.html
 */
export const oidcProviderType = defineResource({
  name: 'oidc-provider',
  service: 'iam',
  scope: 'account',
  format: 'oidc-provider/{url+}',
});
