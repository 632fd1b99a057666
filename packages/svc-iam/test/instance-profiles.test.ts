import { expect, test } from 'vitest';
import { ACCOUNT, bodyOf, failureOf, startIam, trust } from './support.ts';

test('an instance profile has one role', async () => {
  await using t = await startIam();
  const InstanceProfileName = 'web';
  const { InstanceProfile } = await t.iam.createInstanceProfile({
    InstanceProfileName,
    Path: '/p/',
    Tags: [{ Key: 'k', Value: 'v' }],
  });
  expect(InstanceProfile).toEqual({
    InstanceProfileName,
    Path: '/p/',
    Arn: `arn:aws:iam::${ACCOUNT}:instance-profile/p/web`,
    InstanceProfileId: expect.stringMatching(/^AIPA[A-Z2-7]{17}$/),
    CreateDate: expect.any(Date),
    Roles: [],
    Tags: [{ Key: 'k', Value: 'v' }],
  });
  expect(await failureOf(t.iam.createInstanceProfile({ InstanceProfileName: 'WEB' }))).toBe(
    'EntityAlreadyExists: Instance Profile WEB already exists.',
  );
  for (const RoleName of ['a', 'b']) await t.iam.createRole({ RoleName, AssumeRolePolicyDocument: trust() });
  await t.iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName: 'a' });
  expect(await failureOf(t.iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName: 'b' }))).toBe(
    'LimitExceeded: Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1',
  );
  const found = (await t.iam.getInstanceProfile({ InstanceProfileName })).InstanceProfile!;
  expect(found.Roles!.map(({ RoleName }) => RoleName)).toEqual(['a']);
  const { Tags, ...listed } = found;
  expect(bodyOf(await t.iam.listInstanceProfilesForRole({ RoleName: 'a' }))).toEqual({
    InstanceProfiles: [listed],
    IsTruncated: false,
  });
  expect((await t.iam.listInstanceProfilesForRole({ RoleName: 'b' })).InstanceProfiles).toEqual([]);
  expect((await t.iam.listInstanceProfiles({ PathPrefix: '/p/' })).InstanceProfiles).toEqual([listed]);
  expect(await failureOf(t.iam.deleteInstanceProfile({ InstanceProfileName }))).toBe(
    'DeleteConflict: Cannot delete entity, must remove roles from instance profile first.',
  );
  expect(await failureOf(t.iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName: 'b' }))).toBe(
    'NoSuchEntity: The role with name b cannot be found.',
  );
  await t.iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName: 'a' });
  await t.iam.deleteInstanceProfile({ InstanceProfileName });
  expect(await failureOf(t.iam.getInstanceProfile({ InstanceProfileName }))).toBe(
    'NoSuchEntity: Instance Profile web cannot be found.',
  );
});
