import { existsSync } from 'node:fs';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const EXECUTABLE = '/usr/bin/chromium';
const Username = 'jane';
const Password = 'Passw0rd!';
const isThere = existsSync(EXECUTABLE);

describe.skipIf(!isThere)(`hosted pages in Chromium${isThere ? '' : ` (skipped: there is no ${EXECUTABLE})`}`, () => {
  let emulator: TestEmulator;
  let listener: Awaited<ReturnType<TestEmulator['gateway']['listen']>>;
  let browser: Browser;
  let base: string;
  let query: string;
  let callback: string;
  beforeAll(async () => {
    emulator = await createTestEmulator({ manifests: [manifest] });
    listener = await emulator.gateway.listen({});
    const origin = listener.url.replace('127.0.0.1', 'localhost');
    callback = `${origin}/_emulator/health`;
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
    const cognito = new CognitoIdentityProvider(emulator.clientConfig());
    const { UserPool } = await cognito.createUserPool({
      PoolName: 'p',
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
    });
    const UserPoolId = UserPool!.Id!;
    await cognito.setUserPoolMfaConfig({ UserPoolId, WebAuthnConfiguration: { RelyingPartyId: 'localhost' } });
    const { UserPoolClient } = await cognito.createUserPoolClient({
      UserPoolId,
      ClientName: 'c',
      ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      CallbackURLs: [callback],
    });
    await cognito.adminCreateUser({ UserPoolId, Username, MessageAction: 'SUPPRESS' });
    await cognito.adminSetUserPassword({ UserPoolId, Username, Password, Permanent: true });
    base = `${origin}/${UserPoolId}`;
    query = new URLSearchParams({
      client_id: UserPoolClient!.ClientId!,
      redirect_uri: callback,
      response_type: 'code',
    }).toString();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await listener?.close();
    await emulator?.close();
  });

  test('users sign in with their password, create a passkey and sign in with it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const atClient = () => page.waitForURL((url) => url.href.startsWith(callback));
    await page.goto(`${base}/login?${query}`);
    await page.getByLabel('Username').fill(Username);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Incorrect username or password.');
    await page.getByLabel('Username').fill(Username);
    await page.getByLabel('Password').fill(Password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await atClient();
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
    await page.goto(`${base}/passkeys/add?${query}`);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await atClient();
    await context.clearCookies();
    await page.goto(`${base}/login?${query}`);
    await page.getByLabel('Username').fill(Username);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await atClient();
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
    await context.close();
  }, 60_000);
});
