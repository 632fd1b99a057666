import { enforceQuota } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { ADMIN, failureOf, type IamTest, policy, startIam, trust } from './support.ts';

const REFUSED = 'Cannot exceed quota for';

/** Account quotas: the quota, its name in IAM's errors, and the creation of a resource. */
const ACCOUNT_QUOTAS: [quota: string, called: string, make: (t: IamTest, name: string) => Promise<unknown>][] = [
  ['iam/L-F55AF5E4', 'UsersPerAccount', (t, UserName) => t.iam.createUser({ UserName })],
  ['iam/L-F4A5425F', 'GroupsPerAccount', (t, GroupName) => t.iam.createGroup({ GroupName })],
  [
    'iam/L-FE177D64',
    'RolesPerAccount',
    (t, RoleName) => t.iam.createRole({ RoleName, AssumeRolePolicyDocument: trust() }),
  ],
  [
    'iam/L-6E65F664',
    'InstanceProfilesPerAccount',
    (t, InstanceProfileName) => t.iam.createInstanceProfile({ InstanceProfileName }),
  ],
  [
    'iam/L-E95E4862',
    'PoliciesPerAccount',
    (t, PolicyName) => t.iam.createPolicy({ PolicyName, PolicyDocument: policy() }),
  ],
  [
    'iam/L-858F3967',
    'OpenIdConnectProvidersPerAccount',
    (t, name) => t.iam.createOpenIDConnectProvider({ Url: `https://${name}.example` }),
  ],
];

describe('account quotas', () => {
  test.each(ACCOUNT_QUOTAS)('%s: %s', async (quota, called, make) => {
    await using t = await startIam();
    await make(t, 'one');
    await make(t, 'two');
    await enforceQuota(t.emulator, quota, 2);
    expect(await failureOf(make(t, 'three'))).toBe(`LimitExceeded: ${REFUSED} ${called}: 2`);
    // An existing name is reported before the exceeded quota.
    expect(await failureOf(make(t, 'two'))).toContain('EntityAlreadyExists: ');
    const state = await t.emulator.kernel.quotas.find(...(quota.split('/') as [string, string]));
    expect(t.emulator.kernel.quotas.state(state!, '123456789012', 'us-east-1')).toMatchObject({
      appliedValue: 2,
      usage: 2,
      enforced: true,
    });
  });

  test('are in the account summary with the applied value', async () => {
    await using t = await startIam();
    await enforceQuota(t.emulator, 'iam/L-FE177D64', 5000);
    expect((await t.iam.getAccountSummary({})).SummaryMap).toMatchObject({ RolesQuota: 5000, UsersQuota: 5000 });
  });
});

test.each([
  [
    'iam/L-4019AD8B',
    'PoliciesPerUser',
    (t: IamTest, PolicyArn: string) => t.iam.attachUserPolicy({ UserName: 'a', PolicyArn }),
  ],
  [
    'iam/L-384571C4',
    'PoliciesPerGroup',
    (t: IamTest, PolicyArn: string) => t.iam.attachGroupPolicy({ GroupName: 'a', PolicyArn }),
  ],
] as const)('attached policies: %s', async (quota, called, attach) => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'a' });
  await t.iam.createGroup({ GroupName: 'a' });
  await enforceQuota(t.emulator, quota, 1);
  await attach(t, ADMIN);
  await attach(t, ADMIN);
  expect(await failureOf(attach(t, 'arn:aws:iam::aws:policy/ReadOnlyAccess'))).toBe(
    `LimitExceeded: ${REFUSED} ${called}: 1`,
  );
});
