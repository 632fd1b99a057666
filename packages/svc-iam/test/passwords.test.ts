import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACCOUNT, bodyOf, failureOf, type IamTest, startIam } from './support.ts';

let t: IamTest;
beforeEach(async () => {
  t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
});
afterEach(() => t[Symbol.asyncDispose]());

const UserName = 'jane';
const create = (Password: string, more = {}) => t.iam.createLoginProfile({ UserName, Password, ...more });

test('a password is set, changed and removed', async () => {
  const { LoginProfile } = await create('Secret-12345', { PasswordResetRequired: true });
  expect(LoginProfile).toEqual({ UserName, CreateDate: expect.any(Date), PasswordResetRequired: true });
  expect((await t.iam.getLoginProfile({ UserName })).LoginProfile).toEqual(LoginProfile);
  expect(await failureOf(create('Secret-12345'))).toBe(
    'EntityAlreadyExists: Login Profile for user jane already exists.',
  );
  await t.iam.updateLoginProfile({ UserName, PasswordResetRequired: false });
  expect((await t.iam.getLoginProfile({ UserName })).LoginProfile!.PasswordResetRequired).toBe(false);
  await t.iam.updateLoginProfile({ UserName, Password: 'Other-67890' });
  await t.iam.deleteLoginProfile({ UserName });
  const gone = 'NoSuchEntity: Login Profile for User jane cannot be found.';
  expect(await failureOf(t.iam.getLoginProfile({ UserName }))).toBe(gone);
  expect(await failureOf(t.iam.updateLoginProfile({ UserName, Password: 'Other-67890' }))).toBe(gone);
  expect(await failureOf(t.iam.deleteLoginProfile({ UserName }))).toBe(gone);
  expect(await failureOf(t.iam.createLoginProfile({ UserName }))).toContain('ValidationError');
  expect(await failureOf(t.iam.getLoginProfile({ UserName: 'x' }))).toContain('The user with name x cannot be found.');
});

test("AWS's default rules apply without a policy", async () => {
  expect(await failureOf(create('Sec-123'))).toBe(
    'PasswordPolicyViolation: Password should have a minimum length of 8',
  );
  expect(await failureOf(create('secret12345'))).toContain('PasswordPolicyViolation: ');
  await create('Secret12345');
});

test("the account's policy is set, read, enforced and removed", async () => {
  const none = `NoSuchEntity: The Password Policy with domain name ${ACCOUNT} cannot be found.`;
  expect(await failureOf(t.iam.getAccountPasswordPolicy({}))).toBe(none);
  await t.iam.updateAccountPasswordPolicy({
    MinimumPasswordLength: 10,
    RequireSymbols: true,
    RequireNumbers: true,
    RequireUppercaseCharacters: true,
    RequireLowercaseCharacters: true,
    MaxPasswordAge: 90,
    PasswordReusePrevention: 2,
  });
  expect((await t.iam.getAccountPasswordPolicy({})).PasswordPolicy).toEqual({
    MinimumPasswordLength: 10,
    RequireSymbols: true,
    RequireNumbers: true,
    RequireUppercaseCharacters: true,
    RequireLowercaseCharacters: true,
    AllowUsersToChangePassword: false,
    ExpirePasswords: true,
    MaxPasswordAge: 90,
    PasswordReusePrevention: 2,
  });
  for (const [password, message] of [
    ['Se-1', 'Password should have a minimum length of 10'],
    ['secret-12345', 'Password should have at least one uppercase letter'],
    ['SECRET-12345', 'Password should have at least one lowercase letter'],
    ['Secret-abcde', 'Password should have at least one number'],
    ['Secret012345', 'Password should have at least one symbol'],
  ] as const)
    expect(await failureOf(create(password))).toBe(`PasswordPolicyViolation: ${message}`);
  await create('Secret-00001');
  await t.iam.updateLoginProfile({ UserName, Password: 'Secret-00002' });
  for (const Password of ['Secret-00001', 'Secret-00002'])
    expect(await failureOf(t.iam.updateLoginProfile({ UserName, Password }))).toBe(
      'PasswordPolicyViolation: Policy constraint violation with password reuse prevention during password change.',
    );
  await t.iam.updateLoginProfile({ UserName, Password: 'Secret-00003' });
  await t.iam.updateLoginProfile({ UserName, Password: 'Secret-00001' });
  // Missing members are reset to their defaults.
  await t.iam.updateAccountPasswordPolicy({ AllowUsersToChangePassword: true });
  expect((await t.iam.getAccountPasswordPolicy({})).PasswordPolicy).toEqual({
    MinimumPasswordLength: 6,
    RequireSymbols: false,
    RequireNumbers: false,
    RequireUppercaseCharacters: false,
    RequireLowercaseCharacters: false,
    AllowUsersToChangePassword: true,
    ExpirePasswords: false,
  });
  await t.iam.deleteAccountPasswordPolicy({});
  expect(await failureOf(t.iam.getAccountPasswordPolicy({}))).toBe(none);
  expect(await failureOf(t.iam.deleteAccountPasswordPolicy({}))).toBe(
    'NoSuchEntity: The account policy with name PasswordPolicy cannot be found.',
  );
});

test('users change their own passwords', async () => {
  await t.iam.deleteUser({ UserName });
  const { iam } = await t.user(UserName);
  const change = (OldPassword: string, NewPassword: string) => iam.changePassword({ OldPassword, NewPassword });
  expect(await failureOf(change('a', 'Secret-12345'))).toContain('NoSuchEntity');
  await create('Secret-12345', { PasswordResetRequired: true });
  expect(await failureOf(change('Secret', 'Other-12345'))).toBe('AccessDenied: The old password was incorrect.');
  expect(await failureOf(change('Secret-12345', 'a'))).toContain('PasswordPolicyViolation');
  await change('Secret-12345', 'Other-12345');
  expect(bodyOf(await t.iam.getLoginProfile({ UserName })).LoginProfile!.PasswordResetRequired).toBe(false);
  await change('Other-12345', 'Third-12345');
  expect(await failureOf(t.iam.changePassword({ OldPassword: 'a', NewPassword: 'b' }))).toBe(
    'InvalidUserType: Only IAM Users can change their own password',
  );
});
