import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACCOUNT, ADMIN, bodyOf, failureOf, type IamTest, policy, startIam, trust } from './support.ts';

let t: IamTest;
beforeEach(async () => {
  t = await startIam();
});
afterEach(() => t[Symbol.asyncDispose]());

test('an account has one alias, unique among accounts', async () => {
  expect(bodyOf(await t.iam.listAccountAliases({}))).toEqual({ AccountAliases: [], IsTruncated: false });
  await t.iam.createAccountAlias({ AccountAlias: 'first' });
  await t.iam.createAccountAlias({ AccountAlias: 'second' });
  expect((await t.iam.listAccountAliases({})).AccountAliases).toEqual(['second']);
  const other = t.client({ accessKeyId: '000000000001' });
  expect(await failureOf(t.iam.createAccountAlias({ AccountAlias: 'second' }))).toBe(
    'EntityAlreadyExists: The account alias second already exists.',
  );
  expect(await failureOf(other.createAccountAlias({ AccountAlias: 'second' }))).toBe(
    'EntityAlreadyExists: The account alias second already exists.',
  );
  expect(await failureOf(t.iam.deleteAccountAlias({ AccountAlias: 'first' }))).toContain('NoSuchEntity');
  await t.iam.deleteAccountAlias({ AccountAlias: 'second' });
  await other.createAccountAlias({ AccountAlias: 'second' });
  expect(await failureOf(t.iam.createAccountAlias({ AccountAlias: 'A b' }))).toContain('ValidationError');
});

test('the summary counts all resources', async () => {
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.createGroup({ GroupName: 'staff' });
  await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust() });
  await t.iam.createInstanceProfile({ InstanceProfileName: 'web' });
  const { Policy } = await t.iam.createPolicy({ PolicyName: 'p', PolicyDocument: policy() });
  await t.iam.createPolicyVersion({ PolicyArn: Policy!.Arn, PolicyDocument: policy() });
  await t.iam.setSecurityTokenServicePreferences({ GlobalEndpointTokenVersion: 'v2Token' });
  const { SummaryMap } = await t.iam.getAccountSummary({});
  expect(SummaryMap).toMatchObject({
    Users: 1,
    UsersQuota: 5000,
    Groups: 1,
    Roles: 1,
    InstanceProfiles: 1,
    Policies: 1,
    PolicyVersionsInUse: 2,
    VersionsPerPolicyQuota: 5,
    AccessKeysPerUserQuota: 2,
    AccountAccessKeysPresent: 0,
    GlobalEndpointTokenVersion: 2,
    AccountMFAEnabled: 0,
    Providers: 0,
  });
  expect(Object.keys(SummaryMap!)).toHaveLength(34);
});

test('lists all authorization details in pages', async () => {
  const { Policy } = await t.iam.createPolicy({ PolicyName: 'p', Description: 'd', PolicyDocument: policy() });
  await t.iam.createGroup({ GroupName: 'staff' });
  await t.iam.putGroupPolicy({ GroupName: 'staff', PolicyName: 'g', PolicyDocument: policy() });
  await t.iam.createUser({ UserName: 'jane', Tags: [{ Key: 'k', Value: 'v' }], PermissionsBoundary: ADMIN });
  await t.iam.addUserToGroup({ GroupName: 'staff', UserName: 'jane' });
  await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn: Policy!.Arn });
  await t.iam.putUserPolicy({ UserName: 'jane', PolicyName: 'u', PolicyDocument: policy() });
  await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust() });
  await t.iam.createInstanceProfile({ InstanceProfileName: 'web' });
  await t.iam.addRoleToInstanceProfile({ InstanceProfileName: 'web', RoleName: 'app' });
  const PolicyDocument = encodeURIComponent(policy()).replaceAll('*', '%2A');
  const all = bodyOf(await t.iam.getAccountAuthorizationDetails({}));
  expect(all).toMatchObject({
    UserDetailList: [
      {
        UserName: 'jane',
        Arn: `arn:aws:iam::${ACCOUNT}:user/jane`,
        GroupList: ['staff'],
        UserPolicyList: [{ PolicyName: 'u', PolicyDocument }],
        AttachedManagedPolicies: [{ PolicyName: 'p', PolicyArn: Policy!.Arn }],
        PermissionsBoundary: { PermissionsBoundaryArn: ADMIN },
        Tags: [{ Key: 'k', Value: 'v' }],
      },
    ],
    GroupDetailList: [
      { GroupName: 'staff', GroupPolicyList: [{ PolicyName: 'g', PolicyDocument }], AttachedManagedPolicies: [] },
    ],
    RoleDetailList: [
      {
        RoleName: 'app',
        InstanceProfileList: [{ InstanceProfileName: 'web', Roles: [{ RoleName: 'app' }] }],
        RolePolicyList: [],
        RoleLastUsed: {},
      },
    ],
    Policies: [
      {
        PolicyName: 'p',
        Description: 'd',
        AttachmentCount: 1,
        PolicyVersionList: [{ VersionId: 'v1', IsDefaultVersion: true, Document: PolicyDocument }],
      },
      { PolicyName: 'AdministratorAccess', PermissionsBoundaryUsageCount: 1 },
    ],
    IsTruncated: false,
  });
  const only = await t.iam.getAccountAuthorizationDetails({ Filter: ['Role', 'LocalManagedPolicy'] });
  expect([only.UserDetailList, only.GroupDetailList, only.RoleDetailList!.length, only.Policies!.length]).toEqual([
    [],
    [],
    1,
    1,
  ]);
  const found: number[] = [];
  let Marker: string | undefined;
  do {
    const page = await t.iam.getAccountAuthorizationDetails({ MaxItems: 1, Marker });
    found.push(
      page.UserDetailList!.length + page.GroupDetailList!.length + page.RoleDetailList!.length + page.Policies!.length,
    );
    Marker = page.Marker;
  } while (Marker !== undefined);
  expect(found).toEqual([1, 1, 1, 1, 1]);
});
