import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CognitoTest,
  claimsOf,
  countedFailureOf,
  failureOf,
  type Made,
  PASSWORD,
  startCognito,
} from './support.ts';

describe('control routes', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make({ AutoVerifiedAttributes: ['email'] });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const post = (path: string, body?: object) => test.emulator.control('POST', `/_emulator/cognito/${path}`, body);
  const get = async (path: string) => (await test.emulator.control('GET', `/_emulator/cognito/${path}`)).json as never;

  it('confirm users by pool', async () => {
    const { ClientId, UserPoolId } = made;
    await test.cognito.signUp({
      ClientId,
      Username: 'sue',
      Password: PASSWORD,
      UserAttributes: [{ Name: 'email', Value: 'sue@example.com' }],
    });
    expect(await get('confirmation-codes')).toMatchObject({
      codes: [{ userPoolId: UserPoolId, username: 'sue', purpose: 'sign-up', deliveryMedium: 'EMAIL' }],
    });
    expect(await post('confirm-user', { userPoolId: UserPoolId, username: 'sue' })).toMatchObject({
      json: { confirmed: true },
    });
    expect((await test.cognito.adminGetUser({ UserPoolId, Username: 'sue' })).UserStatus).toBe('CONFIRMED');
    expect((await post('confirm-user', { userPoolId: UserPoolId, username: 'none' })).status).toBe(404);
    expect((await post('confirm-user', { username: 'sue' })).status).toBe(400);
  });

  it('list and revoke tokens', async () => {
    const { UserPoolId } = made;
    await test.user(made, 'tom');
    const { AccessToken } = await test.signIn(made, 'tom');
    const { tokens } = (await get('tokens')) as { tokens: { username: string; type: string; token: string }[] };
    expect(tokens.filter(({ username }) => username === 'tom').map(({ type }) => type)).toEqual([
      'access',
      'id',
      'refresh',
    ]);
    expect(tokens.map(({ token }) => token)).toContain(AccessToken);
    expect((await post('expire-tokens', { username: 'tom' })).status).toBe(400);
    expect(await post('expire-tokens', { userPoolId: UserPoolId, username: 'tom' })).toMatchObject({
      json: { expiredTokens: 3 },
    });
    expect(await failureOf(test.cognito.getUser({ AccessToken }))).toMatch(/^NotAuthorized/);
    expect(((await get('tokens')) as { tokens: object[] }).tokens).toEqual([]);
  });

  it('return authentication events and mark passwords compromised', async () => {
    const { cognito } = test;
    const guarded = await test.make({ UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' }, UserPoolTier: 'PLUS' });
    const { UserPoolId } = guarded;
    await test.user(guarded, 'eve', { email: 'eve@example.com', email_verified: 'true' });
    await test.signIn(guarded, 'eve');
    const named = { UserPoolId, Username: 'eve' };
    const { AuthEvents } = await cognito.adminListUserAuthEvents(named);
    expect(AuthEvents![0]).toMatchObject({ EventType: 'SignIn', EventResponse: 'Pass' });
    await cognito.adminUpdateAuthEventFeedback({ ...named, EventId: AuthEvents![0]!.EventId, FeedbackValue: 'Valid' });
    expect((await cognito.adminListUserAuthEvents(named)).AuthEvents![0]!.EventFeedback).toMatchObject({
      FeedbackValue: 'Valid',
    });
    expect(await post('compromised-passwords', { password: PASSWORD, userPoolId: UserPoolId })).toMatchObject({
      json: { marked: true },
    });
    expect(await countedFailureOf(test.signIn(guarded, 'eve'))).toMatch(/^PasswordResetRequiredException/);
    const { events } = (await get('auth-events')) as { events: object[] };
    expect(events.at(-1)).toMatchObject({
      username: 'eve',
      compromisedCredentialsDetected: true,
      riskDecision: 'Block',
    });
    expect(await failureOf(cognito.adminListUserAuthEvents({ UserPoolId: made.UserPoolId, Username: 'sue' }))).toMatch(
      /^UserPoolAddOnNotEnabledException/,
    );
  });

  it('enrol software tokens', async () => {
    const { UserPoolId } = made;
    await test.user(made, 'ted');
    const body = { userPoolId: UserPoolId, username: 'ted', secretCode: 'JBSWY3DPEHPK3PXP' };
    expect((await post('software-token', { ...body, secretCode: '1!' })).status).toBe(400);
    expect((await post('software-token', { ...body, username: 'none' })).status).toBe(404);
    expect(await post('software-token', body)).toMatchObject({ status: 200, json: { enrolled: true } });
    expect((await test.cognito.adminGetUser({ UserPoolId, Username: 'ted' })).UserMFASettingList).toEqual([
      'SOFTWARE_TOKEN_MFA',
    ]);
  });

  it('reject codes for unknown pools and users', async () => {
    const body = { userPoolId: made.UserPoolId, username: 'sue', clientId: 'none' };
    expect((await post('authorization-codes', body)).status).toBe(404);
    expect((await post('authorization-codes', { ...body, clientId: made.ClientId })).status).toBe(400);
  });
});

describe('information for clients', () => {
  it('has emu as issuer if configured', async () => {
    await using test = await startCognito({
      settings: {
        accountId: '000000000000',
        region: 'us-east-1',
        values: { EMULATOR_COGNITO_ISSUER: 'local' } as never,
      },
    });
    const made = await test.make();
    await test.user(made);
    const { AccessToken } = await test.signIn(made);
    expect(claimsOf(AccessToken).iss).toBe(`http://localhost:4566/${made.UserPoolId}`);
    expect((await test.cognito.getUser({ AccessToken })).Username).toBe('jane');
  });

  it('hides unknown users in SRP', async () => {
    await using test = await startCognito();
    const { ClientId } = await test.make({}, { PreventUserExistenceErrors: 'ENABLED' });
    const SRP_A = 'a'.repeat(700);
    const begun = () =>
      test.cognito.initiateAuth({ ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'none', SRP_A } });
    const { ChallengeName, ChallengeParameters: first } = await begun();
    expect(ChallengeName).toBe('PASSWORD_VERIFIER');
    expect((await begun()).ChallengeParameters!.SALT).toBe(first!.SALT);
    const answer = test.cognito.respondToAuthChallenge({
      ClientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: {
        USERNAME: 'none',
        PASSWORD_CLAIM_SECRET_BLOCK: first!.SECRET_BLOCK!,
        PASSWORD_CLAIM_SIGNATURE: 'AAAA',
        TIMESTAMP: 'Thu Jan 1 00:00:00 UTC 2026',
      },
    });
    expect(await countedFailureOf(answer)).toBe('NotAuthorizedException: Incorrect username or password.');
  });
});
