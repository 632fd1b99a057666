import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attributes, type CognitoTest, countedFailureOf, failureOf, type Made, startCognito } from './support.ts';

describe('sign-up without a password', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make({
      AutoVerifiedAttributes: ['email'],
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP'] } },
    });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const signUp = (Username: string) =>
    test.cognito.signUp({
      ClientId: made.ClientId,
      Username,
      UserAttributes: attributes({ email: `${Username}@example.com` }),
    });
  const signIn = (USERNAME: string, Session?: string) =>
    test.cognito.initiateAuth({
      ClientId: made.ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME },
      ...(Session !== undefined && { Session }),
    });

  it('continues with a sign-in by the single-use session of its confirmation', async () => {
    const { cognito } = test;
    const { Session: begun } = await signUp('jane');
    const { code: ConfirmationCode } = await test.code(made, 'jane');
    const confirm = { ClientId: made.ClientId, Username: 'jane', ConfirmationCode };
    expect(await failureOf(cognito.confirmSignUp({ ...confirm, Session: 'x'.repeat(30) }))).toMatch(/^NotAuthorized/);
    const { Session: confirmed } = await cognito.confirmSignUp({ ...confirm, Session: begun! });
    const { AuthenticationResult } = await signIn('jane', confirmed);
    expect((await cognito.getUser({ AccessToken: AuthenticationResult!.AccessToken! })).Username).toBe('jane');
    expect(await failureOf(signIn('jane', confirmed))).toMatch(/^NotAuthorized/);
    const { AvailableChallenges } = await signIn('jane');
    expect(AvailableChallenges).toEqual(['EMAIL_OTP']);
  });

  it('has a session for its user and step only', async () => {
    const { cognito } = test;
    const { Session: first } = await signUp('ann');
    const { Session: second } = await signUp('bob');
    const { code: ConfirmationCode } = await test.code(made, 'ann');
    const confirm = { ClientId: made.ClientId, Username: 'ann', ConfirmationCode };
    expect(await failureOf(cognito.confirmSignUp({ ...confirm, Session: second! }))).toMatch(/^NotAuthorized/);
    await cognito.confirmSignUp(confirm);
    expect(await countedFailureOf(signIn('ann', first))).toMatch(/^NotAuthorized/);
  });

  it('requires a pool with sign-ins by code', async () => {
    const { ClientId } = await test.make();
    expect(await failureOf(test.cognito.signUp({ ClientId, Username: 'jane' }))).toMatch(/^InvalidParameter/);
  });
});
