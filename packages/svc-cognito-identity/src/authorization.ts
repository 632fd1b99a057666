import { namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { CognitoIdentityOperations } from '@emu/service-types/cognito-identity';
import { poolType, resources } from './resources.ts';
import type { IdentityState } from './state.ts';

const NONE: readonly [] = [];
const unsigned = () => NONE;

/**
 * Permissions that the operations require: their action on the pool, or none for those called without credentials.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncognitoidentity.html
 */
export const authorization: ServiceAuthorization<CognitoIdentityOperations, IdentityState> = {
  prefix: 'cognito-identity',
  // https://docs.aws.amazon.com/cognito/latest/developerguide/role-based-access-control.html
  roles: {
    SetIdentityPoolRoles: {
      'Roles.*': 'cognito-identity',
      'RoleMappings.*.RulesConfiguration.Rules.RoleARN': 'cognito-identity',
    },
  },
  withoutResource: { SetPrincipalTagAttributeMap: true },
  operations: {
    GetCredentialsForIdentity: unsigned,
    GetId: unsigned,
    GetOpenIdToken: unsigned,
    UnlinkIdentity: unsigned,
    DescribeIdentity({ IdentityId }, ctx) {
      const id = ctx.state.identity(IdentityId)?.poolId;
      return {
        action: 'cognito-identity:DescribeIdentity',
        resource: '*',
        condition: (key) =>
          key === 'cognito-identity:identitypoolarn' && id !== undefined ? poolType.arn({ id }, ctx) : undefined,
      };
    },
  },
  otherwise(operation, input, ctx) {
    const action = `cognito-identity:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    if (!named) return { action, resource: '*' };
    return permissionOn(action, named.type, named.address, ctx.handle);
  },
};
