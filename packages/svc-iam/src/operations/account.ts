import type { QuotaFacts } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { keysOf } from '../credentials/access-keys.ts';
import { credentialCounts } from '../credentials/registered.ts';
import { alreadyExists, noSuchEntity } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import {
  GROUPS,
  INSTANCE_PROFILES,
  POLICIES,
  POLICIES_PER_GROUP,
  POLICIES_PER_ROLE,
  POLICIES_PER_USER,
  ROLES,
  SERVER_CERTIFICATES,
  USERS,
} from '../quotas.ts';

/**
 * Sets the account alias, replacing the previous one. Aliases are unique among accounts.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateAccountAlias.html
 */
export function CreateAccountAlias(
  input: InputOf<'CreateAccountAlias'>,
  ctx: IamContext,
): OutputOf<'CreateAccountAlias'> {
  const { AccountAlias: alias } = input;
  for (const { state } of ctx.handle.states())
    if (state.account.alias === alias) throw alreadyExists(`The account alias ${alias} already exists.`);
  ctx.state.updateAccount((draft) => {
    draft.alias = alias;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteAccountAlias.html */
export function DeleteAccountAlias(
  { AccountAlias: alias }: InputOf<'DeleteAccountAlias'>,
  ctx: IamContext,
): OutputOf<'DeleteAccountAlias'> {
  if (ctx.state.account.alias !== alias) throw noSuchEntity(`The account alias ${alias} cannot be found.`);
  ctx.state.updateAccount((draft) => {
    delete draft.alias;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAccountAliases.html */
export function ListAccountAliases(
  input: InputOf<'ListAccountAliases'>,
  ctx: IamContext,
): OutputOf<'ListAccountAliases'> {
  const { alias } = ctx.state.account;
  return paging
    .page('ListAccountAliases', input, alias === undefined ? [] : [alias], (one) => one)
    .list((item) => item);
}

/**
 * Sets the token version of STS's global endpoint.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SetSecurityTokenServicePreferences.html
 */
export function SetSecurityTokenServicePreferences(
  input: InputOf<'SetSecurityTokenServicePreferences'>,
  ctx: IamContext,
): OutputOf<'SetSecurityTokenServicePreferences'> {
  ctx.state.updateAccount((draft) => {
    draft.globalEndpointTokenVersion = input.GlobalEndpointTokenVersion;
  });
  return NOTHING;
}

/**
 * Returns the number of resources of each kind, and the quotas.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountSummary.html
 */
export function GetAccountSummary(
  _input: InputOf<'GetAccountSummary'>,
  ctx: IamContext,
): OutputOf<'GetAccountSummary'> {
  const { users, groups, roles, policies, instanceProfiles, account } = ctx.state;
  const quotaOf = (quota: QuotaFacts) => ctx.handle.quotaValue(quota, ctx.accountId, ctx.region);
  let versions = 0;
  for (const policy of policies.values()) versions += policy.versions.length;
  return {
    SummaryMap: {
      Users: users.size,
      UsersQuota: quotaOf(USERS),
      Groups: groups.size,
      GroupsQuota: quotaOf(GROUPS),
      Roles: roles.size,
      RolesQuota: quotaOf(ROLES),
      InstanceProfiles: instanceProfiles.size,
      InstanceProfilesQuota: quotaOf(INSTANCE_PROFILES),
      Policies: policies.size,
      PoliciesQuota: quotaOf(POLICIES),
      PolicyVersionsInUse: versions,
      PolicyVersionsInUseQuota: 10_000,
      VersionsPerPolicyQuota: LIMITS.policyVersions,
      PolicySizeQuota: LIMITS.managedPolicySize,
      UserPolicySizeQuota: LIMITS.inlinePolicySize.user,
      GroupPolicySizeQuota: LIMITS.inlinePolicySize.group,
      RolePolicySizeQuota: LIMITS.inlinePolicySize.role,
      AssumeRolePolicySizeQuota: LIMITS.trustPolicySize,
      AttachedPoliciesPerUserQuota: quotaOf(POLICIES_PER_USER),
      AttachedPoliciesPerGroupQuota: quotaOf(POLICIES_PER_GROUP),
      AttachedPoliciesPerRoleQuota: quotaOf(POLICIES_PER_ROLE),
      GroupsPerUserQuota: LIMITS.groupsPerUser,
      AccessKeysPerUserQuota: LIMITS.accessKeysPerUser,
      SigningCertificatesPerUserQuota: LIMITS.signingCertificatesPerUser,
      ServerCertificatesQuota: quotaOf(SERVER_CERTIFICATES),
      // The root user in AWS always has a password; its keys are those that IAM issued.
      AccountPasswordPresent: 1,
      AccountAccessKeysPresent: keysOf(ctx.credentials, ctx.accountId, ctx.accountId).length ? 1 : 0,
      GlobalEndpointTokenVersion: account.globalEndpointTokenVersion === 'v2Token' ? 2 : 1,
      ...credentialCounts(ctx.state),
    },
  };
}
