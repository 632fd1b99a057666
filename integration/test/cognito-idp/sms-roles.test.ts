import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { IAM } from '@aws-sdk/client-iam';
import type { SnsSms } from '@emu/control-client';
import { createTestEmulator, rejection } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';

const manifests = [manifest, iamManifest, snsManifest, stsManifest];
const PHONE = '+15555550123';

/** Signs a user up in a pool whose SMS are sent by a role. */
async function signUp(
  cognito: CognitoIdentityProvider,
  SmsConfiguration: { SnsCallerArn: string; ExternalId?: string },
) {
  const { UserPool } = await cognito.createUserPool({
    PoolName: 'p',
    AutoVerifiedAttributes: ['phone_number'],
    SmsConfiguration,
  });
  const UserPoolId = UserPool!.Id!;
  const { UserPoolClient } = await cognito.createUserPoolClient({ UserPoolId, ClientName: 'c' });
  return cognito.signUp({
    ClientId: UserPoolClient!.ClientId!,
    Username: 'jane',
    Password: 'Passw0rd!',
    UserAttributes: [{ Name: 'phone_number', Value: PHONE }],
  });
}

test('SMS require a role that trusts Cognito with its external id, if policies are enforced', async () => {
  await using emulator = await createTestEmulator({
    manifests,
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const cognito = new CognitoIdentityProvider({ ...emulator.clientConfig(), maxAttempts: 1 });
  const iam = new IAM(emulator.clientConfig());
  const roleFor = async (Service: string): Promise<string> => {
    const Statement = {
      Effect: 'Allow',
      Principal: { Service },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': 'ours' } },
    };
    const { Role } = await iam.createRole({
      RoleName: Service,
      AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement }),
    });
    return Role!.Arn!;
  };
  const role = await roleFor('cognito-idp.amazonaws.com');
  const sent = await signUp(cognito, { SnsCallerArn: role, ExternalId: 'ours' });
  expect(sent.CodeDeliveryDetails).toMatchObject({ DeliveryMedium: 'SMS' });
  const refused = async (config: { SnsCallerArn: string; ExternalId?: string }) =>
    (await rejection(signUp(cognito, config))).name;
  expect(await refused({ SnsCallerArn: role, ExternalId: 'theirs' })).toBe('InvalidSmsRoleTrustRelationshipException');
  expect(await refused({ SnsCallerArn: await roleFor('lambda.amazonaws.com'), ExternalId: 'ours' })).toBe(
    'InvalidSmsRoleTrustRelationshipException',
  );
});

test('SMS are sent with an unknown role if policies are not enforced', async () => {
  await using emulator = await createTestEmulator({ manifests });
  const cognito = new CognitoIdentityProvider(emulator.clientConfig());
  await signUp(cognito, { SnsCallerArn: 'arn:aws:iam::000000000000:role/none' });
  const { json } = await emulator.control('GET', '/_emulator/sns/sms');
  expect((json as { messages: SnsSms[] }).messages.at(-1)).toMatchObject({ phoneNumber: PHONE });
});
