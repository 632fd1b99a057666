import { defineResource } from '@emu/core/service';

/** Parts of the state that the resource type depends on. */
export interface PoolRegistry {
  readonly pools: {
    get(id: string): { readonly tags: Readonly<Record<string, string>> } | undefined;
    keys(): Iterable<string>;
    readonly size: number;
  };
}

/**
 * User pools, identified by id.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncognitouserpools.html
 */
export const poolType = defineResource({
  name: 'userpool',
  service: 'cognito-idp',
  scope: 'region',
  format: 'userpool/{id}',
  cloudFormation: 'AWS::Cognito::UserPool',
  arnMembers: ['ResourceArn'],
  identify: (input, place) =>
    typeof input.UserPoolId === 'string' ? { key: { id: input.UserPoolId }, place } : undefined,
  find: (state: PoolRegistry, { id }) => (state.pools.get(id) ? { id } : undefined),
  list: (state) => [...state.pools.keys()].sort().map((id) => ({ id })),
  tags: (state, { id }) => state.pools.get(id)?.tags,
  count: (state) => state.pools.size,
});

/** All resource types of Cognito. */
export const resources = [poolType];
