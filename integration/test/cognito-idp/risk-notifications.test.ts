import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { SES } from '@aws-sdk/client-ses';
import type { SesEmail } from '@emu/control-client';
import { createTestEmulator, rejection, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as sesManifest } from '@emu/svc-ses/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '000000000000';
const PASSWORD = 'Passw0rd!';
const Username = 'jane';
const LINKS =
  'From {ip-address}, event {event-id}, token {feedback-token}: {one-click-link-valid} {one-click-link-invalid}';

let emulator: TestEmulator;
let cognito: CognitoIdentityProvider;
let UserPoolId: string;
let ClientId: string;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, sesManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1' },
  });
  cognito = new CognitoIdentityProvider({ ...emulator.clientConfig(), maxAttempts: 1 });
  const { UserPool } = await cognito.createUserPool({
    PoolName: 'p',
    UserPoolTier: 'PLUS',
    UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
  });
  UserPoolId = UserPool!.Id!;
  const { UserPoolClient } = await cognito.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
  });
  ClientId = UserPoolClient!.ClientId!;
  await cognito.adminCreateUser({
    UserPoolId,
    Username,
    MessageAction: 'SUPPRESS',
    UserAttributes: [{ Name: 'email', Value: 'jane@example.org' }],
  });
  await cognito.adminSetUserPassword({ UserPoolId, Username, Password: PASSWORD, Permanent: true });
  await cognito.setRiskConfiguration({
    UserPoolId,
    AccountTakeoverRiskConfiguration: {
      Actions: {
        LowAction: { Notify: true, EventAction: 'NO_ACTION' },
        HighAction: { Notify: true, EventAction: 'BLOCK' },
      },
      NotifyConfiguration: {
        SourceArn: `arn:aws:ses:us-east-1:${ACCOUNT}:identity/example.com`,
        From: 'guard@example.com',
        ReplyTo: 'help@example.com',
        BlockEmail: { Subject: 'Blocked {username}', TextBody: LINKS, HtmlBody: `<p>${LINKS}</p>` },
      },
    },
  });
});
afterAll(() => emulator.close());

const level = (riskLevel: string) =>
  emulator.control('POST', '/_emulator/cognito/risk-levels', { userPoolId: UserPoolId, username: Username, riskLevel });
const signIn = () =>
  cognito.initiateAuth({
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: Username, PASSWORD },
  });
const emails = async (): Promise<SesEmail[]> => {
  const { json } = await emulator.control('GET', '/_emulator/ses/emails');
  return (json as { emails: SesEmail[] }).emails;
};
const latestEvent = async () => (await cognito.adminListUserAuthEvents({ UserPoolId, Username })).AuthEvents![0]!;

test('users are notified of a blocked sign-in, and report by a link or its token whether it was theirs', async () => {
  await level('High');
  // An identity unknown to SES: the sign-in is still blocked.
  expect((await rejection(signIn())).name).toBe('NotAuthorizedException');
  expect(await emails()).toEqual([]);
  await new SES(emulator.clientConfig()).verifyDomainIdentity({ Domain: 'example.com' });
  expect((await rejection(signIn())).message).toBe('Unable to login because of security reasons.');
  const email = (await emails()).at(-1)!;
  expect(email).toMatchObject({ subject: 'Blocked jane', from: expect.stringContaining('guard@example.com') });
  expect(email.htmlBody).toContain('<p>From ');
  const event = await latestEvent();
  expect(event).toMatchObject({ EventResponse: 'Fail', EventRisk: { RiskDecision: 'Block', RiskLevel: 'High' } });
  const [, id, FeedbackToken, valid] = /event (\S+), token (\S+): (\S+)/.exec(email.textBody!)!;
  expect(id).toBe(event.EventId);

  const page = (await emulator.gateway.fetch(new Request(valid!))) as Response;
  expect(await page.text()).toContain('Thank you');
  expect((await latestEvent()).EventFeedback).toMatchObject({ FeedbackValue: 'Valid', Provider: 'User' });
  const forged = new URL(valid!);
  forged.searchParams.set('feedback_token', 'forged');
  expect(await ((await emulator.gateway.fetch(new Request(forged))) as Response).text()).toContain('Invalid link');
  await cognito.updateAuthEventFeedback({
    UserPoolId,
    Username,
    EventId: id!,
    FeedbackToken: FeedbackToken!,
    FeedbackValue: 'Invalid',
  });
  expect((await latestEvent()).EventFeedback).toMatchObject({ FeedbackValue: 'Invalid' });
});

test("an allowed sign-in is reported with emu's own text if none is configured", async () => {
  await level('Low');
  expect((await signIn()).AuthenticationResult).toBeDefined();
  const email = (await emails()).at(-1)!;
  expect(email).toMatchObject({ subject: 'New sign-in attempt' });
  expect(email.textBody).toContain('eventFeedback?user_name=jane');
});
