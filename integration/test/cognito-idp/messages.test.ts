import { buildClient, CommitmentPolicy, getClient, KMS, KmsKeyringNode } from '@aws-crypto/client-node';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { KMS as KmsClient } from '@aws-sdk/client-kms';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SES } from '@aws-sdk/client-ses';
import type { SesEmail } from '@emu/control-client';
import { createTestEmulator, rejection, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sesManifest } from '@emu/svc-ses/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ACCOUNT = '000000000000';
const Password = 'Passw0rd!';
const ADDRESS = 'jane@example.org';
const UserAttributes = [{ Name: 'email', Value: ADDRESS }];
const AutoVerifiedAttributes = ['email' as const];

let emulator: TestEmulator;
let cognito: CognitoIdentityProvider;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, kmsManifest, lambdaManifest, logsManifest, s3Manifest, sesManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1' },
  });
  cognito = new CognitoIdentityProvider({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(() => emulator.close());

/** Creates a pool with a client. */
async function make(settings: object): Promise<{ UserPoolId: string; ClientId: string }> {
  const { UserPool } = await cognito.createUserPool({ PoolName: 'p', AutoVerifiedAttributes, ...settings });
  const UserPoolId = UserPool!.Id!;
  const { UserPoolClient } = await cognito.createUserPoolClient({ UserPoolId, ClientName: 'c' });
  return { UserPoolId, ClientId: UserPoolClient!.ClientId! };
}

const signUp = (ClientId: string, Username = 'jane') =>
  cognito.signUp({ ClientId, Username, Password, UserAttributes });
const latestEmail = async (): Promise<SesEmail> => {
  const { json } = await emulator.control('GET', '/_emulator/ses/emails');
  return (json as { emails: SesEmail[] }).emails.at(-1)!;
};

test('e-mails are sent through SES if the pool is configured so, with codes and links that confirm', async () => {
  await new SES(emulator.clientConfig()).verifyDomainIdentity({ Domain: 'example.com' });
  const EmailConfiguration = {
    EmailSendingAccount: 'DEVELOPER',
    SourceArn: `arn:aws:ses:us-east-1:${ACCOUNT}:identity/example.com`,
    From: 'Pool <pool@example.com>',
    ReplyToEmailAddress: 'help@example.com',
  };
  const coded = await make({ EmailConfiguration, EmailVerificationSubject: 'Welcome' });
  await signUp(coded.ClientId);
  const email = await latestEmail();
  expect(email).toMatchObject({ subject: 'Welcome', from: expect.stringContaining('pool@example.com') });
  const ConfirmationCode = /\d{6}/.exec(email.htmlBody!)![0];
  await cognito.confirmSignUp({ ClientId: coded.ClientId, Username: 'jane', ConfirmationCode });

  const linked = await make({
    EmailConfiguration,
    VerificationMessageTemplate: {
      DefaultEmailOption: 'CONFIRM_WITH_LINK',
      EmailMessageByLink: 'Please {##open this##}',
    },
  });
  await signUp(linked.ClientId);
  const { htmlBody } = await latestEmail();
  const link = /<a href="([^"]+)">open this<\/a>/.exec(htmlBody!)![1]!;
  await emulator.gateway.fetch(new Request(link));
  const { UserStatus } = await cognito.adminGetUser({ UserPoolId: linked.UserPoolId, Username: 'jane' });
  expect(UserStatus).toBe('CONFIRMED');
});

test('an unverified identity sends nothing, which the exported log reports', async () => {
  const logGroupName = '/aws/vendedlogs/pool';
  const { ClientId, UserPoolId } = await make({
    EmailConfiguration: {
      EmailSendingAccount: 'DEVELOPER',
      SourceArn: `arn:aws:ses:us-east-1:${ACCOUNT}:identity/unverified.example`,
    },
  });
  await cognito.setLogDeliveryConfiguration({
    UserPoolId,
    LogConfigurations: [
      {
        EventSource: 'userNotification',
        LogLevel: 'ERROR',
        CloudWatchLogsConfiguration: { LogGroupArn: `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:${logGroupName}` },
      },
    ],
  });
  const { name } = await rejection(signUp(ClientId));
  expect(name).toBe('CodeDeliveryFailureException');
  const logs = new CloudWatchLogs(emulator.clientConfig());
  const lines = async (): Promise<string[]> =>
    (await logs.filterLogEvents({ logGroupName }).catch(() => ({ events: [] }))).events!.map(({ message }) => message!);
  await expect.poll(lines).toHaveLength(1);
  expect(JSON.parse((await lines())[0]!)).toMatchObject({
    eventSource: 'USER_NOTIFICATION',
    logLevel: 'ERROR',
    message: { details: expect.stringContaining('CustomMessage_SignUp') },
    logSourceId: { userPoolId: UserPoolId },
  });
});

test('activity of users is exported to a bucket', async () => {
  const s3 = new S3(emulator.clientConfig());
  await s3.createBucket({ Bucket: 'activity' });
  const { UserPoolId, ClientId } = await make({ UserPoolTier: 'PLUS' });
  await cognito.setLogDeliveryConfiguration({
    UserPoolId,
    LogConfigurations: [
      { EventSource: 'userAuthEvents', LogLevel: 'INFO', S3Configuration: { BucketArn: 'arn:aws:s3:::activity' } },
    ],
  });
  await signUp(ClientId);
  const keys = async () => ((await s3.listObjectsV2({ Bucket: 'activity' })).Contents ?? []).map(({ Key }) => Key);
  await expect.poll(keys).toHaveLength(1);
  const { Body } = await s3.getObject({ Bucket: 'activity', Key: (await keys())[0] });
  expect(JSON.parse(await Body!.transformToString())).toMatchObject({
    eventSource: 'USER_ACTIVITY',
    logLevel: 'INFO',
    message: { eventType: 'SignUp', userName: 'jane', clientId: ClientId, eventResponse: 'InProgress' },
  });
});

test('import jobs log the result of each line', async () => {
  const made = await make({});
  const { UserImportJob } = await cognito.createUserImportJob({
    UserPoolId: made.UserPoolId,
    JobName: 'import',
    CloudWatchLogsRoleArn: `arn:aws:iam::${ACCOUNT}:role/logs`,
  });
  const { CSVHeader } = await cognito.getCSVHeader({ UserPoolId: made.UserPoolId });
  const row = CSVHeader!.map((name) => ({ 'cognito:username': 'ann', 'cognito:mfa_enabled': 'false' })[name] ?? '');
  await emulator.gateway.fetch(
    new Request(UserImportJob!.PreSignedUrl!, {
      method: 'PUT',
      headers: { 'x-amz-server-side-encryption': 'aws:kms' },
      body: `${CSVHeader!.join(',')}\n${row.join(',')}\n`,
    }),
  );
  await cognito.startUserImportJob({ UserPoolId: made.UserPoolId, JobId: UserImportJob!.JobId! });
  const logs = new CloudWatchLogs(emulator.clientConfig());
  const lines = async (): Promise<string[]> => {
    const logGroupName = `/aws/cognito/userpools/${made.UserPoolId}/p`;
    const { events = [] } = await logs.filterLogEvents({ logGroupName }).catch(() => ({ events: [] }));
    return events.map(({ message }) => message!);
  };
  await expect
    .poll(lines)
    .toEqual([
      '[FAILED] Line Number 2 - The User Record does not set any of the auto verified attributes to true. (Example: email_verified to true).',
    ]);
});

test("a custom sender function receives codes encrypted with the pool's key", async () => {
  const kms = new KmsClient(emulator.clientConfig());
  const { KeyMetadata } = await kms.createKey({});
  const lambda = new Lambda(emulator.clientConfig());
  const { FunctionArn: LambdaArn } = await lambda.createFunction({
    FunctionName: 'sender',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role: `arn:aws:iam::${ACCOUNT}:role/function`,
    // The function returns its input as its error.
    Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async (e) => { throw new Error(JSON.stringify(e)); };' }) },
  });
  const { ClientId, UserPoolId } = await make({
    LambdaConfig: { CustomEmailSender: { LambdaVersion: 'V1_0', LambdaArn }, KMSKeyID: KeyMetadata!.Arn },
  });
  const { name, message } = await rejection(signUp(ClientId));
  expect(name).toBe('UserLambdaValidationException');
  const event = JSON.parse(/\{.*\}/.exec(message)![0]) as { request: { code: string } };
  expect(event).toMatchObject({
    triggerSource: 'CustomEmailSender_SignUp',
    userPoolId: UserPoolId,
    request: { type: 'customEmailSenderRequestV1', userAttributes: { email: ADDRESS } },
  });
  const { decrypt } = buildClient(CommitmentPolicy.REQUIRE_ENCRYPT_ALLOW_DECRYPT);
  const clientProvider = getClient(KMS, emulator.clientConfig() as never);
  const keyring = new KmsKeyringNode({ keyIds: [KeyMetadata!.Arn!], clientProvider });
  const { plaintext, messageHeader } = await decrypt(keyring, Buffer.from(event.request.code, 'base64'));
  expect(messageHeader.encryptionContext['userpool-id']).toBe(UserPoolId);
  const ConfirmationCode = plaintext.toString();
  expect(ConfirmationCode).toMatch(/^\d{6}$/);
  await cognito.confirmSignUp({ ClientId, Username: 'jane', ConfirmationCode });
});
