import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACCOUNT, ADMIN, bodyOf, failureOf, type IamTest, policy, startIam } from './support.ts';

let t: IamTest;
beforeEach(async () => {
  t = await startIam();
});
afterEach(() => t[Symbol.asyncDispose]());

test('a group is created, found, listed and deleted', async () => {
  const { Group } = await t.iam.createGroup({ GroupName: 'staff', Path: '/a/' });
  expect(Group).toEqual({
    GroupName: 'staff',
    Path: '/a/',
    Arn: `arn:aws:iam::${ACCOUNT}:group/a/staff`,
    GroupId: expect.stringMatching(/^AGPA[A-Z2-7]{17}$/),
    CreateDate: expect.any(Date),
  });
  expect(bodyOf(await t.iam.getGroup({ GroupName: 'staff' }))).toEqual({ Group, Users: [], IsTruncated: false });
  expect((await t.iam.listGroups({})).Groups).toEqual([Group]);
  expect((await t.iam.listGroups({ PathPrefix: '/b/' })).Groups).toEqual([]);
  expect(await failureOf(t.iam.createGroup({ GroupName: 'STAFF' }))).toBe(
    'EntityAlreadyExists: Group with name STAFF already exists.',
  );
  await t.iam.deleteGroup({ GroupName: 'staff' });
  expect(await failureOf(t.iam.getGroup({ GroupName: 'staff' }))).toBe(
    'NoSuchEntity: The group with name staff cannot be found.',
  );
});

test('adding and removing users is idempotent', async () => {
  await t.iam.createGroup({ GroupName: 'staff' });
  await t.iam.createGroup({ GroupName: 'admins' });
  for (const UserName of ['a', 'b', 'c']) {
    await t.iam.createUser({ UserName });
    await t.iam.addUserToGroup({ GroupName: 'staff', UserName });
    await t.iam.addUserToGroup({ GroupName: 'staff', UserName });
  }
  await t.iam.addUserToGroup({ GroupName: 'admins', UserName: 'b' });
  const page = await t.iam.getGroup({ GroupName: 'staff', MaxItems: 2 });
  expect(page.Users!.map(({ UserName }) => UserName)).toEqual(['a', 'b']);
  const rest = await t.iam.getGroup({ GroupName: 'staff', Marker: page.Marker });
  expect(rest.Users!.map(({ UserName }) => UserName)).toEqual(['c']);
  const groups = async () =>
    (await t.iam.listGroupsForUser({ UserName: 'b' })).Groups!.map(({ GroupName }) => GroupName);
  expect(await groups()).toEqual(['admins', 'staff']);
  await t.iam.removeUserFromGroup({ GroupName: 'staff', UserName: 'b' });
  expect(await groups()).toEqual(['admins']);
  expect(await failureOf(t.iam.addUserToGroup({ GroupName: 'staff', UserName: 'x' }))).toBe(
    'NoSuchEntity: The user with name x cannot be found.',
  );
  expect(await failureOf(t.iam.removeUserFromGroup({ GroupName: 'x', UserName: 'b' }))).toBe(
    'NoSuchEntity: The group with name x cannot be found.',
  );
});

test('a user is in at most ten groups', async () => {
  await t.iam.createUser({ UserName: 'jane' });
  for (let i = 0; i < 11; i++) await t.iam.createGroup({ GroupName: `g${i}` });
  for (let i = 0; i < 10; i++) await t.iam.addUserToGroup({ GroupName: `g${i}`, UserName: 'jane' });
  expect(await failureOf(t.iam.addUserToGroup({ GroupName: 'g10', UserName: 'jane' }))).toBe(
    'LimitExceeded: Cannot exceed quota for GroupsPerUser: 10',
  );
});

test('a renamed group keeps its users', async () => {
  await t.iam.createGroup({ GroupName: 'staff' });
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.addUserToGroup({ GroupName: 'staff', UserName: 'jane' });
  await t.iam.updateGroup({ GroupName: 'staff', NewGroupName: 'people', NewPath: '/p/' });
  const { Group, Users } = await t.iam.getGroup({ GroupName: 'people' });
  expect(Group!.Arn).toBe(`arn:aws:iam::${ACCOUNT}:group/p/people`);
  expect(Users).toHaveLength(1);
  expect((await t.iam.listGroupsForUser({ UserName: 'jane' })).Groups![0]!.GroupName).toBe('people');
  expect(await failureOf(t.iam.getGroup({ GroupName: 'staff' }))).toContain('NoSuchEntity');
  await t.iam.createGroup({ GroupName: 'staff' });
  expect(await failureOf(t.iam.updateGroup({ GroupName: 'staff', NewGroupName: 'People' }))).toBe(
    'EntityAlreadyExists: Group with name People already exists.',
  );
});

test('a group can be deleted only when empty', async () => {
  const GroupName = 'staff';
  await t.iam.createGroup({ GroupName });
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.addUserToGroup({ GroupName, UserName: 'jane' });
  await t.iam.attachGroupPolicy({ GroupName, PolicyArn: ADMIN });
  await t.iam.putGroupPolicy({ GroupName, PolicyName: 'p', PolicyDocument: policy() });
  const refused = () => failureOf(t.iam.deleteGroup({ GroupName }));
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must remove users from group first.');
  await t.iam.removeUserFromGroup({ GroupName, UserName: 'jane' });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must detach all policies first.');
  await t.iam.detachGroupPolicy({ GroupName, PolicyArn: ADMIN });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must delete policies first.');
  await t.iam.deleteGroupPolicy({ GroupName, PolicyName: 'p' });
  await t.iam.deleteGroup({ GroupName });
});
