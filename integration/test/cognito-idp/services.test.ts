import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import { SNS } from '@aws-sdk/client-sns';
import { createTestEmulator, rejection, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const Password = 'Passw0rd!';
const NUMBER = '+15555550123';
const UserAttributes = [{ Name: 'phone_number', Value: NUMBER }];

let emulator: TestEmulator;
let cognito: CognitoIdentityProvider;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest, lambdaManifest, snsManifest] });
  cognito = new CognitoIdentityProvider(emulator.clientConfig());
});
afterAll(() => emulator.close());

/** Creates a client of a new pool. */
async function client(pool: object): Promise<string> {
  const { UserPool } = await cognito.createUserPool({ PoolName: 'p', ...pool });
  const { UserPoolClient } = await cognito.createUserPoolClient({ UserPoolId: UserPool!.Id, ClientName: 'c' });
  return UserPoolClient!.ClientId!;
}

test('codes are sent as SMS through SNS, unless the number has opted out', async () => {
  const ClientId = await client({
    AutoVerifiedAttributes: ['phone_number'],
    SmsVerificationMessage: 'Welcome: {####}',
    SmsConfiguration: { SnsCallerArn: 'arn:aws:iam::000000000000:role/sms' },
  });
  await cognito.signUp({ ClientId, Username: 'jane', Password, UserAttributes });
  const { json } = await emulator.control('GET', '/_emulator/sns/sms');
  const { messages } = json as { messages: { message: string; phoneNumber: string }[] };
  expect(messages.at(-1)).toMatchObject({ phoneNumber: NUMBER, message: expect.stringMatching(/^Welcome: \d{6}$/) });
  const ConfirmationCode = messages.at(-1)!.message.slice(-6);
  await cognito.confirmSignUp({ ClientId, Username: 'jane', ConfirmationCode });
  expect(
    (await new SNS(emulator.clientConfig()).checkIfPhoneNumberIsOptedOut({ phoneNumber: NUMBER })).isOptedOut,
  ).toBe(false);
});

test('a function of the pool decides on sign-ups', async () => {
  const lambda = new Lambda(emulator.clientConfig());
  const handler =
    "exports.handler = async (event) => { if (event.userName === 'eve') throw new Error('not you'); event.response.autoConfirmUser = true; return event; };";
  const { FunctionArn } = await lambda.createFunction({
    FunctionName: 'pre-sign-up',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role: 'arn:aws:iam::000000000000:role/function',
    Code: { ZipFile: zipOf({ 'index.js': handler }) },
  });
  const ClientId = await client({ LambdaConfig: { PreSignUp: FunctionArn } });
  expect((await cognito.signUp({ ClientId, Username: 'jane', Password })).UserConfirmed).toBe(true);
  const { name, message } = await rejection(cognito.signUp({ ClientId, Username: 'eve', Password }));
  expect(`${name}: ${message}`).toBe('UserLambdaValidationException: PreSignUp failed with error not you.');
});
