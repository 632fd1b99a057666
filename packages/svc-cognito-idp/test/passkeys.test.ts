import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from './authenticator.ts';
import { type CognitoTest, countedFailureOf, failureOf, type Made, startCognito } from './support.ts';

const ORIGIN = 'https://app.example.com';
const RELYING_PARTY = 'example.com';

interface Options {
  challenge: string;
  rp: { id: string };
}

describe('passkeys', () => {
  let test: CognitoTest;
  let made: Made;
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make({
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
    });
    await test.cognito.setUserPoolMfaConfig({
      UserPoolId: made.UserPoolId,
      WebAuthnConfiguration: { RelyingPartyId: RELYING_PARTY, UserVerification: 'required' },
    });
    await test.user(made);
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const start = async (AccessToken: string): Promise<Options> =>
    (await test.cognito.startWebAuthnRegistration({ AccessToken })).CredentialCreationOptions as unknown as Options;
  const choose = async (USERNAME = 'jane', more: object = {}) =>
    test.cognito.initiateAuth({
      ClientId: made.ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'WEB_AUTHN', ...more },
    });
  const answer = (Session: string | undefined, credential: object, USERNAME = 'jane') =>
    test.cognito.respondToAuthChallenge({
      ClientId: made.ClientId,
      ChallengeName: 'WEB_AUTHN',
      Session,
      ChallengeResponses: { USERNAME, CREDENTIAL: JSON.stringify(credential) },
    });

  it('are registered, used, listed and deleted', async () => {
    const { cognito } = test;
    const { AccessToken } = await test.signIn(made);
    const options = await start(AccessToken);
    expect(options).toMatchObject({
      rp: { id: RELYING_PARTY, name: RELYING_PARTY },
      timeout: 60_000,
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      pubKeyCredParams: [
        { alg: -7, type: 'public-key' },
        { alg: -257, type: 'public-key' },
      ],
      user: { name: 'jane', displayName: 'jane' },
      excludeCredentials: [],
    });
    const authenticator = new Authenticator(ORIGIN);
    const credential = authenticator.create(options);
    await cognito.completeWebAuthnRegistration({ AccessToken, Credential: credential });
    const { Credentials } = await cognito.listWebAuthnCredentials({ AccessToken });
    expect(Credentials).toEqual([
      {
        CredentialId: credential.id,
        FriendlyCredentialName: 'Passkey',
        RelyingPartyId: RELYING_PARTY,
        AuthenticatorAttachment: 'platform',
        AuthenticatorTransports: ['internal'],
        CreatedAt: expect.any(Date),
      },
    ]);
    const { json } = await test.emulator.control('GET', '/_emulator/cognito/webauthn-credentials');
    expect(json).toMatchObject({ credentials: [{ username: 'jane', attestationFormat: 'none', signCount: 1 }] });
    expect(await start(AccessToken)).toMatchObject({
      excludeCredentials: [{ id: credential.id, type: 'public-key' }],
    });
    const factors = await cognito.getUserAuthFactors({ AccessToken });
    expect(factors.ConfiguredUserAuthFactors).toEqual(['PASSWORD', 'WEB_AUTHN']);

    const chosen = await test.cognito.initiateAuth({
      ClientId: made.ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: 'jane' },
    });
    expect(chosen.AvailableChallenges).toEqual(['WEB_AUTHN', 'PASSWORD', 'PASSWORD_SRP']);
    const { Session, ChallengeName, ChallengeParameters } = await choose();
    expect(ChallengeName).toBe('WEB_AUTHN');
    const request = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!);
    expect(request).toMatchObject({ rpId: RELYING_PARTY, allowCredentials: [{ id: credential.id }] });
    const { AuthenticationResult } = await answer(Session, authenticator.get(request));
    expect((await cognito.getUser({ AccessToken: AuthenticationResult!.AccessToken! })).Username).toBe('jane');
    expect(await failureOf(answer(Session, authenticator.get(request)))).toBe(
      'NotAuthorizedException: Invalid session for the user.',
    );

    await cognito.deleteWebAuthnCredential({ AccessToken, CredentialId: credential.id });
    expect((await cognito.listWebAuthnCredentials({ AccessToken })).Credentials).toEqual([]);
    expect(await failureOf(cognito.deleteWebAuthnCredential({ AccessToken, CredentialId: credential.id }))).toContain(
      'ResourceNotFoundException',
    );
  });

  it('satisfy a required second factor unless the user disables it', async () => {
    const { cognito } = test;
    const strict = await test.make({
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
    });
    const { UserPoolId, ClientId } = strict;
    await test.user(strict);
    const prefer = (Enabled: boolean, more: object = {}) =>
      cognito.adminSetUserMFAPreference({ UserPoolId, Username: 'jane', WebAuthnMfaSettings: { Enabled }, ...more });
    expect(await failureOf(prefer(true))).toBe(
      'InvalidParameterException: WebAuthn MFA is not enabled for this user pool.',
    );
    const { AccessToken } = await test.signIn(strict);
    await cognito.setUserPoolMfaConfig({
      UserPoolId,
      MfaConfiguration: 'OPTIONAL',
      SoftwareTokenMfaConfiguration: { Enabled: true },
      WebAuthnConfiguration: {
        RelyingPartyId: RELYING_PARTY,
        FactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      },
    });
    const Credential = new Authenticator(ORIGIN).create(await start(AccessToken));
    await cognito.completeWebAuthnRegistration({ AccessToken, Credential });
    expect(await failureOf(prefer(true))).toContain('needs another MFA method');
    await test.emulator.control('POST', '/_emulator/cognito/software-token', {
      userPoolId: UserPoolId,
      username: 'jane',
      secretCode: 'JBSWY3DPEHPK3PXP',
    });
    const available = async () =>
      (await cognito.initiateAuth({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME: 'jane' } }))
        .AvailableChallenges;
    expect(await available()).toContain('WEB_AUTHN');
    await prefer(false);
    expect(await available()).not.toContain('WEB_AUTHN');
    await prefer(true);
    expect(await available()).toContain('WEB_AUTHN');
  });

  it('are rejected for a wrong challenge, origin or relying party', async () => {
    const { cognito } = test;
    const { AccessToken } = await test.signIn(made);
    const complete = (Credential: object) =>
      failureOf(
        cognito.completeWebAuthnRegistration({ AccessToken, Credential: Credential as Record<string, string> }),
      );
    const options = await start(AccessToken);
    expect(await complete({})).toBe('InvalidParameterException: Invalid credential.');
    expect(await complete(new Authenticator(ORIGIN).create({ ...options, challenge: 'b3RoZXI' }))).toContain(
      'WebAuthnChallengeNotFoundException',
    );
    expect(await complete(new Authenticator('https://example.org').create(options))).toContain(
      'WebAuthnOriginNotAllowedException',
    );
    expect(await complete(new Authenticator(ORIGIN).create({ ...options, rp: { id: 'example.org' } }))).toContain(
      'WebAuthnRelyingPartyMismatchException',
    );
    expect(await complete(new Authenticator(ORIGIN, false).create(options))).toContain(
      'WebAuthnCredentialNotSupportedException',
    );
    await test.advance(6 * 60_000);
    expect(await complete(new Authenticator(ORIGIN).create(options))).toContain('WebAuthnChallengeNotFoundException');
  });

  it("reject another user's passkey and replayed signatures", async () => {
    const { AccessToken } = await test.signIn(made);
    const authenticator = new Authenticator(ORIGIN);
    await test.cognito.completeWebAuthnRegistration({
      AccessToken,
      Credential: authenticator.create(await start(AccessToken)),
    });
    const first = await choose();
    const request = JSON.parse(first.ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!);
    const signed = authenticator.get(request);
    const second = await choose();
    expect(await countedFailureOf(answer(second.Session, signed))).toContain('InvalidParameterException');
    expect(await countedFailureOf(answer((await choose()).Session, new Authenticator(ORIGIN).get(request)))).toBe(
      'NotAuthorizedException: Incorrect username or password.',
    );
    expect((await answer(first.Session, signed)).AuthenticationResult).toBeDefined();
  });

  it('require a pool that allows them and has a domain', async () => {
    const { cognito } = test;
    const plain = await test.make();
    await test.user(plain);
    const { AccessToken } = await test.signIn(plain);
    expect(await failureOf(cognito.startWebAuthnRegistration({ AccessToken }))).toContain(
      'WebAuthnNotEnabledException',
    );
    const open = await test.make({
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
    });
    await test.user(open);
    const token = (await test.signIn(open)).AccessToken;
    expect(await failureOf(cognito.startWebAuthnRegistration({ AccessToken: token }))).toContain(
      'WebAuthnConfigurationMissingException',
    );
    await cognito.createUserPoolDomain({ UserPoolId: open.UserPoolId, Domain: 'keys' });
    expect((await start(token)).rp.id).toBe('keys.auth.us-east-1.amazoncognito.com');
    expect(
      await failureOf(
        cognito.setUserPoolMfaConfig({
          UserPoolId: open.UserPoolId,
          WebAuthnConfiguration: { RelyingPartyId: 'https://x' },
        }),
      ),
    ).toContain('InvalidParameterException');
  });
});
