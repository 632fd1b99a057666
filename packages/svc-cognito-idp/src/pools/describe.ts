import { copyOf } from '@emu/core/service';
import type { UserPoolType } from '@emu/service-types/cognito-idp';
import type { Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { describeAttribute } from './schema.ts';

/** Returns a pool as in DescribeUserPool. */
export function describePool(pool: Pool, state: CognitoState): UserPoolType {
  const domains = [...state.domains.values()].filter(({ poolId }) => poolId === pool.id);
  const prefix = domains.find(({ certificateArn }) => certificateArn === undefined);
  const custom = domains.find(({ certificateArn }) => certificateArn !== undefined);
  return {
    Id: pool.id,
    Name: pool.name,
    ...copyOf(pool.settings),
    SchemaAttributes: pool.schema.map(describeAttribute),
    MfaConfiguration: pool.mfa,
    EstimatedNumberOfUsers: state.userCount(pool.id),
    CreationDate: new Date(pool.createdAt),
    LastModifiedDate: new Date(pool.updatedAt),
    UserPoolTags: { ...pool.tags },
    Arn: state.poolArn(pool.id),
    ...(prefix && { Domain: prefix.domain }),
    ...(custom && { CustomDomain: custom.domain }),
  };
}
