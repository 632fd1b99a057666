import {
  type AuthorizationRequest,
  type ContextValue,
  type NamedResource,
  namedResource,
  permissionOn,
  type ServiceAuthorization,
  servicePrincipalName,
} from '@emu/core/service';
import type { IamOperations } from '@emu/service-types/iam';
import type { IamContext } from './context.ts';
import { keyOf } from './entities/lookup.ts';
import { serviceLinkedRoleName } from './entities/service-linked-roles.ts';
import {
  accessReportType,
  delegationRequestType,
  groupType,
  instanceProfileType,
  mfaDeviceType,
  oidcProviderType,
  resourceTypes,
  roleType,
  samlProviderType,
  serverCertificateType,
  userType,
} from './resources.ts';
import type { IamState } from './state.ts';

/** Members of IAM's inputs used for condition keys and for resources without a resource type. */
interface Input {
  AccessKeyId?: string;
  AWSServiceName?: string;
  CustomSuffix?: string;
  DeletionTaskId?: string;
  EntityPath?: string;
  PathPrefix?: string;
  PermissionsBoundary?: string;
  PolicyArn?: string;
  RoleName?: string;
}

/** Operations on the calling user by default. */
const ABOUT_CALLER: ReadonlySet<string> = new Set([
  'ChangePassword',
  'CreateAccessKey',
  'CreateLoginProfile',
  'DeleteAccessKey',
  'DeleteLoginProfile',
  'DeleteServiceSpecificCredential',
  'DeleteSigningCertificate',
  'GetLoginProfile',
  'GetUser',
  'ListAccessKeys',
  'ListMFADevices',
  'ListSSHPublicKeys',
  'ListServiceSpecificCredentials',
  'ListSigningCertificates',
  'ResetServiceSpecificCredential',
  'UpdateAccessKey',
  'UpdateServiceSpecificCredential',
  'UpdateSigningCertificate',
  'UploadSigningCertificate',
]);

/** Permission resources of list operations: the type's ARN without a name. */
const LISTS: Readonly<Record<string, (path: string, ctx: IamContext) => string>> = {
  ListGroups: (path, ctx) => groupType.arn({ path, name: '' }, ctx),
  ListInstanceProfiles: (path, ctx) => instanceProfileType.arn({ path, name: '' }, ctx),
  ListOpenIDConnectProviders: (_path, ctx) => oidcProviderType.arn({ url: '' }, ctx),
  ListRoles: (path, ctx) => roleType.arn({ path, name: '' }, ctx),
  ListSAMLProviders: (_path, ctx) => samlProviderType.arn({ name: '' }, ctx),
  ListServerCertificates: (path, ctx) => serverCertificateType.arn({ path, name: '' }, ctx),
  ListUsers: (path, ctx) => userType.arn({ path, name: '' }, ctx),
  ListVirtualMFADevices: (path, ctx) => mfaDeviceType.arn({ path, name: '' }, ctx),
  // AWS describes the policies of a path in words.
  ListPolicies: (path) => `policy path ${path}`,
};

/** Permission resources of operations whose input does not name them by a member of their type. */
const OTHERS: Readonly<Record<string, (input: Input, ctx: IamContext) => string>> = {
  // The request has no id before it exists.
  CreateDelegationRequest: (_input, ctx) => delegationRequestType.arn({ id: '*' }, ctx),
  CreateServiceLinkedRole: ({ AWSServiceName: service = '', CustomSuffix: suffix }, ctx) =>
    roleType.arn({ path: `/aws-service-role/${service}/`, name: serviceLinkedRoleName(service, suffix) ?? '*' }, ctx),
  GenerateOrganizationsAccessReport: ({ EntityPath: path = '' }, ctx) => accessReportType.arn({ path }, ctx),
  // `task/aws-service-role/<service>/<role>/<uuid>`
  GetServiceLinkedRoleDeletionStatus({ DeletionTaskId: task = '' }, ctx) {
    const [, path = '/aws-service-role/', name = '*'] = /^task(\/.+\/)([^/]+)\/[^/]+$/.exec(task) ?? [];
    return roleType.arn({ path, name }, ctx);
  },
};

/** Returns the target of an operation: a resource, or the text that stands for one in the permission. */
function targetOf(operation: string, input: Input, ctx: IamContext): NamedResource | string {
  const named = namedResource(resourceTypes, { ...input }, ctx, operation);
  if (named) return named;
  const { type, arn } = ctx.principal;
  if (ABOUT_CALLER.has(operation) && type === 'user')
    return namedResource([userType], { Arn: arn }, ctx, operation) ?? arn;
  if (input.AccessKeyId !== undefined) {
    const owner = ctx.credentials.get(input.AccessKeyId)?.principal.arn ?? '*';
    return namedResource([userType], { Arn: owner }, ctx, operation) ?? owner;
  }
  if (Object.hasOwn(LISTS, operation)) return LISTS[operation]!(input.PathPrefix ?? '/', ctx);
  return OTHERS[operation]?.(input, ctx) ?? '*';
}

/** Returns the ARN of the permissions boundary of a user or role; undefined if it has none. */
function boundaryOf({ type, address }: NamedResource, { users, roles }: IamState): string | undefined {
  if (type.name !== 'user' && type.name !== 'role') return undefined;
  const key = keyOf((address.key as { name: string }).name);
  return (type.name === 'user' ? users : roles).get(key)?.boundary;
}

const IAM_RESOURCE_TAG = 'iam:resourcetag/';

/**
 * Adds IAM's own condition keys to a permission.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html
 */
function withConditions(
  request: AuthorizationRequest,
  input: Input,
  boundary: () => string | undefined,
): AuthorizationRequest {
  return {
    ...request,
    condition(key): ContextValue | undefined {
      switch (key) {
        case 'iam:policyarn':
          return input.PolicyArn;
        case 'iam:permissionsboundary':
          // The new boundary, otherwise the existing one.
          return input.PermissionsBoundary ?? boundary();
        case 'iam:awsservicename':
          return input.AWSServiceName;
        default:
          return request.condition?.(
            key.startsWith(IAM_RESOURCE_TAG) ? `aws:resourcetag/${key.slice(IAM_RESOURCE_TAG.length)}` : key,
          );
      }
    },
  };
}

/**
 * Permissions of IAM's operations.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
 */
export const authorization: ServiceAuthorization<IamOperations, IamState> = {
  tagOnCreate: {
    CreateInstanceProfile: 'TagInstanceProfile',
    CreateOpenIDConnectProvider: 'TagOpenIDConnectProvider',
    CreatePolicy: 'TagPolicy',
    CreateRole: 'TagRole',
    CreateSAMLProvider: 'TagSAMLProvider',
    CreateUser: 'TagUser',
    CreateVirtualMFADevice: 'TagMFADevice',
    UploadServerCertificate: 'TagServerCertificate',
  },
  otherwise: (operation, value, ctx) => {
    const input = value as Input;
    const target = targetOf(operation, input, ctx);
    const needs = (name: string): AuthorizationRequest => {
      const action = `iam:${name}`;
      return typeof target === 'string'
        ? withConditions({ action, resource: target }, input, NONE)
        : withConditions(permissionOn(action, target.type, target.address, ctx.handle), input, () =>
            boundaryOf(target, ctx.state),
          );
    };
    const permissions = [needs(operation)];
    // Adding a role to an instance profile passes it to EC2.
    if (operation === 'AddRoleToInstanceProfile') {
      const role = roleType.identify({ RoleName: input.RoleName }, ctx)!;
      const passing = (key: string) => (key === 'iam:passedtoservice' ? servicePrincipalName('ec2') : undefined);
      permissions.push({ ...permissionOn('iam:PassRole', roleType, role, ctx.handle), condition: passing });
    }
    return permissions;
  },
};

const NONE = (): undefined => undefined;
