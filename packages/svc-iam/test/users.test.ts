import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACCOUNT, ADMIN, bodyOf, failureOf, type IamTest, policy, startIam } from './support.ts';

let t: IamTest;
beforeEach(async () => {
  t = await startIam();
});
afterEach(() => t[Symbol.asyncDispose]());

test('a user is created, found, listed and deleted', async () => {
  const { User } = await t.iam.createUser({
    UserName: 'Jane',
    Path: '/team/a/',
    Tags: [{ Key: 'Team', Value: 'a' }],
    PermissionsBoundary: ADMIN,
  });
  expect(User).toEqual({
    UserName: 'Jane',
    Path: '/team/a/',
    Arn: `arn:aws:iam::${ACCOUNT}:user/team/a/Jane`,
    UserId: expect.stringMatching(/^AIDA[A-Z2-7]{17}$/),
    CreateDate: expect.any(Date),
    Tags: [{ Key: 'Team', Value: 'a' }],
    PermissionsBoundary: { PermissionsBoundaryType: 'Policy', PermissionsBoundaryArn: ADMIN },
  });
  expect(User!.CreateDate!.getTime() % 1000).toBe(0);
  expect((await t.iam.getUser({ UserName: 'Jane' })).User).toEqual(User);
  const { Tags, PermissionsBoundary, ...listed } = User!;
  expect(bodyOf(await t.iam.listUsers({}))).toEqual({ Users: [listed], IsTruncated: false });
  expect((await t.iam.listUsers({ PathPrefix: '/team/' })).Users).toHaveLength(1);
  expect((await t.iam.listUsers({ PathPrefix: '/other/' })).Users).toEqual([]);
  await t.iam.deleteUser({ UserName: 'Jane' });
  expect(await failureOf(t.iam.getUser({ UserName: 'Jane' }))).toBe(
    'NoSuchEntity: The user with name Jane cannot be found.',
  );
});

test('names are case-insensitively unique', async () => {
  await t.iam.createUser({ UserName: 'Jane' });
  expect(await failureOf(t.iam.createUser({ UserName: 'jane' }))).toBe(
    'EntityAlreadyExists: User with name jane already exists.',
  );
  expect(await failureOf(t.iam.getUser({ UserName: 'jane' }))).toBe(
    'NoSuchEntity: The user with name jane cannot be found.',
  );
});

test('validates names and paths', async () => {
  expect(await failureOf(t.iam.createUser({ UserName: 'a b' }))).toBe(
    'ValidationError: The specified value for userName is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-',
  );
  expect(await failureOf(t.iam.createUser({ UserName: 'x'.repeat(65) }))).toBe(
    "ValidationError: 1 validation error detected: Value at 'userName' failed to satisfy constraint: Member must have length less than or equal to 64",
  );
  expect(await failureOf(t.iam.createUser({ UserName: 'a', Path: 'team' }))).toBe(
    'ValidationError: The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.',
  );
  expect(await failureOf(t.iam.listUsers({ MaxItems: 1001 }))).toBe(
    "ValidationError: 1 validation error detected: Value at 'maxItems' failed to satisfy constraint: Member must have value less than or equal to 1000",
  );
});

test('pages remain valid after deletions', async () => {
  for (const UserName of ['c', 'a', 'B', 'd', 'e']) await t.iam.createUser({ UserName });
  const first = await t.iam.listUsers({ MaxItems: 2 });
  expect(first.Users!.map(({ UserName }) => UserName)).toEqual(['a', 'B']);
  expect(first.IsTruncated).toBe(true);
  await t.iam.deleteUser({ UserName: 'B' });
  const second = await t.iam.listUsers({ MaxItems: 2, Marker: first.Marker });
  expect(second.Users!.map(({ UserName }) => UserName)).toEqual(['c', 'd']);
  const third = await t.iam.listUsers({ Marker: second.Marker });
  expect(third.Users!.map(({ UserName }) => UserName)).toEqual(['e']);
  expect(third).toMatchObject({ IsTruncated: false });
  expect(third.Marker).toBeUndefined();
  // Rejects garbage and the marker of another operation.
  for (const Marker of ['nonsense', Buffer.from('after:a').toString('base64')])
    expect(await failureOf(t.iam.listUsers({ Marker }))).toBe('ValidationError: Invalid Marker.');
  expect(await failureOf(t.iam.listRoles({ Marker: first.Marker }))).toBe('ValidationError: Invalid Marker.');
});

test('GetUser without a name returns the caller', async () => {
  expect((await t.iam.getUser({})).User).toEqual({
    UserId: ACCOUNT,
    Arn: `arn:aws:iam::${ACCOUNT}:root`,
    CreateDate: expect.any(Date),
  });
  const jane = await t.user('jane');
  expect((await jane.iam.getUser({})).User!.UserName).toBe('jane');
});

test('a renamed user keeps its key, groups, password and policies', async () => {
  const jane = await t.user('jane');
  await t.iam.createGroup({ GroupName: 'staff' });
  await t.iam.addUserToGroup({ GroupName: 'staff', UserName: 'jane' });
  await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn: ADMIN });
  await t.iam.createLoginProfile({ UserName: 'jane', Password: 'Secret-12345' });
  await t.iam.createUser({ UserName: 'taken' });
  expect(await failureOf(t.iam.updateUser({ UserName: 'jane', NewUserName: 'Taken' }))).toBe(
    'EntityAlreadyExists: User with name Taken already exists.',
  );
  await t.iam.updateUser({ UserName: 'jane', NewUserName: 'joan', NewPath: '/staff/' });
  const { User } = await jane.iam.getUser({});
  expect(User).toMatchObject({ UserName: 'joan', Path: '/staff/', Arn: `arn:aws:iam::${ACCOUNT}:user/staff/joan` });
  expect((await t.iam.getGroup({ GroupName: 'staff' })).Users!.map(({ UserName }) => UserName)).toEqual(['joan']);
  expect((await t.iam.listAttachedUserPolicies({ UserName: 'joan' })).AttachedPolicies).toHaveLength(1);
  expect((await t.iam.getLoginProfile({ UserName: 'joan' })).LoginProfile!.UserName).toBe('joan');
  expect((await t.iam.listAccessKeys({ UserName: 'joan' })).AccessKeyMetadata![0]!.AccessKeyId).toBe(
    jane.credentials.accessKeyId,
  );
  expect(await failureOf(t.iam.getUser({ UserName: 'jane' }))).toContain('NoSuchEntity');
  // A change of case is a rename, too.
  await t.iam.updateUser({ UserName: 'joan', NewUserName: 'Joan' });
  expect((await jane.iam.getUser({})).User!.UserName).toBe('Joan');
});

test('a user can be deleted only without dependent resources', async () => {
  const UserName = 'jane';
  await t.user(UserName);
  await t.iam.createGroup({ GroupName: 'staff' });
  await t.iam.addUserToGroup({ GroupName: 'staff', UserName });
  await t.iam.attachUserPolicy({ UserName, PolicyArn: ADMIN });
  await t.iam.putUserPolicy({ UserName, PolicyName: 'p', PolicyDocument: policy() });
  await t.iam.createLoginProfile({ UserName, Password: 'Secret-12345' });
  const refused = () => failureOf(t.iam.deleteUser({ UserName }));
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must remove users from group first.');
  await t.iam.removeUserFromGroup({ GroupName: 'staff', UserName });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must detach all policies first.');
  await t.iam.detachUserPolicy({ UserName, PolicyArn: ADMIN });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must delete policies first.');
  await t.iam.deleteUserPolicy({ UserName, PolicyName: 'p' });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must delete login profile first.');
  await t.iam.deleteLoginProfile({ UserName });
  expect(await refused()).toBe('DeleteConflict: Cannot delete entity, must delete access keys first.');
  const { AccessKeyMetadata } = await t.iam.listAccessKeys({ UserName });
  await t.iam.deleteAccessKey({ UserName, AccessKeyId: AccessKeyMetadata![0]!.AccessKeyId });
  await t.iam.deleteUser({ UserName });
  expect((await t.iam.listUsers({})).Users).toEqual([]);
});

test('a permissions boundary is set and removed', async () => {
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.putUserPermissionsBoundary({ UserName: 'jane', PermissionsBoundary: ADMIN });
  const { Policy } = await t.iam.getPolicy({ PolicyArn: ADMIN });
  expect(Policy).toMatchObject({ AttachmentCount: 0, PermissionsBoundaryUsageCount: 1 });
  await t.iam.deleteUserPermissionsBoundary({ UserName: 'jane' });
  expect((await t.iam.getUser({ UserName: 'jane' })).User!.PermissionsBoundary).toBeUndefined();
});

test('all regions share users, and accounts do not', async () => {
  await t.iam.createUser({ UserName: 'jane' });
  expect((await t.client({ region: 'us-west-2' }).listUsers({})).Users).toHaveLength(1);
  expect((await t.client({ accessKeyId: '000000000001' }).listUsers({})).Users).toEqual([]);
  const china = t.client({ region: 'cn-north-1', accessKeyId: '000000000002' });
  expect((await china.createUser({ UserName: 'mei' })).User!.Arn).toBe('arn:aws-cn:iam::000000000002:user/mei');
});
