import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attributes,
  type CognitoTest,
  countedFailureOf,
  failureOf,
  type Made,
  PASSWORD,
  startCognito,
} from './support.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('users of administrators', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('are created, read, changed, disabled and deleted', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    const named = { UserPoolId, Username: 'Ada' };
    const { User } = await cognito.adminCreateUser({
      ...named,
      UserAttributes: attributes({ email: 'ada@example.com' }),
    });
    expect(User).toMatchObject({ Username: 'Ada', Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD' });
    expect(User!.Attributes).toEqual([
      { Name: 'sub', Value: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { Name: 'email', Value: 'ada@example.com' },
    ]);
    expect(await failureOf(cognito.adminCreateUser(named))).toBe(
      'UsernameExistsException: User account already exists',
    );
    await cognito.adminUpdateUserAttributes({
      ...named,
      UserAttributes: attributes({ name: 'Ada', email_verified: 'true' }),
    });
    await cognito.adminDeleteUserAttributes({ ...named, UserAttributeNames: ['name'] });
    await cognito.adminDisableUser(named);
    const found = await cognito.adminGetUser(named);
    expect(found).toMatchObject({ Username: 'Ada', Enabled: false });
    expect(found.UserAttributes!.map(({ Name }) => Name)).toEqual(['sub', 'email', 'email_verified']);
    await cognito.adminEnableUser(named);
    expect((await cognito.adminGetUser(named)).Enabled).toBe(true);
    await cognito.adminDeleteUser(named);
    expect(await failureOf(cognito.adminGetUser(named))).toBe('UserNotFoundException: User does not exist.');
  });

  it('accept attributes of the schema only', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    const failing = (values: Record<string, string>) =>
      failureOf(cognito.adminCreateUser({ UserPoolId, Username: 'x', UserAttributes: attributes(values) }));
    expect(await failing({ 'custom:none': '1' })).toMatch(/^InvalidParameterException: Attributes did not conform/);
    expect(await failing({ email: 'none' })).toBe('InvalidParameterException: Invalid email address format.');
    expect(await failing({ phone_number: '123' })).toBe('InvalidParameterException: Invalid phone number format.');
    expect(await failing({ birthdate: '1' })).toBe(
      'InvalidParameterException: Attributes did not conform to the schema: birthdate: String must be no shorter than 10 characters\n',
    );
    expect(await failureOf(cognito.adminGetUser({ UserPoolId, Username: 'x' }))).toMatch(/^UserNotFound/);
  });

  it('have names and aliases that differ in case, unless the pool ignores it', async () => {
    const { cognito } = test;
    const sensitive = await test.make({ AliasAttributes: ['email'] });
    expect((await cognito.describeUserPool(sensitive)).UserPool!.UsernameConfiguration).toBeUndefined();
    await test.user(sensitive, 'kim', { email: 'kim@example.com', email_verified: 'true' });
    await test.user(sensitive, 'KIM', { email: 'KIM@example.com', email_verified: 'true' });
    const nameOf = async ({ UserPoolId }: Made, Username: string) =>
      (await cognito.adminGetUser({ UserPoolId, Username })).Username;
    expect(await nameOf(sensitive, 'kim')).toBe('kim');
    expect(await nameOf(sensitive, 'KIM')).toBe('KIM');
    expect(await nameOf(sensitive, 'kim@example.com')).toBe('kim');
    expect(await nameOf(sensitive, 'KIM@example.com')).toBe('KIM');
    expect(await failureOf(nameOf(sensitive, 'Kim'))).toMatch(/^UserNotFoundException/);
    const ignoring = await test.make({ AliasAttributes: ['email'], UsernameConfiguration: { CaseSensitive: false } });
    await test.user(ignoring, 'kim', { email: 'kim@example.com', email_verified: 'true' });
    expect(await nameOf(ignoring, 'KIM')).toBe('kim');
    expect(await nameOf(ignoring, 'KIM@example.com')).toBe('kim');
    expect(await failureOf(test.user(ignoring, 'KIM'))).toMatch(/^UsernameExistsException/);
  });

  it('keep immutable attributes and the addresses of others', async () => {
    const { cognito } = test;
    const named = await test.make({
      UsernameAttributes: ['email'],
      Schema: [{ Name: 'tenant', AttributeDataType: 'String', Mutable: false }],
    });
    await test.user(named, 'one@example.com', { email_verified: 'True' });
    await test.user(named, 'two@example.com', { 'custom:tenant': 'a' });
    const change = (Username: string, values: Record<string, string>) =>
      cognito.adminUpdateUserAttributes({
        UserPoolId: named.UserPoolId,
        Username,
        UserAttributes: attributes(values),
      });
    const { UserAttributes } = await cognito.adminGetUser({ ...named, Username: 'one@example.com' });
    expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'true' });
    for (const Username of ['one@example.com', 'two@example.com'])
      expect(await failureOf(change(Username, { 'custom:tenant': 'b' }))).toBe(
        'InvalidParameterException: user.custom:tenant: Attribute cannot be updated.\n',
      );
    const taken = 'AliasExistsException: An account with the given email already exists.';
    expect(await failureOf(change('two@example.com', { email: 'one@example.com' }))).toBe(taken);
    const { AccessToken } = await test.signIn(named, 'two@example.com');
    const UserAttribute = attributes({ email: 'one@example.com' });
    expect(await failureOf(cognito.updateUserAttributes({ AccessToken, UserAttributes: UserAttribute }))).toBe(taken);
    await change('two@example.com', { email: 'three@example.com', name: 'Two' });
    expect((await test.signIn(named, 'three@example.com')).AccessToken).toBeTruthy();
    expect(await failureOf(change('one@example.com', { 'custom:none': '1' }))).toBe(
      'InvalidParameterException: user.custom:none: Attribute does not exist in the schema.\n',
    );
    expect(await failureOf(change('one@example.com', { birthdate: '1' }))).toBe(
      'InvalidParameterException: Invalid user attributes: birthdate: String must be no shorter than 10 characters\n',
    );
  });

  it('cannot recover their account where only administrators may', async () => {
    const { cognito } = test;
    const closed = await test.make({
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'admin_only', Priority: 1 }] },
    });
    await test.user(closed, 'pat', { email: 'pat@example.com', email_verified: 'true' });
    expect(await failureOf(cognito.forgotPassword({ ClientId: closed.ClientId, Username: 'pat' }))).toBe(
      'NotAuthorizedException: Contact administrator to reset password.',
    );
  });

  it('have passwords that conform to the policy, which can be changed and reset', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    await test.user(made, 'pat', { email: 'pat@example.com', email_verified: 'true' });
    const named = { UserPoolId, Username: 'pat' };
    for (const [Password, reason] of [
      ['Sh0rt!', 'not long enough'],
      ['passw0rd!', 'uppercase'],
      ['PASSW0RD!', 'lowercase'],
      ['Password!', 'numeric'],
      ['Passw0rdd', 'symbol'],
    ] as const)
      expect(await failureOf(cognito.adminSetUserPassword({ ...named, Password }))).toContain(reason);
    await cognito.adminResetUserPassword(named);
    expect((await cognito.adminGetUser(named)).UserStatus).toBe('RESET_REQUIRED');
    expect(await failureOf(test.signIn(made, 'pat'))).toBe(
      'PasswordResetRequiredException: Password reset required for the user',
    );
    const { code } = await test.code(made, 'pat');
    await cognito.confirmForgotPassword({
      ClientId: made.ClientId,
      Username: 'pat',
      ConfirmationCode: code,
      Password: PASSWORD,
    });
    expect((await test.signIn(made, 'pat')).AccessToken).toBeTruthy();
  });

  it('are listed in pages and found by searchable attributes', async () => {
    const { cognito } = test;
    const { UserPoolId } = await test.make();
    for (const name of ['a', 'b', 'c'])
      await cognito.adminCreateUser({
        UserPoolId,
        Username: name,
        MessageAction: 'SUPPRESS',
        UserAttributes: attributes({ email: `${name}@example.com`, name: `N ${name}` }),
      });
    const names = async (more: object) =>
      (await cognito.listUsers({ UserPoolId, ...more })).Users!.map(({ Username }) => Username);
    const first = await cognito.listUsers({ UserPoolId, Limit: 2 });
    expect(first.Users).toHaveLength(2);
    expect(await names({ Limit: 2, PaginationToken: first.PaginationToken })).toEqual(['c']);
    expect(await names({ Filter: 'email = "b@example.com"' })).toEqual(['b']);
    expect(await names({ Filter: 'name ^= "N "' })).toEqual(['a', 'b', 'c']);
    expect(await names({ Filter: 'cognito:user_status = "Force_Change_Password"' })).toHaveLength(3);
    expect(await names({ Filter: 'status = "Disabled"' })).toEqual([]);
    expect(await failureOf(names({ Filter: 'address = "x"' }))).toMatch(/^InvalidParameter/);
    expect(await failureOf(names({ AttributesToGet: ['email', 'custom:none'] }))).toBe(
      'InvalidParameterException: One or more requested attributes do not exist.',
    );
    const { Users } = await cognito.listUsers({ UserPoolId, AttributesToGet: ['email'], Limit: 1 });
    expect(Users![0]!.Attributes).toEqual([{ Name: 'email', Value: 'a@example.com' }]);
  });

  it('belong to groups', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    await test.user(made, 'gil');
    const GroupName = 'admins';
    const RoleArn = 'arn:aws:iam::000000000000:role/admin';
    await cognito.createGroup({ UserPoolId, GroupName, Precedence: 1, RoleArn });
    expect(await failureOf(cognito.createGroup({ UserPoolId, GroupName }))).toMatch(/^GroupExistsException/);
    await cognito.updateGroup({ UserPoolId, GroupName, Description: 'all' });
    expect((await cognito.getGroup({ UserPoolId, GroupName })).Group).toMatchObject({
      Description: 'all',
      Precedence: 1,
    });
    await cognito.adminAddUserToGroup({ UserPoolId, GroupName, Username: 'gil' });
    expect((await cognito.listUsersInGroup({ UserPoolId, GroupName })).Users).toMatchObject([{ Username: 'gil' }]);
    expect((await cognito.adminListGroupsForUser({ UserPoolId, Username: 'gil' })).Groups).toMatchObject([
      { GroupName },
    ]);
    expect((await cognito.listGroups({ UserPoolId })).Groups).toHaveLength(1);
    await cognito.adminRemoveUserFromGroup({ UserPoolId, GroupName, Username: 'gil' });
    expect((await cognito.listUsersInGroup({ UserPoolId, GroupName })).Users).toEqual([]);
    await cognito.adminAddUserToGroup({ UserPoolId, GroupName, Username: 'gil' });
    await cognito.deleteGroup({ UserPoolId, GroupName });
    expect((await cognito.adminListGroupsForUser({ UserPoolId, Username: 'gil' })).Groups).toEqual([]);
    expect(await failureOf(cognito.getGroup({ UserPoolId, GroupName }))).toBe(
      'ResourceNotFoundException: Group not found.',
    );
  });

  it('get temporary passwords that expire', async () => {
    const { cognito } = test;
    await cognito.adminCreateUser({ UserPoolId: made.UserPoolId, Username: 'tim', TemporaryPassword: PASSWORD });
    await test.advance(8 * DAY);
    expect(await failureOf(test.signIn(made, 'tim'))).toMatch(
      /^NotAuthorizedException: Temporary password has expired/,
    );
  });
});

describe('users who sign up', () => {
  let test: CognitoTest;
  beforeAll(async () => {
    test = await startCognito();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('confirm themselves with a code, and reset their password', async () => {
    const { cognito } = test;
    const made = await test.make({ AutoVerifiedAttributes: ['email'], AliasAttributes: ['email'] });
    const { ClientId, UserPoolId } = made;
    const answer = await cognito.signUp({
      ClientId,
      Username: 'sue',
      Password: PASSWORD,
      UserAttributes: attributes({ email: 'sue@example.com' }),
    });
    expect(answer).toMatchObject({
      UserConfirmed: false,
      CodeDeliveryDetails: { Destination: 's***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
    });
    expect(await failureOf(test.signIn(made, 'sue'))).toBe('UserNotConfirmedException: User is not confirmed.');
    expect(await failureOf(cognito.signUp({ ClientId, Username: 'sue', Password: PASSWORD }))).toBe(
      'UsernameExistsException: User already exists',
    );
    await cognito.resendConfirmationCode({ ClientId, Username: 'sue' });
    const { code } = await test.code(made, 'sue');
    const wrong = code === '000000' ? '111111' : '000000';
    expect(await countedFailureOf(cognito.confirmSignUp({ ClientId, Username: 'sue', ConfirmationCode: wrong }))).toBe(
      'CodeMismatchException: Invalid verification code provided, please try again.',
    );
    await cognito.confirmSignUp({ ClientId, Username: 'sue', ConfirmationCode: code });
    const user = await cognito.adminGetUser({ UserPoolId, Username: 'sue@example.com' });
    expect(user).toMatchObject({ UserStatus: 'CONFIRMED', Username: 'sue' });
    expect(user.UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'true' });
    expect(await failureOf(cognito.confirmSignUp({ ClientId, Username: 'sue', ConfirmationCode: code }))).toMatch(
      /Current status is CONFIRMED/,
    );
    await cognito.forgotPassword({ ClientId, Username: 'sue@example.com' });
    const forgotten = (await test.code(made, 'sue')).code;
    await test.advance(2 * 60 * 60 * 1000);
    const change = (ConfirmationCode: string) =>
      cognito.confirmForgotPassword({ ClientId, Username: 'sue', ConfirmationCode, Password: PASSWORD });
    expect(await failureOf(change(forgotten))).toMatch(/^ExpiredCodeException/);
    await cognito.forgotPassword({ ClientId, Username: 'sue' });
    await change((await test.code(made, 'sue')).code);
    // An alias belongs to one user.
    await cognito.signUp({
      ClientId,
      Username: 'sue2',
      Password: PASSWORD,
      UserAttributes: attributes({ email: 'sue@example.com' }),
    });
    const second = (await test.code(made, 'sue2')).code;
    expect(
      await countedFailureOf(cognito.confirmSignUp({ ClientId, Username: 'sue2', ConfirmationCode: second })),
    ).toBe('AliasExistsException: An account with the given email already exists.');
  });

  it('are named by their sub if addresses are user names', async () => {
    const { cognito } = test;
    const made = await test.make({
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
    });
    const { ClientId, UserPoolId } = made;
    expect(await failureOf(cognito.signUp({ ClientId, Username: 'bob', Password: PASSWORD }))).toBe(
      'InvalidParameterException: Username should be an email.',
    );
    const { UserSub } = await cognito.signUp({ ClientId, Username: 'Bob@example.com', Password: PASSWORD });
    expect(await failureOf(cognito.signUp({ ClientId, Username: 'bob@example.com', Password: PASSWORD }))).toMatch(
      /^UsernameExistsException/,
    );
    await cognito.adminConfirmSignUp({ UserPoolId, Username: UserSub! });
    expect((await cognito.adminGetUser({ UserPoolId, Username: 'bob@example.com' })).Username).toBe(UserSub);
    expect((await test.signIn(made, 'bob@example.com')).AccessToken).toBeTruthy();
  });

  it('are hidden if they do not exist and the client is configured so', async () => {
    const { cognito } = test;
    const hidden = await test.make({}, { PreventUserExistenceErrors: 'ENABLED' });
    const { ClientId } = hidden;
    expect(await failureOf(test.signIn(hidden, 'none'))).toBe(
      'NotAuthorizedException: Incorrect username or password.',
    );
    expect((await cognito.forgotPassword({ ClientId, Username: 'none' })).CodeDeliveryDetails).toBeDefined();
    const confirm = { ClientId, Username: 'none', ConfirmationCode: '123456', Password: PASSWORD };
    expect(await failureOf(cognito.confirmForgotPassword(confirm))).toMatch(/^ExpiredCodeException/);
    const open = await test.make();
    expect(await failureOf(test.signIn(open, 'none'))).toBe('UserNotFoundException: User does not exist.');
    const nobody = { ClientId: open.ClientId, Username: 'none' };
    for (const request of [
      cognito.forgotPassword(nobody),
      cognito.confirmForgotPassword({ ...confirm, ...nobody }),
      cognito.resendConfirmationCode(nobody),
      cognito.confirmSignUp({ ...nobody, ConfirmationCode: '123456' }),
    ])
      expect(await failureOf(request)).toBe('UserNotFoundException: Username/client id combination not found.');
  });

  it('are rejected if only administrators create users', async () => {
    const { ClientId } = await test.make({ AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } });
    expect(await failureOf(test.cognito.signUp({ ClientId, Username: 'x', Password: PASSWORD }))).toBe(
      'NotAuthorizedException: SignUp is not permitted for this user pool',
    );
  });
});
