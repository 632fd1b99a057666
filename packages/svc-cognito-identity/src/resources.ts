import { defineResource } from '@emu/core';

/** What the type needs of a state. */
export interface PoolRegistry {
  readonly pools: {
    get(id: string): { readonly tags: Readonly<Record<string, string>> } | undefined;
    keys(): Iterable<string>;
    readonly size: number;
  };
}

/**
 * Identity pools, named by their ids.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncognitoidentity.html
 */
export const poolType = defineResource({
  name: 'identitypool',
  service: 'cognito-identity',
  scope: 'region',
  format: 'identitypool/{id+}',
  cloudFormation: 'AWS::Cognito::IdentityPool',
  arnMembers: ['ResourceArn'],
  identify: (input, place) =>
    typeof input.IdentityPoolId === 'string' ? { key: { id: input.IdentityPoolId }, place } : undefined,
  find: (state: PoolRegistry, { id }) => (state.pools.get(id) ? { id } : undefined),
  list: (state) => [...state.pools.keys()].sort().map((id) => ({ id })),
  tags: (state, { id }) => state.pools.get(id)?.tags,
  count: (state) => state.pools.size,
});

/** The OpenID Connect providers of IAM that pools name. */
export const oidcProviderType = defineResource({
  name: 'oidc-provider',
  service: 'iam',
  scope: 'account',
  format: 'oidc-provider/{url+}',
});

/** The SAML providers of IAM that pools name. */
export const samlProviderType = defineResource({
  name: 'saml-provider',
  service: 'iam',
  scope: 'account',
  format: 'saml-provider/{name}',
});

/** The policies of IAM that sessions of guests have. */
export const policyType = defineResource({
  name: 'policy',
  service: 'iam',
  scope: 'account',
  format: 'policy/{name+}',
});

/** The roles of IAM that pools give. */
export const roleType = defineResource({
  name: 'role',
  service: 'iam',
  scope: 'account',
  format: 'role/{name+}',
});

/** Every type of this service's own resources. */
export const resources = [poolType];
