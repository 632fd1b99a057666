import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import type { Listener } from '@emu/gateway';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as http } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cognitoManifest } from '@emu/svc-cognito-idp/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

const COLOR = '#112233';
const CustomColors = {
  AccentColor: COLOR,
  BackgroundColor: '#ffffff',
  ErrorValidationColor: COLOR,
  HeaderColor: COLOR,
  NavigationColor: COLOR,
  TextColor: COLOR,
};

let emulator: TestEmulator;
let listener: Listener;
let api: ApiGatewayV2;
let cognito: CognitoIdentityProvider;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [http, cognitoManifest] });
  listener = await emulator.gateway.listen({ port: 0 });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  api = new ApiGatewayV2(config);
  cognito = new CognitoIdentityProvider(config);
});
afterAll(async () => {
  await listener.close(100);
  await emulator.close();
});

/** Creates a client that stores cookies, as browsers do, and follows no redirects. */
function visitor() {
  const jar = new Map<string, string>();
  return async (url: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const one of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
  };
}

it('a portal is shown to users signed in to its user pool only', async () => {
  const pool = await cognito.createUserPool({ PoolName: 'readers' });
  const UserPoolId = pool.UserPool!.Id!;
  const CognitoConfig = {
    AppClientId: 'none',
    UserPoolArn: pool.UserPool!.Arn!,
    UserPoolDomain: 'https://readers.auth.us-east-1.amazoncognito.com',
  };
  const { PortalId, PublishStatus } = await api.createPortal({
    Authorization: { CognitoConfig },
    EndpointConfiguration: { None: {} },
    PortalContent: { DisplayName: 'Secret pets', Theme: { CustomColors } },
  });
  expect(PublishStatus).toBe('DISABLED');
  expect(await refusal(api.publishPortal({ PortalId }))).toMatchObject({ name: 'BadRequestException' });

  const home = `${listener.url}/_aws/apigw-portal/${PortalId}/`;
  const settings = {
    UserPoolId,
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code' as const],
    AllowedOAuthScopes: ['openid'],
    CallbackURLs: [home],
    SupportedIdentityProviders: ['COGNITO'],
  };
  const client = async (more: object) => {
    const made = await cognito.createUserPoolClient({ ...settings, ClientName: 'portal', ...more });
    const AppClientId = made.UserPoolClient!.ClientId!;
    await api.updatePortal({ PortalId, Authorization: { CognitoConfig: { ...CognitoConfig, AppClientId } } });
    return AppClientId;
  };
  await client({ GenerateSecret: true });
  expect((await refusal(api.publishPortal({ PortalId }))).message).toContain('client secret');
  const clientId = await client({});
  await api.publishPortal({ PortalId });

  await cognito.adminCreateUser({ UserPoolId, Username: 'jane', MessageAction: 'SUPPRESS' });
  await cognito.adminSetUserPassword({ UserPoolId, Username: 'jane', Password: 'Password-1', Permanent: true });
  const go = visitor();
  const asked = await go(`${home}anything`);
  expect([asked.status, asked.text]).toEqual([302, '']);
  const page = new URL(asked.location);
  expect(`${page.origin}${page.pathname}`).toBe(`${listener.url}/${UserPoolId}/oauth2/authorize`);
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    client_id: clientId,
    redirect_uri: home,
    response_type: 'code',
    scope: 'openid',
  });
  expect((await go(asked.location)).location).toContain('/login');
  // Action of the pool's page after the visitor has signed in.
  const minted = await emulator.control('POST', '/_emulator/cognito/authorization-codes', {
    userPoolId: UserPoolId,
    username: 'jane',
    clientId,
    redirectUri: home,
    scopes: ['openid'],
  });
  const { code } = minted.json as { code: string };
  const state = page.searchParams.get('state')!;
  // A link of another visitor signs nobody in.
  expect((await visitor()(`${home}?code=${code}&state=${state}`)).location).toContain('/oauth2/authorize');
  const back = await go(`${home}?code=${code}&state=${state}`);
  expect([back.status, back.location]).toEqual([302, `/_aws/apigw-portal/${PortalId}/anything`]);
  const shown = await go(home);
  expect([shown.status, shown.text.includes('Secret pets')]).toEqual([200, true]);
  expect((await visitor()(home)).status).toBe(302);
  const again = await go(`${home}nothing`);
  expect(again.status).not.toBe(302);
  // The token expires on the emulated clock.
  await emulator.kernel.clock.advance(2 * 60 * 60_000);
  expect((await go(home)).status).toBe(302);
});
