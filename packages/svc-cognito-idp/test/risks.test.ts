import { createHmac } from 'node:crypto';
import type {
  AccountTakeoverRiskConfigurationType,
  CreateUserPoolClientCommandInput,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CognitoTest,
  claimsOf,
  countedFailureOf,
  failureOf,
  type Made,
  PASSWORD,
  startCognito,
  totp,
} from './support.ts';

const SECRET = 'JBSWY3DPEHPK3PXP';
const BLOCKED = 'NotAuthorizedException: Unable to login because of security reasons.';
const action = (EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION') => ({
  Notify: false,
  EventAction,
});
const ACTIONS: AccountTakeoverRiskConfigurationType = {
  Actions: {
    LowAction: action('NO_ACTION'),
    MediumAction: action('MFA_IF_CONFIGURED'),
    HighAction: action('BLOCK'),
  },
};

let test: CognitoTest;
beforeAll(async () => {
  test = await startCognito();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Creates a pool with protection and optional second factors. */
async function guarded(
  mode: 'ENFORCED' | 'AUDIT' = 'ENFORCED',
  client: Partial<CreateUserPoolClientCommandInput> = {},
): Promise<Made> {
  const made = await test.make(
    { UserPoolAddOns: { AdvancedSecurityMode: mode }, UserPoolTier: 'PLUS', DeviceConfiguration: undefined },
    client,
  );
  const { UserPoolId } = made;
  await test.cognito.setUserPoolMfaConfig({
    UserPoolId,
    MfaConfiguration: 'OPTIONAL',
    SoftwareTokenMfaConfiguration: { Enabled: true },
  });
  return made;
}
const setRisk = (UserPoolId: string, takeover = ACTIONS, more = {}) =>
  test.cognito.setRiskConfiguration({ UserPoolId, AccountTakeoverRiskConfiguration: takeover, ...more });
const level = async (made: Made, riskLevel: string | null, more: object = {}) => {
  const body = { userPoolId: made.UserPoolId, riskLevel, ...more };
  const { status } = await test.emulator.control('POST', '/_emulator/cognito/risk-levels', body);
  return status;
};
/** Sets up a software token for a user without enabling it as a second factor. */
async function haveToken({ UserPoolId }: Made, username: string): Promise<void> {
  const body = { userPoolId: UserPoolId, username, secretCode: SECRET };
  await test.emulator.control('POST', '/_emulator/cognito/software-token', body);
  await test.cognito.adminSetUserMFAPreference({
    UserPoolId,
    Username: username,
    SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
  });
}
const eventsOf = async (UserPoolId: string, Username: string) =>
  (await test.cognito.adminListUserAuthEvents({ UserPoolId, Username })).AuthEvents!;

describe('risks of sign-ins', () => {
  it('block, require a second factor or take no action, by level', async () => {
    const made = await guarded();
    const { UserPoolId, ClientId } = made;
    await test.user(made);
    await test.user(made, 'bob');
    await setRisk(UserPoolId);
    expect((await test.cognito.describeRiskConfiguration({ UserPoolId })).RiskConfiguration).toMatchObject({
      AccountTakeoverRiskConfiguration: ACTIONS,
    });
    expect(await level(made, 'High', { username: 'jane' })).toBe(200);
    expect(await countedFailureOf(test.signIn(made))).toBe(BLOCKED);
    expect((await eventsOf(UserPoolId, 'jane'))[0]).toMatchObject({
      EventResponse: 'Fail',
      EventRisk: { RiskDecision: 'Block', RiskLevel: 'High' },
      ChallengeResponses: [{ ChallengeName: 'Password', ChallengeResponse: 'Success' }],
    });
    const { AccessToken } = await test.signIn(made, 'bob');
    const [event] = await eventsOf(UserPoolId, 'bob');
    expect(event).toMatchObject({ EventResponse: 'Pass', EventRisk: { RiskDecision: 'NoRisk' } });
    expect(claimsOf(AccessToken).event_id).toBe(event!.EventId);

    await level(made, 'Medium', { username: 'jane' });
    expect((await test.signIn(made)).AccessToken).toBeDefined();
    await haveToken(made, 'jane');
    const AuthParameters = { USERNAME: 'jane', PASSWORD };
    const asked = await test.cognito.initiateAuth({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
    expect(asked.ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    const { AuthenticationResult } = await test.cognito.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session: asked.Session,
      ChallengeResponses: {
        USERNAME: 'jane',
        SOFTWARE_TOKEN_MFA_CODE: totp(SECRET, test.emulator.kernel.clock.now()),
      },
    });
    const [passed] = await eventsOf(UserPoolId, 'jane');
    expect(passed).toMatchObject({
      EventId: claimsOf(AuthenticationResult!.AccessToken!).event_id,
      EventResponse: 'Pass',
      EventRisk: { RiskDecision: 'AccountTakeover', RiskLevel: 'Medium' },
      ChallengeResponses: [{ ChallengeName: 'Password' }, { ChallengeName: 'Mfa', ChallengeResponse: 'Success' }],
    });
    await level(made, 'Low', { username: 'jane' });
    expect((await test.signIn(made)).AccessToken).toBeDefined();
    await level(made, null, { username: 'jane' });
    await test.signIn(made);
    expect((await eventsOf(UserPoolId, 'jane'))[0]!.EventRisk).toEqual({
      RiskDecision: 'NoRisk',
      CompromisedCredentialsDetected: false,
    });
  });

  it('require a second factor that the user has', async () => {
    const made = await guarded();
    await test.user(made);
    await setRisk(made.UserPoolId, { Actions: { LowAction: action('MFA_REQUIRED') } });
    await level(made, 'Low');
    expect(await countedFailureOf(test.signIn(made))).toBe(BLOCKED);
    await haveToken(made, 'jane');
    const { ChallengeName } = await test.cognito.initiateAuth({
      ClientId: made.ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'jane', PASSWORD },
    });
    expect(ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
  });

  it('are only recorded in audit mode and for always allowed addresses', async () => {
    const audited = await guarded('AUDIT');
    await test.user(audited);
    await setRisk(audited.UserPoolId);
    await level(audited, 'High');
    await test.signIn(audited);
    expect((await eventsOf(audited.UserPoolId, 'jane'))[0]).toMatchObject({
      EventResponse: 'Pass',
      EventRisk: { RiskDecision: 'AccountTakeover', RiskLevel: 'High' },
    });
    const made = await guarded();
    const { UserPoolId, ClientId } = made;
    await test.user(made);
    await setRisk(UserPoolId, ACTIONS, { RiskExceptionConfiguration: { SkippedIPRangeList: ['192.0.2.0/24'] } });
    await level(made, 'High', { ipAddress: '192.0.2.1' });
    await level(made, 'High', { ipAddress: '198.51.100.1' });
    const from = (IpAddress: string) =>
      test.cognito.adminInitiateAuth({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'jane', PASSWORD },
        ContextData: {
          IpAddress,
          ServerName: 'app',
          ServerPath: '/',
          HttpHeaders: [{ headerName: 'User-Agent', headerValue: 'Browser/1' }],
        },
      });
    expect((await from('192.0.2.1')).AuthenticationResult).toBeDefined();
    expect((await eventsOf(UserPoolId, 'jane'))[0]!.EventContextData).toEqual({
      IpAddress: '192.0.2.1',
      DeviceName: 'Browser/1',
    });
    expect(await countedFailureOf(from('198.51.100.1'))).toBe(BLOCKED);
    expect((await from('203.0.113.1')).AuthenticationResult).toBeDefined();
  });

  it("use the address and device in the client's context data", async () => {
    const context = { UserAgent: 'Browser/2', ClientTimezone: '-05:00' };
    const payload = JSON.stringify({ contextData: context, username: 'jane' });
    const EncodedData = Buffer.from(JSON.stringify({ payload, signature: 'x', version: 'V' })).toString('base64');
    const signIn = async (made: Made, secret?: string) => {
      const hash = secret && createHmac('sha256', secret).update(`jane${made.ClientId}`).digest('base64');
      await test.cognito.initiateAuth({
        ClientId: made.ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'jane', PASSWORD, ...(hash && { SECRET_HASH: hash }) },
        UserContextData: { IpAddress: '192.0.2.7', EncodedData },
      });
      return (await eventsOf(made.UserPoolId, 'jane'))[0]!.EventContextData;
    };
    const plain = await guarded();
    await test.user(plain);
    expect(await signIn(plain)).toEqual({ DeviceName: 'Browser/2', Timezone: '-05:00' });
    const made = await guarded('ENFORCED', { GenerateSecret: true, EnablePropagateAdditionalUserContextData: true });
    await test.user(made);
    const { UserPoolClient } = await test.cognito.describeUserPoolClient(made);
    expect(await signIn(made, UserPoolClient!.ClientSecret)).toMatchObject({ IpAddress: '192.0.2.7' });
    expect(
      await failureOf(
        test.cognito.createUserPoolClient({
          UserPoolId: plain.UserPoolId,
          ClientName: 'c',
          EnablePropagateAdditionalUserContextData: true,
        }),
      ),
    ).toMatch(/^InvalidParameterException/);
  });

  it('reject invalid levels, and configurations without notification sender', async () => {
    const made = await guarded();
    expect(await level(made, 'Huge')).toBe(400);
    expect(await level(made, 'High', { username: 'nobody' })).toBe(404);
    expect(await level({ ...made, UserPoolId: 'us-east-1_none' }, 'High')).toBe(404);
    const notify = { LowAction: { Notify: true, EventAction: 'BLOCK' as const } };
    expect(await failureOf(setRisk(made.UserPoolId, { Actions: notify }))).toMatch(
      /^InvalidParameterException: Notify/,
    );
    const SourceArn = 'arn:aws:sns:us-east-1:000000000000:identity';
    expect(await failureOf(setRisk(made.UserPoolId, { Actions: notify, NotifyConfiguration: { SourceArn } }))).toMatch(
      /Amazon SES/,
    );
  });
});

describe('blocked addresses', () => {
  it('cannot sign up or request codes', async () => {
    const client = { GenerateSecret: true, EnablePropagateAdditionalUserContextData: true };
    const made = await guarded('ENFORCED', client);
    const { UserPoolId, ClientId } = made;
    await test.user(made);
    await test.cognito.setRiskConfiguration({
      UserPoolId,
      RiskExceptionConfiguration: { BlockedIPRangeList: ['203.0.113.0/24'] },
    });
    const { UserPoolClient } = await test.cognito.describeUserPoolClient(made);
    const hash = createHmac('sha256', UserPoolClient!.ClientSecret!).update(`jane${ClientId}`).digest('base64');
    const request = {
      ClientId,
      Username: 'jane',
      SecretHash: hash,
      UserContextData: { IpAddress: '203.0.113.5' },
    };
    for (const refused of [
      test.cognito.signUp({ ...request, Password: PASSWORD }),
      test.cognito.forgotPassword(request),
      test.cognito.confirmForgotPassword({ ...request, Password: PASSWORD, ConfirmationCode: '123456' }),
      test.cognito.confirmSignUp({ ...request, ConfirmationCode: '123456' }),
      test.cognito.resendConfirmationCode(request),
    ])
      expect(await failureOf(refused)).toBe('NotAuthorizedException: Request not allowed due to security reasons.');
    expect((await eventsOf(UserPoolId, 'jane')).map(({ EventType }) => EventType)).toContain('ForgotPassword');
  });
});

describe('feedback on events', () => {
  it("is accepted from administrators, and from users with their e-mail's token only", async () => {
    const made = await guarded();
    await test.user(made);
    await test.signIn(made);
    const { UserPoolId } = made;
    const [event] = await eventsOf(UserPoolId, 'jane');
    const given = { UserPoolId, Username: 'jane', EventId: event!.EventId!, FeedbackValue: 'Valid' as const };
    const FeedbackToken = 'forged';
    expect(await failureOf(test.cognito.updateAuthEventFeedback({ ...given, FeedbackToken }))).toBe(
      'NotAuthorizedException: Invalid feedback token.',
    );
    const none = { ...given, FeedbackToken, EventId: 'none' };
    expect(await failureOf(test.cognito.updateAuthEventFeedback(none))).toMatch(/^ResourceNotFoundException/);
    expect(await failureOf(test.cognito.adminUpdateAuthEventFeedback(none))).toMatch(/^ResourceNotFoundException/);
    const unknown = { ...given, FeedbackToken, UserPoolId: 'us-east-1_none' };
    expect(await failureOf(test.cognito.updateAuthEventFeedback(unknown))).toMatch(/^ResourceNotFoundException/);
    const plain = await test.make();
    await test.user(plain);
    const off = { ...given, FeedbackToken, UserPoolId: plain.UserPoolId };
    expect(await failureOf(test.cognito.updateAuthEventFeedback(off))).toMatch(/^UserPoolAddOnNotEnabledException/);
  });
});
