import { createConnection } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Firehose } from '@aws-sdk/client-firehose';
import { KMS } from '@aws-sdk/client-kms';
import { Lambda } from '@aws-sdk/client-lambda';
import { SES } from '@aws-sdk/client-ses';
import { SFN } from '@aws-sdk/client-sfn';
import { SSM } from '@aws-sdk/client-ssm';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emu, freePort, startEmu } from '../src/emu.ts';

// Libraries that services load on demand are separate chunks of the CLI bundle, which tests of sources do not cover.
let emu: Emu;
let smtpPort: number;
let config: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };

beforeAll(async () => {
  smtpPort = await freePort();
  emu = await startEmu({
    args: ['--smtp', '--smtp-addr', `127.0.0.1:${smtpPort}`],
    env: { EMULATOR_LAMBDA_BACKEND: 'process' },
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  config = { endpoint: emu.url, region: 'us-east-1', credentials };
});
afterAll(() => emu?.kill());

test('SES parses raw mails and receives mail', async () => {
  const ses = new SES(config);
  await ses.verifyEmailIdentity({ EmailAddress: 'ann@example.com' });
  const Data = Buffer.from('From: ann@example.com\r\nTo: bob@example.com\r\nSubject: raw\r\n\r\ntext');
  const { MessageId } = await ses.sendRawEmail({ RawMessage: { Data } });
  const answer = await fetch(`${emu.url}/_emulator/ses/emails`);
  const { emails } = (await answer.json()) as { emails: unknown[] };
  expect(emails).toMatchObject([{ messageId: MessageId, subject: 'raw' }]);
  await ses.createConfigurationSet({ ConfigurationSet: { Name: 'tracked' } });
  await ses.createConfigurationSetEventDestination({
    ConfigurationSetName: 'tracked',
    EventDestination: {
      Name: 'clicks',
      Enabled: true,
      MatchingEventTypes: ['click'],
      CloudWatchDestination: {
        DimensionConfigurations: [
          { DimensionName: 'campaign', DimensionValueSource: 'messageTag', DefaultDimensionValue: 'none' },
        ],
      },
    },
  });
  const linked = String(Data).replace(
    '\r\n\r\ntext',
    '\r\nContent-Type: text/html\r\n\r\n<a href="https://example.org/">a</a>',
  );
  const tracked = await ses.sendRawEmail({
    RawMessage: { Data: Buffer.from(linked) },
    ConfigurationSetName: 'tracked',
  });
  const sent = await fetch(`${emu.url}/_emulator/ses/emails`);
  const { emails: both } = (await sent.json()) as { emails: { messageId: string; htmlBody?: string }[] };
  expect(both.find(({ messageId }) => messageId === tracked.MessageId)?.htmlBody).toMatch(/^<a href="http.*\/click\//);
  const socket = createConnection(smtpPort, '127.0.0.1');
  const [greeting] = await new Promise<Buffer[]>((resolve, reject) =>
    socket.once('data', (data) => resolve([data])).once('error', reject),
  );
  socket.destroy();
  expect(String(greeting)).toMatch(/^220 .*emu ESMTP/);
});

test('API Gateway creates client certificates', async () => {
  const { pemEncodedCertificate } = await new APIGateway(config).generateClientCertificate({});
  expect(pemEncodedCertificate).toContain('-----BEGIN CERTIFICATE-----');
});

test('Firehose compiles queries of jq', async () => {
  const firehose = new Firehose(config);
  const create = (MetadataExtractionQuery: string) =>
    firehose.createDeliveryStream({
      DeliveryStreamName: 'queried',
      ExtendedS3DestinationConfiguration: {
        RoleARN: 'arn:aws:iam::123456789012:role/delivery',
        BucketARN: 'arn:aws:s3:::queried',
        BufferingHints: { SizeInMBs: 64, IntervalInSeconds: 60 },
        Prefix: '!{partitionKeyFromQuery:team}/',
        ErrorOutputPrefix: 'error/',
        DynamicPartitioningConfiguration: { Enabled: true },
        ProcessingConfiguration: {
          Enabled: true,
          Processors: [
            {
              Type: 'MetadataExtraction',
              Parameters: [
                { ParameterName: 'MetadataExtractionQuery', ParameterValue: MetadataExtractionQuery },
                { ParameterName: 'JsonParsingEngine', ParameterValue: 'JQ-1.6' },
              ],
            },
          ],
        },
      },
    });
  await expect(create('{team: ')).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  expect((await create('{team: .team}')).DeliveryStreamARN).toContain('deliverystream/queried');
});

test('Cognito encrypts codes for custom sender functions', async () => {
  const { KeyMetadata } = await new KMS(config).createKey({});
  const { FunctionArn } = await new Lambda(config).createFunction({
    FunctionName: 'sender',
    Runtime: 'nodejs22.x',
    Handler: 'index.handler',
    Role: 'arn:aws:iam::123456789012:role/function',
    Timeout: 60,
    Code: {
      ZipFile: zipOf({ 'index.js': 'exports.handler = async (e) => { throw new Error(typeof e.request.code); };' }),
    },
  });
  const cognito = new CognitoIdentityProvider(config);
  const { UserPool } = await cognito.createUserPool({
    PoolName: 'custom',
    AutoVerifiedAttributes: ['email'],
    LambdaConfig: {
      CustomEmailSender: { LambdaVersion: 'V1_0', LambdaArn: FunctionArn },
      KMSKeyID: KeyMetadata!.Arn,
    },
  });
  const { UserPoolClient } = await cognito.createUserPoolClient({ UserPoolId: UserPool!.Id, ClientName: 'web' });
  const UserAttributes = [{ Name: 'email', Value: 'jane@example.com' }];
  const signUp = { ClientId: UserPoolClient!.ClientId, Username: 'jane', Password: 'Passw0rd!', UserAttributes };
  await expect(cognito.signUp(signUp)).rejects.toMatchObject({
    name: 'UserLambdaValidationException',
    message: expect.stringContaining('string'),
  });
});

test('Systems Manager parses Cedar policies', async () => {
  const ssm = new SSM(config);
  const create = (content: string) =>
    ssm.createDocument({
      Name: 'SSM-JustInTimeAccessAutoApprovalPolicy',
      DocumentType: 'AutoApprovalPolicy',
      Content: JSON.stringify({ schemaVersion: '0.3', AutoApprovalPolicyDocuments: [{ type: 'Cedar', content }] }),
    });
  await expect(create('permit oops;')).rejects.toMatchObject({ name: 'InvalidDocumentContent' });
  expect((await create('permit (principal, action, resource);')).DocumentDescription!.DocumentVersion).toBe('1');
});

test('programs of users run in processes', async () => {
  const sfn = new SFN(config);
  const states = { S: { Type: 'Pass', End: true, Output: '{% $sort($states.input) %}' } };
  const { stateMachineArn } = await sfn.createStateMachine({
    name: 'sorting',
    roleArn: 'arn:aws:iam::000000000000:role/states',
    definition: JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'S', States: states }),
  });
  const { executionArn } = await sfn.startExecution({ stateMachineArn, input: '[3,1,2]' });
  await expect
    .poll(async () => (await sfn.describeExecution({ executionArn })).output, { timeout: 20_000 })
    .toBe('[1,2,3]');
  const ses = new SES(config);
  await ses.createTemplate({ Template: { TemplateName: 'hello', SubjectPart: 'Hi {{name}}', TextPart: 'text' } });
  const { RenderedTemplate } = await ses.testRenderTemplate({ TemplateName: 'hello', TemplateData: '{"name":"Ann"}' });
  expect(RenderedTemplate).toContain('Subject: Hi Ann');
});
