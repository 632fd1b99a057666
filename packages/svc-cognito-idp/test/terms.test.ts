import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CognitoTest, countedFailureOf, failureOf, PASSWORD, startCognito } from './support.ts';

describe('terms and risks', () => {
  let test: CognitoTest;
  beforeAll(async () => {
    test = await startCognito();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('terms are created, described, changed, listed, shown and deleted', async () => {
    const { cognito } = test;
    const CallbackURLs = ['https://app.example.com/'];
    const { UserPoolId, ClientId } = await test.make(
      {},
      {
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid'],
        CallbackURLs,
      },
    );
    const base = { UserPoolId, ClientId, TermsSource: 'LINK', Enforcement: 'NONE' } as const;
    const Links = { 'cognito:default': 'https://app.example.com/terms' };
    expect(
      await failureOf(
        cognito.createTerms({ ...base, TermsName: 'terms-of-use', Links: { 'cognito:german': 'https://a.de/' } }),
      ),
    ).toMatch(/cognito:default/);
    const { Terms } = await cognito.createTerms({ ...base, TermsName: 'terms-of-use', Links });
    expect(await failureOf(cognito.createTerms({ ...base, TermsName: 'terms-of-use', Links }))).toMatch(
      /^TermsExistsException/,
    );
    const named = { UserPoolId, TermsId: Terms!.TermsId! };
    await cognito.updateTerms({ ...named, TermsName: 'privacy-policy' });
    expect((await cognito.describeTerms(named)).Terms).toMatchObject({ TermsName: 'privacy-policy', Links });
    expect((await cognito.listTerms({ UserPoolId })).Terms).toMatchObject([
      { TermsName: 'privacy-policy', Enforcement: 'NONE' },
    ]);
    const query = new URLSearchParams({
      client_id: ClientId,
      response_type: 'code',
      redirect_uri: CallbackURLs[0]!,
    }).toString();
    const page = await test.emulator.gateway.fetch(new Request(`http://localhost:4566/${UserPoolId}/signup?${query}`));
    expect(await page.text()).toContain('https://app.example.com/terms');
    await cognito.deleteTerms(named);
    expect(await failureOf(cognito.describeTerms(named))).toMatch(/^ResourceNotFoundException/);
  });

  it('risk configurations validate addresses and block compromised passwords', async () => {
    const { cognito } = test;
    const plain = await test.make();
    const set = (UserPoolId: string, more: object) => cognito.setRiskConfiguration({ UserPoolId, ...more });
    expect(await failureOf(set(plain.UserPoolId, {}))).toMatch(/^UserPoolAddOnNotEnabledException/);
    const made = await test.make({ UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' }, UserPoolTier: 'PLUS' });
    const { UserPoolId, ClientId } = made;
    await test.user(made, 'jane', { email: 'jane@example.com', email_verified: 'true' });
    const RiskExceptionConfiguration = { BlockedIPRangeList: ['203.0.113.0/24'] };
    expect(
      await failureOf(set(UserPoolId, { RiskExceptionConfiguration: { BlockedIPRangeList: ['203.0.113.9'] } })),
    ).toMatch(/CIDR/);
    await set(UserPoolId, {
      RiskExceptionConfiguration,
      CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: 'NO_ACTION' } },
    });
    expect((await cognito.describeRiskConfiguration({ UserPoolId })).RiskConfiguration).toMatchObject({
      RiskExceptionConfiguration,
      CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: 'NO_ACTION' } },
    });
    expect((await cognito.describeRiskConfiguration({ UserPoolId, ClientId })).RiskConfiguration).toEqual({
      UserPoolId,
      ClientId,
    });
    const from = (IpAddress: string) =>
      cognito.adminInitiateAuth({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'jane', PASSWORD },
        ContextData: { IpAddress, ServerName: 'app', ServerPath: '/', HttpHeaders: [] },
      });
    expect(await failureOf(from('203.0.113.9'))).toBe(
      'NotAuthorizedException: Request not allowed due to security reasons.',
    );
    await test.emulator.control('POST', '/_emulator/cognito/compromised-passwords', { password: PASSWORD });
    expect((await from('198.51.100.1')).AuthenticationResult).toBeDefined();
    await set(UserPoolId, {
      ClientId,
      CompromisedCredentialsRiskConfiguration: { EventFilter: ['SIGN_UP'], Actions: { EventAction: 'BLOCK' } },
    });
    expect(await failureOf(cognito.signUp({ ClientId, Username: 'new', Password: PASSWORD }))).toMatch(
      /security reasons/,
    );
    expect((await from('198.51.100.1')).AuthenticationResult).toBeDefined();
    await set(UserPoolId, { ClientId, CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: 'BLOCK' } } });
    expect(await countedFailureOf(from('198.51.100.1'))).toMatch(/^PasswordResetRequiredException/);
  });
});
