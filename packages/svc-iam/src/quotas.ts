import { type AnyQuota, defineQuotas, type NumberQuota } from '@emu/core/service';
import type { IamOperations } from '@emu/service-types/iam';
import { keyOf } from './entities/lookup.ts';
import type { PrincipalKind } from './entities/principals.ts';
import { quotaExceeded } from './errors.ts';
import { oidcProviderType, samlProviderType } from './resources.ts';
import type { IamState } from './state.ts';

type Quota = NumberQuota<IamOperations, IamState>;
type Grows = Quota['grows'];

const PAGE = 'https://docs.aws.amazon.com/general/latest/gr/iam-service.html';
const iam = (code: string, name: string, defaultValue: number, adjustable: boolean) =>
  ({ serviceCode: 'iam', code, name, defaultValue, adjustable, global: true, page: PAGE }) as const;

/** Returns a quota on a kind of resources per account, with its name in IAM's errors. */
const account = (
  facts: ReturnType<typeof iam>,
  called: string,
  usage: (state: IamState) => number,
  grows: Grows,
): Quota => ({ ...facts, usage, grows, error: (limit) => quotaExceeded(called, limit) });

/** Returns the quota on managed policies of a user, group or role. */
const attached = (facts: ReturnType<typeof iam>, called: string, grows: Grows): Quota => ({
  ...facts,
  grows,
  error: (limit) => quotaExceeded(called, limit),
});

/** Returns the number of policies with one more; undefined if it is already attached or the entity is unknown. */
function withPolicy(state: IamState, kind: PrincipalKind, name: string, arn: string): number | undefined {
  const principals = { user: state.users, group: state.groups, role: state.roles }[kind];
  const policies = principals.get(keyOf(name))?.attachedPolicies;
  return policies && !policies.includes(arn) ? policies.length + 1 : undefined;
}

export const USERS = account(
  iam('L-F55AF5E4', 'Users per account', 5000, false),
  'UsersPerAccount',
  ({ users }) => users.size,
  { CreateUser: ({ UserName: name }, { users }) => (users.has(keyOf(name)) ? undefined : users.size + 1) },
);
export const GROUPS = account(
  iam('L-F4A5425F', 'Groups per account', 300, true),
  'GroupsPerAccount',
  ({ groups }) => groups.size,
  { CreateGroup: ({ GroupName: name }, { groups }) => (groups.has(keyOf(name)) ? undefined : groups.size + 1) },
);
export const ROLES = account(
  iam('L-FE177D64', 'Roles per account', 1000, true),
  'RolesPerAccount',
  ({ roles }) => roles.size,
  { CreateRole: ({ RoleName: name }, { roles }) => (roles.has(keyOf(name)) ? undefined : roles.size + 1) },
);
export const INSTANCE_PROFILES = account(
  iam('L-6E65F664', 'Instance profiles per account', 1000, true),
  'InstanceProfilesPerAccount',
  ({ instanceProfiles }) => instanceProfiles.size,
  {
    CreateInstanceProfile: ({ InstanceProfileName: name }, { instanceProfiles }) =>
      instanceProfiles.has(keyOf(name)) ? undefined : instanceProfiles.size + 1,
  },
);
export const POLICIES = account(
  iam('L-E95E4862', 'Customer managed policies per account', 1500, true),
  'PoliciesPerAccount',
  ({ policies }) => policies.size,
  {
    CreatePolicy: ({ PolicyName: name }, { policies }) => (policies.has(keyOf(name)) ? undefined : policies.size + 1),
  },
);
export const SERVER_CERTIFICATES = account(
  iam('L-BF35879D', 'Server certificates per account', 20, true),
  'ServerCertificatesPerAccount',
  ({ serverCertificates }) => serverCertificates.size,
  {
    UploadServerCertificate: ({ ServerCertificateName: name }, { serverCertificates }) =>
      serverCertificates.has(keyOf(name)) ? undefined : serverCertificates.size + 1,
  },
);
const OIDC_PROVIDERS = account(
  iam('L-858F3967', 'OpenId connect providers per account', 100, true),
  'OpenIdConnectProvidersPerAccount',
  ({ oidcProviders }) => oidcProviders.size,
  {
    CreateOpenIDConnectProvider({ Url }, { oidcProviders }, place) {
      const arn = oidcProviderType.arn({ url: Url.replace(/^https:\/\//, '') }, place);
      return oidcProviders.has(arn) ? undefined : oidcProviders.size + 1;
    },
  },
);
const SAML_PROVIDERS = account(
  iam('L-DB618D39', 'SAML providers per account', 100, true),
  'SAMLProvidersPerAccount',
  ({ samlProviders }) => samlProviders.size,
  {
    CreateSAMLProvider: ({ Name: name }, { samlProviders }, place) =>
      samlProviders.has(samlProviderType.arn({ name }, place)) ? undefined : samlProviders.size + 1,
  },
);
export const POLICIES_PER_USER = attached(iam('L-4019AD8B', 'Managed policies per user', 10, true), 'PoliciesPerUser', {
  AttachUserPolicy: ({ UserName, PolicyArn }, state) => withPolicy(state, 'user', UserName, PolicyArn),
});
export const POLICIES_PER_GROUP = attached(
  iam('L-384571C4', 'Managed policies per group', 10, false),
  'PoliciesPerGroup',
  { AttachGroupPolicy: ({ GroupName, PolicyArn }, state) => withPolicy(state, 'group', GroupName, PolicyArn) },
);
export const POLICIES_PER_ROLE = attached(iam('L-0DA4ABF3', 'Managed policies per role', 10, true), 'PoliciesPerRole', {
  AttachRolePolicy: ({ RoleName, PolicyArn }, state) => withPolicy(state, 'role', RoleName, PolicyArn),
});

/** Enforceable quotas of IAM. */
export const quotas: readonly AnyQuota[] = defineQuotas<IamOperations, IamState>([
  USERS,
  GROUPS,
  ROLES,
  INSTANCE_PROFILES,
  POLICIES,
  SERVER_CERTIFICATES,
  OIDC_PROVIDERS,
  SAML_PROVIDERS,
  POLICIES_PER_USER,
  POLICIES_PER_GROUP,
  POLICIES_PER_ROLE,
]);
