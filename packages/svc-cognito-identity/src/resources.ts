import { defineResource, type KeyedRecords, type TaggedRecords, taggedRecord } from '@emu/core/service';
import { tagging } from './tags.ts';

/** State that the resource type needs. */
export interface PoolRegistry {
  readonly pools: TaggedRecords<Record<string, string>> & KeyedRecords;
}

/**
 * Identity pools, identified by id.
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
  records: (state: PoolRegistry) => state.pools,
  list: (state) => [...state.pools.keys()].sort().map((id) => ({ id })),
  tagged: { tagging, find: ({ pools }, { id }) => taggedRecord(pools, id) },
});

/** OpenID Connect providers of IAM that pools refer to. */
export const oidcProviderType = defineResource({
  name: 'oidc-provider',
  service: 'iam',
  scope: 'account',
  format: 'oidc-provider/{url+}',
});

/** SAML providers of IAM that pools refer to. */
export const samlProviderType = defineResource({
  name: 'saml-provider',
  service: 'iam',
  scope: 'account',
  format: 'saml-provider/{name}',
});

/** IAM policies of guest sessions. */
export const policyType = defineResource({
  name: 'policy',
  service: 'iam',
  scope: 'account',
  format: 'policy/{name+}',
});

/** IAM roles of pools. */
export const roleType = defineResource({
  name: 'role',
  service: 'iam',
  scope: 'account',
  format: 'role/{name+}',
});

/** Resource types of this service. */
export const resources = [poolType];
