import type { OperationContext } from '@emu/core';
import type {
  CreateAccountAliasRequest,
  DeleteAccountAliasRequest,
  GetAccountSummaryResponse,
  ListAccountAliasesRequest,
  ListAccountAliasesResponse,
  SetSecurityTokenServicePreferencesRequest,
} from '@emu/service-types/iam';
import { keysOf } from '../credentials/access-keys.ts';
import { credentialCounts } from '../credentials/registered.ts';
import { alreadyExists, noSuchEntity } from '../errors.ts';
import { type Empty, NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import { QUOTAS } from '../quotas.ts';
import type { IamState } from '../state.ts';

type Ctx = OperationContext<IamState>;

/**
 * Names the account, in place of its name before. No two accounts have the same.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateAccountAlias.html
 */
export function CreateAccountAlias(input: CreateAccountAliasRequest, ctx: Ctx): Empty {
  const { AccountAlias: alias } = input;
  for (const { state } of ctx.handle.states())
    if (state.account.alias === alias) throw alreadyExists(`The account alias ${alias} already exists.`);
  ctx.state.updateAccount((draft) => {
    draft.alias = alias;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteAccountAlias.html */
export function DeleteAccountAlias({ AccountAlias: alias }: DeleteAccountAliasRequest, ctx: Ctx): Empty {
  if (ctx.state.account.alias !== alias) throw noSuchEntity(`The account alias ${alias} cannot be found.`);
  ctx.state.updateAccount((draft) => {
    delete draft.alias;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAccountAliases.html */
export function ListAccountAliases(input: ListAccountAliasesRequest, ctx: Ctx): ListAccountAliasesResponse {
  const { alias } = ctx.state.account;
  return paging
    .page('ListAccountAliases', input, alias === undefined ? [] : [alias], (one) => one)
    .list((item) => item);
}

/** What the tokens of the global endpoint of STS are like. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SetSecurityTokenServicePreferences.html */
export function SetSecurityTokenServicePreferences(input: SetSecurityTokenServicePreferencesRequest, ctx: Ctx): Empty {
  ctx.state.updateAccount((draft) => {
    draft.globalEndpointTokenVersion = input.GlobalEndpointTokenVersion;
  });
  return NOTHING;
}

/**
 * How much there is of everything, and how much there can be.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountSummary.html
 */
export function GetAccountSummary(_input: unknown, ctx: Ctx): GetAccountSummaryResponse {
  const { users, groups, roles, policies, instanceProfiles, account } = ctx.state;
  let versions = 0;
  for (const policy of policies.values()) versions += policy.versions.length;
  return {
    SummaryMap: {
      Users: users.size,
      UsersQuota: QUOTAS.users,
      Groups: groups.size,
      GroupsQuota: QUOTAS.groups,
      Roles: roles.size,
      RolesQuota: QUOTAS.roles,
      InstanceProfiles: instanceProfiles.size,
      InstanceProfilesQuota: QUOTAS.instanceProfiles,
      Policies: policies.size,
      PoliciesQuota: QUOTAS.policies,
      PolicyVersionsInUse: versions,
      PolicyVersionsInUseQuota: 10_000,
      VersionsPerPolicyQuota: QUOTAS.policyVersions,
      PolicySizeQuota: QUOTAS.managedPolicySize,
      UserPolicySizeQuota: QUOTAS.inlinePolicySize.user,
      GroupPolicySizeQuota: QUOTAS.inlinePolicySize.group,
      RolePolicySizeQuota: QUOTAS.inlinePolicySize.role,
      AssumeRolePolicySizeQuota: QUOTAS.trustPolicySize,
      AttachedPoliciesPerUserQuota: QUOTAS.attachedPolicies,
      AttachedPoliciesPerGroupQuota: QUOTAS.attachedPolicies,
      AttachedPoliciesPerRoleQuota: QUOTAS.attachedPolicies,
      GroupsPerUserQuota: QUOTAS.groupsPerUser,
      AccessKeysPerUserQuota: QUOTAS.accessKeysPerUser,
      SigningCertificatesPerUserQuota: QUOTAS.signingCertificatesPerUser,
      ServerCertificatesQuota: QUOTAS.serverCertificates,
      // A root user of AWS always has a password; its keys are those that IAM gave it.
      AccountPasswordPresent: 1,
      AccountAccessKeysPresent: keysOf(ctx.credentials, ctx.accountId, ctx.accountId).length ? 1 : 0,
      GlobalEndpointTokenVersion: account.globalEndpointTokenVersion === 'v2Token' ? 2 : 1,
      ...credentialCounts(ctx.state),
    },
  };
}
