import {
  type AuthorizationRequest,
  type ContextValue,
  type DeepReadonly,
  type OperationContext,
  type ServiceAuthorization,
  tagCondition,
  tagRecord,
} from '@emu/core';
import { arnOf, keyOf } from './entities/lookup.ts';
import type { IamOperations, Tag } from './generated/iam.ts';
import { findLocalPolicy } from './policies/managed.ts';
import type { IamState } from './state.ts';

type Ctx = OperationContext<IamState>;

/** Members of IAM's inputs that name what an operation is about, and those that condition keys are about. */
interface Input {
  AccessKeyId?: string;
  Arn?: string;
  AWSServiceName?: string;
  GroupName?: string;
  InstanceProfileName?: string;
  Name?: string;
  OpenIDConnectProviderArn?: string;
  Path?: string;
  PathPrefix?: string;
  PermissionsBoundary?: string;
  PolicyArn?: string;
  PolicyName?: string;
  PolicySourceArn?: string;
  RoleName?: string;
  SAMLProviderArn?: string;
  SerialNumber?: string;
  ServerCertificateName?: string;
  TagKeys?: string[];
  Tags?: Tag[];
  Url?: string;
  UserName?: string;
  VirtualMFADeviceName?: string;
}

/** Something with an ARN and, mostly, tags; users and roles may have a permissions boundary. */
type Entity = DeepReadonly<{ arn: string; tags?: Tag[]; boundary?: string }>;

/** What an operation is about. */
interface Resource {
  arn: string;
  entity?: Entity | undefined;
}

/** Operations about the calling user where they name none. */
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

/** What lists are of, as the resource of their permission has it. */
const LISTS: Readonly<Record<string, string>> = {
  ListGroups: 'group',
  ListInstanceProfiles: 'instance-profile',
  ListOpenIDConnectProviders: 'oidc-provider',
  ListRoles: 'role',
  ListSAMLProviders: 'saml-provider',
  ListServerCertificates: 'server-certificate',
  ListUsers: 'user',
  ListVirtualMFADevices: 'mfa',
};

type Finder = (name: string, input: Input, ctx: Ctx) => Resource;

/** Something by name: as it is, or as it would be under the path of the request. */
const named =
  (kind: string, find: (state: IamState, name: string) => Entity | undefined): Finder =>
  (name, { Path: path = '/' }, ctx) => {
    const entity = find(ctx.state, name);
    return { arn: entity?.arn ?? arnOf(ctx, `${kind}${path}${name}`), entity };
  };

const byArn: Finder = (arn) => ({ arn });

function deviceOf({ mfaDevices }: IamState, arn: string): Entity | undefined {
  const device = mfaDevices.get(arn);
  return device && { arn, tags: device.tags };
}

/** How members name resources, in the order in which they count where an operation has several. */
const FINDERS: readonly (readonly [keyof Input, Finder])[] = [
  ['InstanceProfileName', named('instance-profile', (state, name) => state.instanceProfiles.get(keyOf(name)))],
  ['GroupName', named('group', (state, name) => state.groups.get(keyOf(name)))],
  ['UserName', named('user', (state, name) => state.users.get(keyOf(name)))],
  ['RoleName', named('role', (state, name) => state.roles.get(keyOf(name)))],
  ['PolicyArn', (arn, _input, ctx) => ({ arn, entity: findLocalPolicy(ctx.state, arn) })],
  ['ServerCertificateName', named('server-certificate', (state, name) => state.serverCertificates.get(keyOf(name)))],
  ['OpenIDConnectProviderArn', (arn, _input, ctx) => ({ arn, entity: ctx.state.oidcProviders.get(arn) })],
  ['SAMLProviderArn', (arn, _input, ctx) => ({ arn, entity: ctx.state.samlProviders.get(arn) })],
  ['SerialNumber', (arn, _input, ctx) => ({ arn, entity: deviceOf(ctx.state, arn) })],
  ['PolicySourceArn', byArn],
  ['Arn', byArn],
  ['PolicyName', named('policy', () => undefined)],
  ['VirtualMFADeviceName', named('mfa', () => undefined)],
  ['Name', named('saml-provider', () => undefined)],
  ['Url', (url, _input, ctx) => ({ arn: arnOf(ctx, `oidc-provider/${url.replace(/^https:\/\//, '')}`) })],
];

function resourceOf(operation: string, input: Input, ctx: Ctx): Resource {
  for (const [member, find] of FINDERS) {
    const name = input[member];
    if (typeof name === 'string') return find(name, input, ctx);
  }
  const { type, arn } = ctx.principal;
  if (ABOUT_CALLER.has(operation) && type === 'user') return { arn };
  if (input.AccessKeyId !== undefined) return { arn: ctx.credentials.get(input.AccessKeyId)?.principal.arn ?? '*' };
  // AWS names the policies of a path in words.
  if (operation === 'ListPolicies') return { arn: `policy path ${input.PathPrefix ?? '/'}` };
  const kind = Object.hasOwn(LISTS, operation) ? LISTS[operation] : undefined;
  return { arn: kind === undefined ? '*' : arnOf(ctx, `${kind}${input.PathPrefix ?? '/'}`) };
}

const IAM_RESOURCE_TAG = 'iam:resourcetag/';

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html */
function conditionOf(input: Input, entity: Entity | undefined) {
  return (key: string): ContextValue | undefined => {
    switch (key) {
      case 'iam:policyarn':
        return input.PolicyArn;
      case 'iam:permissionsboundary':
        // What is to be the boundary, else the one that there is.
        return input.PermissionsBoundary ?? entity?.boundary;
      case 'iam:awsservicename':
        return input.AWSServiceName;
      default: {
        const tag = key.startsWith(IAM_RESOURCE_TAG) ? `aws:resourcetag/${key.slice(IAM_RESOURCE_TAG.length)}` : key;
        const resource = tagRecord(entity?.tags);
        return tagCondition(tag, { resource, request: tagRecord(input.Tags), keys: input.TagKeys });
      }
    }
  };
}

/** Things that are tagged as they are made, and the permission for it. */
const TAGS_ON_CREATION: Readonly<Record<string, string>> = {
  CreateInstanceProfile: 'TagInstanceProfile',
  CreateOpenIDConnectProvider: 'TagOpenIDConnectProvider',
  CreatePolicy: 'TagPolicy',
  CreateRole: 'TagRole',
  CreateSAMLProvider: 'TagSAMLProvider',
  CreateUser: 'TagUser',
  CreateVirtualMFADevice: 'TagMFADevice',
  UploadServerCertificate: 'TagServerCertificate',
};

/**
 * What the operations of IAM need.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
 */
export const authorization: ServiceAuthorization<IamOperations, IamState> = {
  otherwise: (operation, value, ctx) => {
    const input = value as Input;
    const { arn: resource, entity } = resourceOf(operation, input, ctx);
    const condition = conditionOf(input, entity);
    const needs = (action: string): AuthorizationRequest => ({ action: `iam:${action}`, resource, condition });
    const tagging = input.Tags?.length ? TAGS_ON_CREATION[operation] : undefined;
    const permissions = tagging === undefined ? [needs(operation)] : [needs(operation), needs(tagging)];
    // Whoever gives instances a role passes it to EC2.
    if (operation === 'AddRoleToInstanceProfile') {
      const role = resourceOf('PassRole', { RoleName: input.RoleName! }, ctx).arn;
      const passing = (key: string) => (key === 'iam:passedtoservice' ? 'ec2.amazonaws.com' : undefined);
      permissions.push({ action: 'iam:PassRole', resource: role, condition: passing });
    }
    return permissions;
  },
};
