import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type PolicyStatement, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as ses, v2Manifest as sesv2 } from '@emu/svc-ses/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;
const TEMPLATE = JSON.stringify({ Resources: { W: { Type: 'AWS::CloudFormation::WaitConditionHandle' } } });
const COLORS = {
  AccentColor: '#000000',
  BackgroundColor: '#ffffff',
  ErrorValidationColor: '#ff0000',
  HeaderColor: '#ffffff',
  NavigationColor: '#ffffff',
  TextColor: '#000000',
};
const url = (key: string): string => `https://secrets.s3.amazonaws.com/${key}`;

let identities: TestIdentities;
let emulator: TestEmulator;
beforeAll(async () => {
  identities = new TestIdentities();
  identities.role('app', { trusts: [{ Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' }] });
  emulator = await createTestEmulator({
    manifests: [
      apigateway,
      apigatewayv2,
      cloudformation,
      dynamodb,
      lambda,
      s3,
      ses,
      sesv2,
      ssm,
      sts,
      identities.manifest,
    ],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const root = new S3({ ...emulator.clientConfig(), forcePathStyle: true });
  await root.createBucket({ Bucket: 'secrets' });
  await root.putObject({ Bucket: 'secrets', Key: 'template', Body: TEMPLATE });
  await root.putObject({ Bucket: 'secrets', Key: 'policy', Body: '{"Statement":[]}' });
  await root.putObject({ Bucket: 'secrets', Key: 'list', Body: ACCOUNT });
});
afterAll(() => emulator.close());

type As = <Client>(client: new (config: ReturnType<TestEmulator['clientConfig']>) => Client) => Client;

/** Makes clients of a user who may do everything but what a statement denies. */
function user(name: string, ...denied: PolicyStatement[]): As {
  const may = [{ Effect: 'Allow', Action: '*', Resource: '*' }, ...denied];
  const credentials = identities.user(emulator, name, { may });
  return (client) => new client(emulator.clientConfig(credentials));
}
const DENIED: PolicyStatement = { Effect: 'Deny', Action: 's3:GetObject', Resource: 'arn:aws:s3:::secrets/*' };
const refused = (key: string): string =>
  `User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::secrets/${key}" with an explicit deny in an identity-based policy`;

const READS: readonly (readonly [what: string, key: string, read: (as: As) => Promise<unknown>])[] = [
  ['a template', 'template', (as) => as(CloudFormation).validateTemplate({ TemplateURL: url('template') })],
  [
    'a stack policy',
    'policy',
    (as) => as(CloudFormation).createStack({ StackName: 's', TemplateBody: TEMPLATE, StackPolicyURL: url('policy') }),
  ],
  [
    'the stacks for a stack set',
    'list',
    async (as) => {
      const set = { StackSetName: 'set', TemplateBody: TEMPLATE };
      await new CloudFormation(emulator.clientConfig()).createStackSet(set);
      await as(CloudFormation).importStacksToStackSet({ StackSetName: 'set', StackIdsUrl: url('list') });
    },
  ],
  [
    'a truststore',
    'ca.pem',
    (as) =>
      as(APIGateway).createDomainName({
        domainName: 'api.example.com',
        regionalCertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/00000000-0000-0000-0000-000000000000`,
        endpointConfiguration: { types: ['REGIONAL'] },
        securityPolicy: 'TLS_1_2',
        mutualTlsAuthentication: { truststoreUri: 's3://secrets/ca.pem' },
      }),
  ],
  [
    'target locations of an automation',
    'locations',
    async (as) => {
      await new SSM(emulator.clientConfig()).createDocument({
        Name: 'runbook',
        DocumentType: 'Automation',
        Content: JSON.stringify({
          schemaVersion: '0.3',
          mainSteps: [{ name: 'hold', action: 'aws:pause', inputs: {} }],
        }),
      });
      await as(SSM).startAutomationExecution({
        DocumentName: 'runbook',
        TargetLocationsURL: 'https://secrets.s3.us-east-1.amazonaws.com/locations',
      });
    },
  ],
];

test.each(READS)('the caller requires the permission to read %s', async (_what, key, read) => {
  await expect(read(user('jane', DENIED))).rejects.toMatchObject({ message: expect.stringContaining(refused(key)) });
});

test('the caller reads a template that the permission covers', async () => {
  const own = { Effect: 'Deny', Action: 's3:GetObject', NotResource: 'arn:aws:s3:::secrets/template' };
  const { Parameters } = await user('june', own)(CloudFormation).validateTemplate({ TemplateURL: url('template') });
  expect(Parameters).toEqual([]);
});

test("Lambda reads a package as the caller, with AWS's message", async () => {
  const create = (as: As) =>
    as(Lambda).createFunction({
      FunctionName: 'f',
      Role: ROLE,
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Code: { S3Bucket: 'secrets', S3Key: 'template' },
    });
  await expect(create(user('jane', DENIED))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message:
      'Your access has been denied by S3, please make sure your request credentials have permission to GetObject for secrets/template. S3 Error Code: AccessDenied. S3 Error Message: Access Denied',
    $metadata: expect.objectContaining({ httpStatusCode: 403 }),
  });
  await expect(create(user('june'))).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
});

test('DynamoDB imports a table as the caller', async () => {
  const db = user('jane', DENIED)(DynamoDB);
  const { ImportTableDescription } = await db.importTable({
    S3BucketSource: { S3Bucket: 'secrets', S3KeyPrefix: 'list' },
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: {
      TableName: 'imported',
      AttributeDefinitions: [{ AttributeName: 'k', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
  });
  const { ImportArn } = ImportTableDescription!;
  await vi.waitFor(async () => {
    const { ImportTableDescription: described } = await db.describeImport({ ImportArn });
    expect(described).toMatchObject({
      ImportStatus: 'FAILED',
      FailureCode: 'S3AccessDenied',
      FailureMessage: expect.stringContaining(refused('list')),
    });
  });
});

test('SES imports a file as the caller', async () => {
  const ses = user('jane', DENIED)(SESv2);
  const { JobId } = await ses.createImportJob({
    ImportDestination: { SuppressionListDestination: { SuppressionListImportAction: 'PUT' } },
    ImportDataSource: { S3Url: 's3://secrets/list', DataFormat: 'CSV' },
  });
  await vi.waitFor(async () => {
    expect(await ses.getImportJob({ JobId })).toMatchObject({
      JobStatus: 'FAILED',
      FailureInfo: { ErrorMessage: expect.stringContaining(refused('list')) },
    });
  });
});

test('a portal has a logo that its author, and whoever publishes it, may read', async () => {
  const portal = {
    Authorization: { None: {} },
    EndpointConfiguration: { None: {} },
    PortalContent: { DisplayName: 'shop', Theme: { CustomColors: COLORS } },
  };
  const LogoUri = 's3://secrets/template';
  const refusal = { name: 'BadRequestException', message: `The logo could not be read: ${LogoUri}` };
  await expect(user('jane', DENIED)(ApiGatewayV2).createPortal({ ...portal, LogoUri })).rejects.toMatchObject(refusal);
  const { PortalId } = await user('june')(ApiGatewayV2).createPortal({ ...portal, LogoUri });
  await expect(user('jane', DENIED)(ApiGatewayV2).publishPortal({ PortalId })).rejects.toMatchObject(refusal);
  await user('june')(ApiGatewayV2).publishPortal({ PortalId });
});
