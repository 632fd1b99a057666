import { createHmac } from 'node:crypto';
import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js';
import { JwtRsaVerifier } from 'aws-jwt-verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attributes,
  type CognitoTest,
  claimsOf,
  countedFailureOf,
  failureOf,
  type Made,
  PASSWORD,
  startCognito,
  totp,
} from './support.ts';

const HOUR = 60 * 60 * 1000;

describe('sign-in', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make();
    await test.user(made, 'jane', { email: 'jane@example.com' });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('by password returns tokens that aws-jwt-verify accepts', async () => {
    const tokens = await test.signIn(made);
    const { UserPoolId, ClientId } = made;
    const issuer = `https://cognito-idp.us-east-1.amazonaws.com/${UserPoolId}`;
    const response = await test.emulator.gateway.fetch(
      new Request(`http://localhost:4566/${UserPoolId}/.well-known/jwks.json`),
    );
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const verifier = JwtRsaVerifier.create({ issuer, audience: null, jwksUri: 'https://localhost/jwks.json' });
    verifier.cacheJwks((await response.json()) as Parameters<typeof verifier.cacheJwks>[0]);
    const graceSeconds = Number.MAX_SAFE_INTEGER / 2000;
    const access = await verifier.verify(tokens.AccessToken, { graceSeconds });
    expect(access).toMatchObject({
      client_id: ClientId,
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      username: 'jane',
      iss: issuer,
    });
    const id = await verifier.verify(tokens.IdToken, { graceSeconds });
    expect(id).toMatchObject({ aud: ClientId, token_use: 'id', 'cognito:username': 'jane', email: 'jane@example.com' });
    expect(id.client_id).toBeUndefined();
    expect(access.aud).toBeUndefined();
    expect(access.origin_jti).toBe(id.origin_jti);
    expect(Number(access.exp) - Number(access.iat)).toBe(3600);
  });

  it("allows users' tokens to call user operations", async () => {
    const { cognito } = test;
    const { AccessToken, IdToken } = await test.signIn(made);
    const { Username, UserAttributes } = await cognito.getUser({ AccessToken });
    expect(Username).toBe('jane');
    expect(UserAttributes).toContainEqual({ Name: 'email', Value: 'jane@example.com' });
    expect(await failureOf(cognito.getUser({ AccessToken: IdToken }))).toBe(
      'NotAuthorizedException: Invalid Access Token',
    );
    const [head, body] = AccessToken.split('.');
    expect(await failureOf(cognito.getUser({ AccessToken: `${head}.${body}.AAAA` }))).toMatch(/Invalid Access Token/);
    await cognito.updateUserAttributes({
      AccessToken,
      UserAttributes: attributes({ nickname: 'J', email: 'j@example.com' }),
    });
    await cognito.getUserAttributeVerificationCode({ AccessToken, AttributeName: 'email' });
    const { code, destination } = await test.code(made, 'jane');
    expect(destination).toBe('j@example.com');
    await cognito.verifyUserAttribute({ AccessToken, AttributeName: 'email', Code: code });
    await cognito.deleteUserAttributes({ AccessToken, UserAttributeNames: ['nickname'] });
    const names = (await cognito.getUser({ AccessToken })).UserAttributes!.map(({ Name }) => Name);
    expect(names).toEqual(['sub', 'email', 'email_verified']);
    await cognito.changePassword({ AccessToken, PreviousPassword: PASSWORD, ProposedPassword: `${PASSWORD}2` });
    expect(await countedFailureOf(test.signIn(made))).toBe('NotAuthorizedException: Incorrect username or password.');
    await cognito.changePassword({ AccessToken, PreviousPassword: `${PASSWORD}2`, ProposedPassword: PASSWORD });
    expect(await cognito.getUserAuthFactors({ AccessToken })).toMatchObject({
      Username: 'jane',
      ConfiguredUserAuthFactors: ['PASSWORD'],
    });
    await test.advance(HOUR);
    expect(await failureOf(cognito.getUser({ AccessToken }))).toBe('NotAuthorizedException: Access Token has expired');
  });

  it('ends by sign-out, revocation and expiry', async () => {
    const { cognito } = test;
    const { ClientId, UserPoolId } = made;
    const refresh = (REFRESH_TOKEN: string) =>
      cognito.initiateAuth({ ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN } });
    const first = await test.signIn(made);
    const { AuthenticationResult } = await refresh(first.RefreshToken);
    expect(AuthenticationResult!.RefreshToken).toBeUndefined();
    expect(claimsOf(AuthenticationResult!.AccessToken!).origin_jti).toBe(claimsOf(first.AccessToken).origin_jti);
    await cognito.revokeToken({ ClientId, Token: first.RefreshToken });
    expect(await failureOf(refresh(first.RefreshToken))).toBe('NotAuthorizedException: Refresh Token has been revoked');
    expect(await failureOf(cognito.getUser({ AccessToken: first.AccessToken }))).toMatch(
      /Access Token has been revoked/,
    );
    expect(await failureOf(cognito.revokeToken({ ClientId, Token: first.AccessToken }))).toMatch(
      /^UnsupportedTokenType/,
    );
    const second = await test.signIn(made);
    await cognito.globalSignOut({ AccessToken: second.AccessToken });
    expect(await failureOf(refresh(second.RefreshToken))).toMatch(/^NotAuthorized/);
    const third = await test.signIn(made);
    await cognito.adminUserGlobalSignOut({ UserPoolId, Username: 'jane' });
    expect(await failureOf(cognito.getUser({ AccessToken: third.AccessToken }))).toMatch(/^NotAuthorized/);
    const fourth = await test.signIn(made);
    await test.advance(31 * 24 * HOUR);
    expect(await failureOf(refresh(fourth.RefreshToken))).toMatch(/^NotAuthorized/);
    expect(await failureOf(refresh('garbage'))).toBe('NotAuthorizedException: Invalid Refresh Token.');
  });

  it('rotates refresh tokens', async () => {
    const { cognito } = test;
    const rotating = await test.make({}, { RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 } });
    await test.user(rotating);
    const { ClientId } = rotating;
    const { RefreshToken } = await test.signIn(rotating);
    const next = (await cognito.getTokensFromRefreshToken({ ClientId, RefreshToken })).AuthenticationResult!
      .RefreshToken!;
    expect(next).not.toBe(RefreshToken);
    await cognito.getTokensFromRefreshToken({ ClientId, RefreshToken: next });
    await test.advance(11_000);
    expect(await failureOf(cognito.getTokensFromRefreshToken({ ClientId, RefreshToken: next }))).toMatch(
      /^RefreshTokenReuse/,
    );
    const flow = { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH' as const, AuthParameters: { REFRESH_TOKEN: next } };
    expect(await failureOf(cognito.initiateAuth(flow))).toMatch(/rotation/);
  });

  it('requires the secret hash for clients with a secret', async () => {
    const { cognito } = test;
    const secret = await test.make({}, { GenerateSecret: true });
    await test.user(secret);
    const { UserPoolClient } = await cognito.describeUserPoolClient(secret);
    const sign = (SECRET_HASH?: string) =>
      cognito.initiateAuth({
        ClientId: secret.ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'jane', PASSWORD, ...(SECRET_HASH && { SECRET_HASH }) },
      });
    expect(await failureOf(sign())).toMatch(/is configured with secret but SECRET_HASH was not received/);
    expect(await failureOf(sign('AAAA'))).toBe(
      `NotAuthorizedException: Unable to verify secret hash for client ${secret.ClientId}`,
    );
    const hash = createHmac('sha256', UserPoolClient!.ClientSecret!).update(`jane${secret.ClientId}`).digest('base64');
    expect((await sign(hash)).AuthenticationResult).toBeDefined();
  });

  it('is locked temporarily after wrong passwords', async () => {
    await test.user(made, 'lou');
    const wrong = () =>
      test.cognito.adminInitiateAuth({
        ...made,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'lou', PASSWORD: 'Wr0ng!!!!' },
      });
    for (let times = 0; times < 5; times++)
      expect(await countedFailureOf(wrong())).toMatch(/Incorrect username or password/);
    expect(await failureOf(test.signIn(made, 'lou'))).toBe('NotAuthorizedException: Password attempts exceeded');
    await test.advance(1001);
    expect((await test.signIn(made, 'lou')).AccessToken).toBeTruthy();
  });

  it('requires a new password', async () => {
    const { cognito } = test;
    const { UserPoolId, ClientId } = made;
    await cognito.adminCreateUser({ UserPoolId, Username: 'new', TemporaryPassword: PASSWORD });
    const asked = await cognito.adminInitiateAuth({
      UserPoolId,
      ClientId,
      AuthFlow: 'ADMIN_NO_SRP_AUTH',
      AuthParameters: { USERNAME: 'new', PASSWORD },
    });
    expect(asked).toMatchObject({
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      ChallengeParameters: { USER_ID_FOR_SRP: 'new', requiredAttributes: '[]', userAttributes: '{}' },
    });
    const answer = {
      UserPoolId,
      ClientId,
      ChallengeName: 'NEW_PASSWORD_REQUIRED' as const,
      Session: asked.Session!,
      ChallengeResponses: { USERNAME: 'new', NEW_PASSWORD: `${PASSWORD}3` },
    };
    const { AuthenticationResult } = await cognito.adminRespondToAuthChallenge(answer);
    expect(AuthenticationResult!.AccessToken).toBeTruthy();
    expect(await failureOf(cognito.adminRespondToAuthChallenge(answer))).toMatch(/Invalid session for the user/);
    expect((await cognito.adminGetUser({ UserPoolId, Username: 'new' })).UserStatus).toBe('CONFIRMED');
  });

  it('requires missing required attributes', async () => {
    const { cognito } = test;
    const { UserPoolId, ClientId } = await test.make({
      Schema: [{ Name: 'name', AttributeDataType: 'String', Required: true }],
    });
    await cognito.adminCreateUser({ UserPoolId, Username: 'new', TemporaryPassword: PASSWORD });
    const begun = () =>
      cognito.initiateAuth({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'new', PASSWORD } });
    const { Session, ChallengeParameters } = await begun();
    expect(ChallengeParameters!.requiredAttributes).toBe('["userAttributes.name"]');
    const answer = (more: Record<string, string>) =>
      cognito.respondToAuthChallenge({
        ClientId,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session,
        ChallengeResponses: { USERNAME: 'new', NEW_PASSWORD: `${PASSWORD}4`, ...more },
      });
    expect(await failureOf(answer({}))).toBe('InvalidParameterException: Invalid attributes given, name is missing');
    expect((await answer({ 'userAttributes.name': 'N' })).AuthenticationResult).toBeDefined();
    expect(await failureOf(cognito.signUp({ ClientId, Username: 'x', Password: PASSWORD }))).toMatch(/is required/);
  });

  it('sets up and requires a software token', async () => {
    const { cognito } = test;
    const strict = await test.make();
    const { UserPoolId, ClientId } = strict;
    await test.user(strict);
    await cognito.setUserPoolMfaConfig({
      UserPoolId,
      MfaConfiguration: 'ON',
      SoftwareTokenMfaConfiguration: { Enabled: true },
    });
    const begin = () =>
      cognito.initiateAuth({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'jane', PASSWORD },
      });
    const setUp = await begin();
    expect(setUp).toMatchObject({
      ChallengeName: 'MFA_SETUP',
      ChallengeParameters: { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' },
    });
    const { SecretCode, Session } = await cognito.associateSoftwareToken({ Session: setUp.Session });
    const now = () => test.emulator.kernel.clock.now();
    expect(await failureOf(cognito.verifySoftwareToken({ Session, UserCode: '000000' }))).toMatch(
      /^EnableSoftwareTokenMFA/,
    );
    const verified = await cognito.verifySoftwareToken({
      Session,
      UserCode: totp(SecretCode!, now()),
      FriendlyDeviceName: 'phone',
    });
    expect(verified.Status).toBe('SUCCESS');
    const done = await cognito.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'MFA_SETUP',
      Session: verified.Session,
      ChallengeResponses: { USERNAME: 'jane' },
    });
    expect(done.AuthenticationResult!.AccessToken).toBeTruthy();
    const asked = await begin();
    expect(asked).toMatchObject({
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      ChallengeParameters: { FRIENDLY_DEVICE_NAME: 'phone' },
    });
    const code = totp(SecretCode!, now());
    const answer = (SOFTWARE_TOKEN_MFA_CODE: string, session = asked.Session) =>
      cognito.respondToAuthChallenge({
        ClientId,
        ChallengeName: 'SOFTWARE_TOKEN_MFA',
        Session: session,
        ChallengeResponses: { USERNAME: 'jane', SOFTWARE_TOKEN_MFA_CODE },
      });
    expect(await countedFailureOf(answer('000000'))).toMatch(/^CodeMismatchException/);
    const { AccessToken } = (await answer(code)).AuthenticationResult!;
    expect(await cognito.getUser({ AccessToken })).toMatchObject({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] });
    // A code is valid once.
    expect(await countedFailureOf(answer(code, (await begin()).Session))).toMatch(/^CodeMismatchException/);
  });

  it('requires codes sent by SMS and e-mail', async () => {
    const { cognito } = test;
    const SmsConfiguration = { SnsCallerArn: 'arn:aws:iam::000000000000:role/sms' };
    const factors = await test.make();
    const { UserPoolId, ClientId } = factors;
    await test.user(factors, 'jane', {
      phone_number: '+15555550123',
      email: 'jane@example.com',
      email_verified: 'true',
    });
    await cognito.setUserPoolMfaConfig({
      UserPoolId,
      MfaConfiguration: 'OPTIONAL',
      SmsMfaConfiguration: { SmsConfiguration },
      EmailMfaConfiguration: {},
    });
    await cognito.adminSetUserMFAPreference({
      UserPoolId,
      Username: 'jane',
      SMSMfaSettings: { Enabled: true },
      EmailMfaSettings: { Enabled: true },
    });
    const begun = await cognito.initiateAuth({
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'jane', PASSWORD },
    });
    expect(begun).toMatchObject({
      ChallengeName: 'SELECT_MFA_TYPE',
      ChallengeParameters: { MFAS_CAN_CHOOSE: '["SMS_MFA","EMAIL_OTP"]' },
    });
    const asked = await cognito.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'SELECT_MFA_TYPE',
      Session: begun.Session,
      ChallengeResponses: { USERNAME: 'jane', ANSWER: 'SMS_MFA' },
    });
    expect(asked).toMatchObject({
      ChallengeName: 'SMS_MFA',
      ChallengeParameters: { CODE_DELIVERY_DESTINATION: '+*******0123', CODE_DELIVERY_DELIVERY_MEDIUM: 'SMS' },
    });
    const { json } = await test.emulator.control('GET', '/_emulator/cognito/confirmation-codes');
    const { code } = (json as { codes: { code: string; destination: string }[] }).codes.at(-1)!;
    const done = await cognito.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'SMS_MFA',
      Session: asked.Session,
      ChallengeResponses: { USERNAME: 'jane', SMS_MFA_CODE: code },
    });
    expect(done.AuthenticationResult).toBeDefined();
  });

  it('lets users choose their first factor', async () => {
    const { cognito } = test;
    const choice = await test.make({
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP'] } },
    });
    await test.user(choice, 'jane', { email: 'jane@example.com', email_verified: 'true' });
    const { ClientId } = choice;
    const begun = await cognito.initiateAuth({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME: 'jane' } });
    expect(begun).toMatchObject({
      ChallengeName: 'SELECT_CHALLENGE',
      AvailableChallenges: ['EMAIL_OTP', 'PASSWORD', 'PASSWORD_SRP'],
    });
    const done = await cognito.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'SELECT_CHALLENGE',
      Session: begun.Session,
      ChallengeResponses: { USERNAME: 'jane', ANSWER: 'PASSWORD', PASSWORD },
    });
    expect(done.AuthenticationResult).toBeDefined();
    const asked = await cognito.initiateAuth({
      ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: 'jane', PREFERRED_CHALLENGE: 'EMAIL_OTP' },
    });
    expect(asked.ChallengeName).toBe('EMAIL_OTP');
    const wrong = { USERNAME: 'jane', EMAIL_OTP_CODE: '1' };
    const answer = { ClientId, ChallengeName: 'EMAIL_OTP' as const, Session: asked.Session, ChallengeResponses: wrong };
    expect(await countedFailureOf(cognito.respondToAuthChallenge(answer))).toMatch(/^CodeMismatchException/);
  });

  it('requires an allowed flow with its parameters', async () => {
    const { cognito } = test;
    const { ClientId } = await test.make({}, { ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'] });
    const begin = (
      AuthFlow: 'USER_PASSWORD_AUTH' | 'ADMIN_USER_PASSWORD_AUTH' | 'USER_SRP_AUTH',
      AuthParameters = {},
    ) => failureOf(cognito.initiateAuth({ ClientId, AuthFlow, AuthParameters }));
    expect(await begin('USER_PASSWORD_AUTH')).toBe(
      'InvalidParameterException: USER_PASSWORD_AUTH flow not enabled for this client',
    );
    expect(await begin('ADMIN_USER_PASSWORD_AUTH')).toBe(
      'InvalidParameterException: Initiate Auth method not supported.',
    );
    const asAdministrator = await test.make();
    expect(
      await failureOf(
        cognito.adminInitiateAuth({
          ...asAdministrator,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: 'jane', PASSWORD },
        }),
      ),
    ).toBe('InvalidParameterException: Initiate Auth method not supported.');
    expect(
      await failureOf(
        cognito.initiateAuth({
          ClientId: asAdministrator.ClientId,
          AuthFlow: 'CUSTOM_AUTH',
          AuthParameters: { USERNAME: 'jane' },
        }),
      ),
    ).toBe('InvalidParameterException: Custom auth lambda trigger is not configured for the user pool.');
    expect(await begin('USER_SRP_AUTH')).toBe('InvalidParameterException: Missing required parameter USERNAME');
    expect(await begin('USER_SRP_AUTH', { USERNAME: 'jane', SRP_A: '0' })).toMatch(/SRP_A/);
  });

  it('deletes a user on their own request', async () => {
    await test.user(made, 'gone');
    const { AccessToken } = await test.signIn(made, 'gone');
    await test.cognito.deleteUser({ AccessToken });
    expect(await failureOf(test.cognito.getUser({ AccessToken }))).toBe('UserNotFoundException: User does not exist.');
  });
});

describe('amazon-cognito-identity-js', () => {
  let test: CognitoTest;
  const { fetch } = globalThis;
  beforeAll(async () => {
    test = await startCognito();
    globalThis.fetch = (input, init) => test.emulator.gateway.fetch(new Request(input, init)) as Promise<Response>;
  });
  afterAll(async () => {
    globalThis.fetch = fetch;
    await test[Symbol.asyncDispose]();
  });

  const pool = (made: Made) => new CognitoUserPool({ ...made, endpoint: 'http://localhost:4566' });

  it('uses SRP, remembers the device and verifies it at the next sign-in', async () => {
    const made = await test.make({
      DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: false },
    });
    await test.user(made, 'jane');
    const user = new CognitoUser({ Username: 'jane', Pool: pool(made) });
    const signIn = (Password: string) =>
      new Promise<CognitoUserSession>((resolve, reject) => {
        user.authenticateUser(new AuthenticationDetails({ Username: 'jane', Password }), {
          onSuccess: resolve,
          onFailure: reject,
        });
      });
    await expect(signIn('Wr0ng!!!!')).rejects.toThrow('Incorrect username or password.');
    const session = await signIn(PASSWORD);
    expect(session.getAccessToken().payload).toMatchObject({ username: 'jane', device_key: expect.any(String) });
    const AccessToken = session.getAccessToken().getJwtToken();
    const { Devices } = await test.cognito.listDevices({ AccessToken });
    expect(Devices).toHaveLength(1);
    const again = await signIn(PASSWORD);
    expect(again.getAccessToken().payload.device_key).toBe(Devices![0]!.DeviceKey);
    const DeviceKey = Devices![0]!.DeviceKey!;
    const admin = { UserPoolId: made.UserPoolId, Username: 'jane', DeviceKey };
    await test.cognito.updateDeviceStatus({ AccessToken, DeviceKey, DeviceRememberedStatus: 'not_remembered' });
    expect((await test.cognito.getDevice({ AccessToken, DeviceKey })).Device!.DeviceAttributes).toContainEqual({
      Name: 'dev:device_remembered_status',
      Value: 'not_remembered',
    });
    await test.cognito.adminUpdateDeviceStatus({ ...admin, DeviceRememberedStatus: 'remembered' });
    expect((await test.cognito.adminGetDevice(admin)).Device!.DeviceKey).toBe(DeviceKey);
    expect((await test.cognito.adminListDevices(admin)).Devices).toHaveLength(1);
    await test.cognito.adminForgetDevice(admin);
    expect(await failureOf(test.cognito.forgetDevice({ AccessToken, DeviceKey }))).toMatch(/^ResourceNotFound/);
  });
});
