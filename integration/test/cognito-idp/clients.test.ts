import { createHmac } from 'node:crypto';
import { confirmSignIn, fetchAuthSession, signIn, signOut } from '@aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import { Amplify } from '@aws-amplify/core';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import {
  createSecretHash,
  createSrpSession,
  signSrpSession,
  wrapAuthChallenge,
  wrapInitiateAuth,
} from 'cognito-srp-helper';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

const Username = 'jane';
const Password = 'Passw0rd!';
const REDIRECT = 'https://app.example.com/callback';

let emulator: TestEmulator;
let cognito: CognitoIdentityProvider;
let listener: Awaited<ReturnType<TestEmulator['gateway']['listen']>>;
let endpoint: string;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest] });
  listener = await emulator.gateway.listen({});
  endpoint = listener.url;
  cognito = new CognitoIdentityProvider({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(async () => {
  await listener.close();
  await emulator.close();
});

/** Creates a pool with a client and a user. */
async function make(
  client: object = {},
  on = cognito,
): Promise<{ UserPoolId: string; ClientId: string; ClientSecret: string }> {
  const { UserPool } = await on.createUserPool({ PoolName: 'p' });
  const UserPoolId = UserPool!.Id!;
  const { UserPoolClient } = await on.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    ...client,
  });
  await on.adminCreateUser({ UserPoolId, Username, MessageAction: 'SUPPRESS' });
  await on.adminSetUserPassword({ UserPoolId, Username, Password, Permanent: true });
  return { UserPoolId, ClientId: UserPoolClient!.ClientId!, ClientSecret: UserPoolClient!.ClientSecret ?? '' };
}

/** Returns the current code of a software token. */
function totp(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(emulator.kernel.clock.now() / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  return String((hash.readUInt32BE(hash[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('AWS Amplify signs in with SRP and sets up a software token', async () => {
  const { UserPoolId, ClientId } = await make();
  await cognito.setUserPoolMfaConfig({
    UserPoolId,
    MfaConfiguration: 'ON',
    SoftwareTokenMfaConfiguration: { Enabled: true },
  });
  const Auth = { Cognito: { userPoolId: UserPoolId, userPoolClientId: ClientId, userPoolEndpoint: endpoint } };
  // As in the package aws-amplify.
  cognitoUserPoolsTokenProvider.setAuthConfig(Auth);
  Amplify.configure({ Auth }, { Auth: { tokenProvider: cognitoUserPoolsTokenProvider } });
  const { nextStep } = await signIn({ username: Username, password: Password });
  expect(nextStep.signInStep).toBe('CONTINUE_SIGN_IN_WITH_TOTP_SETUP');
  const { sharedSecret } = (nextStep as { totpSetupDetails: { sharedSecret: string } }).totpSetupDetails;
  expect((await confirmSignIn({ challengeResponse: totp(sharedSecret) })).isSignedIn).toBe(true);
  const { tokens } = await fetchAuthSession();
  expect(tokens!.idToken!.payload['cognito:username']).toBe(Username);
  expect((await fetchAuthSession({ forceRefresh: true })).tokens!.accessToken.payload.username).toBe(Username);
  await signOut();
  expect((await fetchAuthSession()).tokens).toBeUndefined();
});

test('cognito-srp-helper signs in with a secret, and aws-jwt-verify accepts the tokens', async () => {
  const { UserPoolId, ClientId, ClientSecret } = await make({ GenerateSecret: true });
  const SECRET_HASH = createSecretHash(Username, ClientId, ClientSecret);
  const session = createSrpSession(Username, Password, UserPoolId, false);
  const begun = await cognito.initiateAuth(
    wrapInitiateAuth(session, {
      ClientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: Username, SECRET_HASH },
    }),
  );
  const signed = signSrpSession(session, begun as never);
  const { AuthenticationResult } = await cognito.respondToAuthChallenge(
    wrapAuthChallenge(signed, {
      ClientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: { USERNAME: Username, SECRET_HASH },
    }),
  );
  const verifier = CognitoJwtVerifier.create({ userPoolId: UserPoolId, clientId: ClientId, tokenUse: 'id' });
  const jwks = await (await fetch(`${endpoint}/${UserPoolId}/.well-known/jwks.json`)).json();
  verifier.cacheJwks(jwks as never);
  const { IdToken = '', AccessToken = '' } = AuthenticationResult!;
  expect(await verifier.verify(IdToken)).toMatchObject({ 'cognito:username': Username, aud: ClientId });
  await expect(verifier.verify(AccessToken)).rejects.toThrow('Token use not allowed');
  await expect(verifier.verify(`${IdToken.slice(0, -4)}AAAA`)).rejects.toThrow('Invalid signature');
});

test("openid-client discovers a pool through emu's own issuer, and signs in through its pages", async () => {
  await using local = await createTestEmulator({
    manifests: [manifest],
    settings: { values: { EMULATOR_COGNITO_ISSUER: 'local' } as never },
  });
  const port = await local.gateway.listen({});
  const { url } = port;
  const on = new CognitoIdentityProvider({ ...local.clientConfig(), maxAttempts: 1 });
  const { UserPoolId, ClientId, ClientSecret } = await make(
    {
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      CallbackURLs: [REDIRECT],
      SupportedIdentityProviders: ['COGNITO'],
    },
    on,
  );
  const config = await oidc.discovery(new URL(`${url}/${UserPoolId}`), ClientId, ClientSecret, undefined, {
    execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
  });
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const expectedState = oidc.randomState();
  const expectedNonce = oidc.randomNonce();
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: 'openid',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
  const page = await fetch(address);
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  const _csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())![1]!;
  const done = await fetch(page.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ username: Username, password: Password, _csrf }),
  });
  const tokens = await oidc.authorizationCodeGrant(config, new URL(done.headers.get('location')!), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: true,
  });
  const { sub } = tokens.claims()!;
  expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub, username: Username });
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
  expect(refreshed.claims()!.sub).toBe(sub);
  await oidc.tokenRevocation(config, tokens.refresh_token!);
  await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toThrow();
  await port.close();
});
