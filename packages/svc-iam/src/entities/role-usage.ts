import {
  type DirectoryResource,
  type OperationContext,
  resourceDirectory,
  servicePrincipalName,
} from '@emu/core/service';
import type { RoleUsageType } from '@emu/service-types/iam';

/** Resources that use a service's role. */
interface Users {
  /** Their CloudFormation types. */
  readonly types: readonly string[];
  /** Filters resources; all if undefined. */
  readonly is?: (resource: DirectoryResource) => boolean;
}

/**
 * Resources that use service-linked roles, by service principal, as documented for each role. Other services' roles are
 * not used by any resource of emu.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/multi-region-auth-slr.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/using-service-linked-roles-service-action-1.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/using-service-linked-roles.html
 */
const USERS: Readonly<Record<string, Users>> = {
  [servicePrincipalName('apidestinations.events')]: { types: ['AWS::Events::ApiDestination'] },
  [servicePrincipalName('mrk.kms')]: { types: ['AWS::KMS::Key'], is: ({ key }) => key.id?.startsWith('mrk-') === true },
  [servicePrincipalName('ops.apigateway')]: {
    types: [
      'AWS::ApiGateway::DomainName',
      'AWS::ApiGateway::VpcLink',
      'AWS::ApiGatewayV2::DomainName',
      'AWS::ApiGatewayV2::VpcLink',
    ],
  },
  [servicePrincipalName('ssm')]: { types: ['AWS::SSM::MaintenanceWindow'] },
};

/** Returns the account's resources that use a service's role, by region. */
export async function usageOf(service: string, ctx: OperationContext<unknown>): Promise<RoleUsageType[]> {
  const users = Object.hasOwn(USERS, service) ? USERS[service] : undefined;
  const directory = users && (await ctx.capability(resourceDirectory));
  if (!directory) return [];
  const cloudFormation = new Set(users.types);
  return directory.regions(ctx.accountId).flatMap((Region) => {
    const found = [...directory.list(ctx.accountId, Region, { cloudFormation })].filter(users.is ?? (() => true));
    return found.length ? [{ Region, Resources: found.map(({ arn }) => arn).sort() }] : [];
  });
}
