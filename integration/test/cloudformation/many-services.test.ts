import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as identity } from '@emu/svc-cognito-identity/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as ses, v2Manifest } from '@emu/svc-ses/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let cfn: CloudFormation;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [
      apigateway,
      cloudformation,
      cloudwatch,
      cognito,
      firehose,
      iam,
      identity,
      kinesis,
      s3,
      s3control,
      ses,
      stepfunctions,
      sts,
      v2Manifest,
    ],
  });
  cfn = new CloudFormation(emulator.clientConfig());
});
afterAll(async () => {
  cfn.destroy();
  await emulator.close();
});

const ref = (Ref: string) => ({ Ref });
const get = (name: string, attribute: string) => ({ 'Fn::GetAtt': [name, attribute] });
const trust = (Service: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }],
});

/** Template of types of many services that refer to each other. @param retention hours of a stream's records */
const template = (retention: string, tier: string) =>
  JSON.stringify({
    Resources: {
      // Amazon Kinesis and Amazon Data Firehose.
      Stream: { Type: 'AWS::Kinesis::Stream', Properties: { ShardCount: '1', RetentionPeriodHours: retention } },
      Consumer: {
        Type: 'AWS::Kinesis::StreamConsumer',
        Properties: { ConsumerName: 'reader', StreamARN: get('Stream', 'Arn') },
      },
      Bucket: { Type: 'AWS::S3::Bucket' },
      Access: { Type: 'AWS::S3::AccessPoint', Properties: { Bucket: ref('Bucket') } },
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: { AssumeRolePolicyDocument: trust('firehose.amazonaws.com') },
      },
      Delivery: {
        Type: 'AWS::KinesisFirehose::DeliveryStream',
        Properties: {
          DeliveryStreamType: 'KinesisStreamAsSource',
          KinesisStreamSourceConfiguration: { KinesisStreamARN: get('Stream', 'Arn'), RoleARN: get('Role', 'Arn') },
          ExtendedS3DestinationConfiguration: { BucketARN: get('Bucket', 'Arn'), RoleARN: get('Role', 'Arn') },
        },
      },
      // Amazon Cognito.
      Pool: { Type: 'AWS::Cognito::UserPool' },
      Client: { Type: 'AWS::Cognito::UserPoolClient', Properties: { UserPoolId: ref('Pool') } },
      Admins: { Type: 'AWS::Cognito::UserPoolGroup', Properties: { UserPoolId: ref('Pool'), Precedence: '1' } },
      Jane: { Type: 'AWS::Cognito::UserPoolUser', Properties: { UserPoolId: ref('Pool'), Username: 'jane' } },
      Member: {
        Type: 'AWS::Cognito::UserPoolUserToGroupAttachment',
        Properties: { UserPoolId: ref('Pool'), GroupName: ref('Admins'), Username: ref('Jane') },
      },
      Identities: {
        Type: 'AWS::Cognito::IdentityPool',
        Properties: {
          AllowUnauthenticatedIdentities: 'false',
          CognitoIdentityProviders: [{ ClientId: ref('Client'), ProviderName: get('Pool', 'ProviderName') }],
        },
      },
      Roles: {
        Type: 'AWS::Cognito::IdentityPoolRoleAttachment',
        Properties: { IdentityPoolId: ref('Identities'), Roles: { authenticated: get('Role', 'Arn') } },
      },
      // Amazon SES.
      Set: { Type: 'AWS::SES::ConfigurationSet' },
      Rules: { Type: 'AWS::SES::ReceiptRuleSet' },
      First: {
        Type: 'AWS::SES::ReceiptRule',
        Properties: { RuleSetName: ref('Rules'), Rule: { Enabled: true, Recipients: ['a.example.com'] } },
      },
      Second: {
        Type: 'AWS::SES::ReceiptRule',
        Properties: { RuleSetName: ref('Rules'), After: ref('First'), Rule: { Name: 'second', TlsPolicy: tier } },
      },
      // Amazon CloudWatch.
      Dashboard: {
        Type: 'AWS::CloudWatch::Dashboard',
        Properties: { DashboardBody: { 'Fn::Sub': '{"widgets":[],"variables":[]}' } },
      },
      // AWS Step Functions.
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: {
          RoleArn: get('Role', 'Arn'),
          Definition: { StartAt: 'A', States: { A: { Type: 'Succeed' } }, Comment: retention },
        },
      },
      Version: {
        Type: 'AWS::StepFunctions::StateMachineVersion',
        Properties: {
          StateMachineArn: ref('Machine'),
          StateMachineRevisionId: get('Machine', 'StateMachineRevisionId'),
        },
      },
      Live: {
        Type: 'AWS::StepFunctions::StateMachineAlias',
        Properties: {
          Name: 'live',
          DeploymentPreference: { StateMachineVersionArn: ref('Version'), Type: 'ALL_AT_ONCE' },
        },
      },
      // Amazon API Gateway.
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'api' } },
      Get: {
        Type: 'AWS::ApiGateway::Method',
        Properties: {
          RestApiId: ref('Api'),
          ResourceId: get('Api', 'RootResourceId'),
          HttpMethod: 'GET',
          AuthorizationType: 'NONE',
          RequestValidatorId: ref('Validator'),
          Integration: { Type: 'MOCK' },
        },
      },
      Validator: {
        Type: 'AWS::ApiGateway::RequestValidator',
        Properties: { RestApiId: ref('Api'), ValidateRequestBody: 'true' },
      },
      Deployment: {
        Type: 'AWS::ApiGateway::Deployment',
        DependsOn: 'Get',
        Properties: { RestApiId: ref('Api'), StageName: 'live', StageDescription: { ThrottlingRateLimit: '5' } },
      },
      Plan: {
        Type: 'AWS::ApiGateway::UsagePlan',
        DependsOn: 'Deployment',
        Properties: {
          ApiStages: [{ ApiId: ref('Api'), Stage: 'live' }],
          Quota: { Limit: retention, Period: 'DAY' },
        },
      },
      Key: { Type: 'AWS::ApiGateway::ApiKey', Properties: { Enabled: 'true' } },
      PlanKey: {
        Type: 'AWS::ApiGateway::UsagePlanKey',
        Properties: { KeyId: ref('Key'), KeyType: 'API_KEY', UsagePlanId: ref('Plan') },
      },
    },
    Outputs: Object.fromEntries(
      Object.entries({
        Stream: ref('Stream'),
        Delivery: ref('Delivery'),
        AccessAlias: get('Access', 'Alias'),
        Group: ref('Admins'),
        Rule: ref('Second'),
        Validator: ref('Validator'),
        Version: ref('Version'),
        PlanKey: get('PlanKey', 'Id'),
      }).map(([name, Value]) => [name, { Value }]),
    ),
  });

async function settled(StackName: string): Promise<Record<string, string>> {
  const stack = async () => (await cfn.describeStacks({ StackName })).Stacks![0]!;
  await expect
    .poll(async () => (await stack()).StackStatus, { timeout: 30_000, interval: 50 })
    .not.toMatch(/_IN_PROGRESS$/);
  const { Outputs = [], StackStatus } = await stack();
  const { StackEvents = [] } = await cfn.describeStackEvents({ StackName });
  const failed = StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED'));
  expect(
    failed.map(({ LogicalResourceId, ResourceStatusReason }) => [LogicalResourceId, ResourceStatusReason]),
  ).toEqual([]);
  return {
    status: StackStatus!,
    ...Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey!, OutputValue!])),
  };
}

test('a stack has resources of many services, updates them in place, and deletes them', {
  timeout: 120_000,
}, async () => {
  const { StackId: StackName } = await cfn.createStack({
    StackName: 'many',
    TemplateBody: template('24', 'Optional'),
    Capabilities: ['CAPABILITY_IAM'],
    Tags: [{ Key: 'team', Value: 'all' }],
  });
  const made = await settled(StackName!);
  expect(made).toMatchObject({
    status: 'CREATE_COMPLETE',
    AccessAlias: expect.stringMatching(/-s3alias$/),
    Group: expect.stringMatching(/^many-Admins-/),
    Rule: 'second',
    Validator: expect.stringMatching(/^[a-z0-9]+$/),
    Version: expect.stringMatching(/:1$/),
    PlanKey: expect.stringContaining(':'),
  });
  await cfn.updateStack({
    StackName,
    TemplateBody: template('48', 'Require'),
    Capabilities: ['CAPABILITY_IAM'],
  });
  const changed = await settled(StackName!);
  expect(changed).toMatchObject({
    ...made,
    status: 'UPDATE_COMPLETE',
    // Another revision of the definition is another version.
    Version: expect.stringMatching(/:2$/),
  });
  const { StreamDescriptionSummary } = (await emulator.kernel.callJson('kinesis', 'DescribeStreamSummary', {
    StreamName: made.Stream,
  })) as { StreamDescriptionSummary: object };
  expect(StreamDescriptionSummary).toMatchObject({ RetentionPeriodHours: 48, ConsumerCount: 1 });
  await cfn.deleteStack({ StackName });
  expect((await settled(StackName!)).status).toBe('DELETE_COMPLETE');
  for (const [service, operation, names] of [
    ['kinesis', 'ListStreams', 'StreamNames'],
    ['firehose', 'ListDeliveryStreams', 'DeliveryStreamNames'],
    ['apigateway', 'GetUsagePlans', 'items'],
    ['stepfunctions', 'ListStateMachines', 'stateMachines'],
  ] as const)
    expect((await emulator.kernel.callJson(service, operation, {})) as object).toMatchObject({ [names]: [] });
});
