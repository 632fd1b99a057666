import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attributes, type CognitoTest, claimsOf, failureOf, type Made, PASSWORD, startCognito } from './support.ts';

interface Event {
  triggerSource: string;
  version: string;
  userName: string;
  userPoolId: string;
  callerContext: { clientId: string };
  request: Record<string, unknown>;
  response: Record<string, unknown>;
}

const LambdaConfig = {
  ...Object.fromEntries(
    [
      'PreSignUp',
      'CustomMessage',
      'PostConfirmation',
      'PreAuthentication',
      'PostAuthentication',
      'DefineAuthChallenge',
      'CreateAuthChallenge',
      'VerifyAuthChallengeResponse',
      'UserMigration',
    ].map((name) => [name, `arn:aws:lambda:us-east-1:000000000000:function:${name}`]),
  ),
  PreTokenGenerationConfig: {
    LambdaVersion: 'V2_0' as const,
    LambdaArn: 'arn:aws:lambda:us-east-1:000000000000:function:PreTokenGeneration',
  },
};

describe('triggers', () => {
  const events: Event[] = [];
  /** Responses of functions by the first part of the trigger source; an Error fails the function. */
  const answers = new Map<string, (event: Event) => Record<string, unknown> | Error>();
  let test: CognitoTest;
  let made: Made;

  beforeAll(async () => {
    const lambda = fakeService('lambda', {
      Invoke: ({ Payload }: Record<string, unknown>) => {
        const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as Event;
        events.push(event);
        const answer = answers.get(event.triggerSource.split('_')[0]!)?.(event) ?? {};
        if (answer instanceof Error)
          return {
            StatusCode: 200,
            FunctionError: 'Unhandled',
            Payload: Buffer.from(JSON.stringify({ errorMessage: answer.message })),
          };
        return {
          StatusCode: 200,
          Payload: Buffer.from(JSON.stringify({ ...event, response: { ...event.response, ...answer } })),
        };
      },
    });
    test = await startCognito({ manifests: [lambda] });
    made = await test.make({ LambdaConfig, AutoVerifiedAttributes: ['email'] });
  });
  afterAll(() => test[Symbol.asyncDispose]());
  beforeEach(() => {
    events.length = 0;
    answers.clear();
  });

  const sources = () => events.map(({ triggerSource }) => triggerSource);
  const signUp = (Username: string) =>
    test.cognito.signUp({
      ClientId: made.ClientId,
      Username,
      Password: PASSWORD,
      UserAttributes: attributes({ email: `${Username}@example.com` }),
      ValidationData: attributes({ captcha: '1' }),
      ClientMetadata: { from: 'test' },
    });

  it('of sign-up reject, confirm and customize messages', async () => {
    answers.set('PreSignUp', () => new Error('not you'));
    expect(await failureOf(signUp('a'))).toBe('UserLambdaValidationException: PreSignUp failed with error not you.');
    expect(events[0]).toMatchObject({
      version: '1',
      triggerSource: 'PreSignUp_SignUp',
      userName: 'a',
      userPoolId: made.UserPoolId,
      callerContext: { clientId: made.ClientId },
      request: {
        userAttributes: { email: 'a@example.com' },
        validationData: { captcha: '1' },
        clientMetadata: { from: 'test' },
      },
    });
    events.length = 0;
    answers.set('PreSignUp', () => ({ autoConfirmUser: true, autoVerifyEmail: true }));
    expect((await signUp('a')).UserConfirmed).toBe(true);
    expect(sources()).toEqual(['PreSignUp_SignUp', 'PostConfirmation_ConfirmSignUp']);
    answers.delete('PreSignUp');
    events.length = 0;
    await signUp('b');
    expect(sources()).toEqual(['PreSignUp_SignUp', 'CustomMessage_SignUp']);
    expect(events[1]!.request).toMatchObject({ codeParameter: '{####}', usernameParameter: null });
  });

  it('of sign-in are invoked and change tokens', async () => {
    await test.user(made);
    events.length = 0;
    const forged = { sub: 'x', aud: 'x', 'dev:custom:level': 'x', 'cognito:groups': ['x'] };
    answers.set('TokenGeneration', () => ({
      claimsAndScopeOverrideDetails: {
        idTokenGeneration: { claimsToAddOrOverride: { team: 'a', ...forged }, claimsToSuppress: ['email'] },
        accessTokenGeneration: { claimsToAddOrOverride: { team: 'b', ...forged }, scopesToAdd: ['api/read'] },
        groupOverrideDetails: { groupsToOverride: ['g'] },
      },
    }));
    const { AccessToken, IdToken } = await test.signIn(made);
    expect(sources()).toEqual([
      'PreAuthentication_Authentication',
      'PostAuthentication_Authentication',
      'TokenGeneration_Authentication',
    ]);
    expect(claimsOf(IdToken)).toMatchObject({ team: 'a', 'cognito:groups': ['g'] });
    expect(claimsOf(IdToken)).toMatchObject({ aud: made.ClientId, sub: claimsOf(AccessToken).sub });
    expect(claimsOf(IdToken).sub).not.toBe('x');
    for (const token of [IdToken, AccessToken]) expect(claimsOf(token)).not.toHaveProperty('dev:custom:level');
    expect(claimsOf(AccessToken)).not.toHaveProperty('aud');
    expect(claimsOf(AccessToken)).toMatchObject({ team: 'b', scope: 'aws.cognito.signin.user.admin api/read' });
    const { json } = await test.emulator.control('GET', '/_emulator/cognito/pretokengen/invocations');
    expect((json as { invocations: object[] }).invocations.at(-1)).toMatchObject({
      version: '2',
      triggerSource: 'TokenGeneration_Authentication',
      claimsToSuppress: ['email'],
      groupsToOverride: ['g'],
    });
    answers.set('PreAuthentication', () => new Error('closed'));
    expect(await failureOf(test.signIn(made))).toBe(
      'UserLambdaValidationException: PreAuthentication failed with error closed.',
    );
  });

  it("of version 3 also change clients' own tokens", async () => {
    const { UserPoolId } = made;
    const change = (LambdaVersion: 'V2_0' | 'V3_0') =>
      test.cognito.updateUserPool({
        UserPoolId,
        AutoVerifiedAttributes: ['email'],
        LambdaConfig: {
          ...LambdaConfig,
          PreTokenGenerationConfig: { ...LambdaConfig.PreTokenGenerationConfig, LambdaVersion },
        },
      });
    await test.cognito.createResourceServer({
      UserPoolId,
      Identifier: 'api',
      Name: 'api',
      Scopes: [{ ScopeName: 'read', ScopeDescription: 'r' }],
    });
    const { UserPoolClient } = await test.cognito.createUserPoolClient({
      UserPoolId,
      ClientName: 'machine',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['api/read'],
    });
    const token = async (aws_client_metadata: string) => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: UserPoolClient!.ClientId!,
        client_secret: UserPoolClient!.ClientSecret!,
        aws_client_metadata,
      });
      const request = new Request(`http://localhost:4566/${UserPoolId}/oauth2/token`, { method: 'POST', body });
      return (await (await test.emulator.gateway.fetch(request)).json()) as { access_token: string; error?: string };
    };
    events.length = 0;
    answers.set('TokenGeneration', () => ({
      claimsAndScopeOverrideDetails: {
        accessTokenGeneration: { claimsToAddOrOverride: { tenant: 't' }, scopesToAdd: ['api/more'] },
      },
    }));
    expect(claimsOf((await token('{}')).access_token).tenant).toBeUndefined();
    expect(events).toEqual([]);
    await change('V3_0');
    expect(claimsOf((await token('{"for":"t"}')).access_token)).toMatchObject({
      tenant: 't',
      scope: 'api/read api/more',
      sub: UserPoolClient!.ClientId,
    });
    expect(events[0]).toMatchObject({
      version: '3',
      triggerSource: 'TokenGeneration_ClientCredentials',
      request: { userAttributes: {}, scopes: ['api/read'], clientMetadata: { for: 't' } },
    });
    expect((await token('[]')).error).toBe('invalid_request');
    await change('V2_0');
  });

  it('of custom challenges define, create and verify them', async () => {
    await test.user(made, 'cus');
    answers.set('DefineAuthChallenge', ({ request }) => {
      const session = request.session as { challengeResult: boolean }[];
      if (session.at(-1)?.challengeResult) return { issueTokens: true };
      return session.length > 2 ? { failAuthentication: true } : { challengeName: 'CUSTOM_CHALLENGE' };
    });
    answers.set('CreateAuthChallenge', () => ({
      publicChallengeParameters: { question: '1+1' },
      privateChallengeParameters: { answer: '2' },
      challengeMetadata: 'sum',
    }));
    answers.set('VerifyAuthChallengeResponse', ({ request }) => ({
      answerCorrect: request.challengeAnswer === (request.privateChallengeParameters as { answer: string }).answer,
    }));
    const { ClientId } = made;
    const begin = () =>
      test.cognito.initiateAuth({ ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: 'cus' } });
    const answer = (Session: string, ANSWER: string) =>
      test.cognito.respondToAuthChallenge({
        ClientId,
        ChallengeName: 'CUSTOM_CHALLENGE',
        Session,
        ChallengeResponses: { USERNAME: 'cus', ANSWER },
      });
    const first = await begin();
    expect(first).toMatchObject({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: { USERNAME: 'cus', question: '1+1' },
    });
    const second = await answer(first.Session!, '3');
    expect(second.ChallengeName).toBe('CUSTOM_CHALLENGE');
    expect((await answer(second.Session!, '2')).AuthenticationResult).toBeDefined();
    expect(events.findLast(({ triggerSource }) => triggerSource.startsWith('Define'))!.request.session).toEqual([
      { challengeName: 'CUSTOM_CHALLENGE', challengeResult: false, challengeMetadata: 'sum' },
      { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'sum' },
    ]);
  });

  it('of migration create the users they know', async () => {
    const { cognito } = test;
    expect(await failureOf(test.signIn(made, 'old'))).toBe('UserNotFoundException: User does not exist.');
    answers.set('UserMigration', ({ request }) =>
      request.password === PASSWORD
        ? {
            userAttributes: { email: 'old@example.com', email_verified: 'true' },
            finalUserStatus: 'CONFIRMED',
            messageAction: 'SUPPRESS',
          }
        : new Error('wrong'),
    );
    expect((await test.signIn(made, 'old')).AccessToken).toBeTruthy();
    expect(await cognito.adminGetUser({ UserPoolId: made.UserPoolId, Username: 'old' })).toMatchObject({
      UserStatus: 'CONFIRMED',
    });
  });

  it('with unreadable responses are rejected', async () => {
    answers.set('PreSignUp', () => ({}));
    const broken = await test.make({ LambdaConfig: { PreSignUp: 'arn:aws:lambda:us-east-1:000000000000:function:x' } });
    expect(broken.UserPoolId).toBeTruthy();
    answers.set('PreSignUp', () => ({ autoVerifyPhone: true }));
    expect(await failureOf(signUp('phone'))).toMatch(/^InvalidParameterException: Cannot auto-verify phone_number/);
  });
});
