import { defineResource, type KeyedRecords, type TaggedRecords, taggedRecord } from '@emu/core/service';
import { tagging } from './tags.ts';

/** Parts of the state that the resource type depends on. */
export interface PoolRegistry {
  readonly pools: TaggedRecords<Record<string, string>> & KeyedRecords;
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
  records: (state: PoolRegistry) => state.pools,
  list: (state) => [...state.pools.keys()].sort().map((id) => ({ id })),
  tagged: { tagging, find: ({ pools }, { id }) => taggedRecord(pools, id) },
});

/** All resource types of Cognito. */
export const resources = [poolType];
