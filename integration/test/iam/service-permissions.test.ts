import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudControl } from '@aws-sdk/client-cloudcontrol';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentity } from '@aws-sdk/client-cognito-identity';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Firehose } from '@aws-sdk/client-firehose';
import { Kinesis, waitUntilStreamExists } from '@aws-sdk/client-kinesis';
import { Pipes } from '@aws-sdk/client-pipes';
import { S3 } from '@aws-sdk/client-s3';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SES } from '@aws-sdk/client-ses';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type PolicyStatement, type TestEmulator, TestIdentities } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as cognitoIdentity } from '@emu/svc-cognito-identity/manifest';
import { manifest as cognitoIdp } from '@emu/svc-cognito-idp/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as ses } from '@emu/svc-ses/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;
const QUEUE = `arn:aws:sqs:us-east-1:${ACCOUNT}:q`;
const TEMPLATE = JSON.stringify({ Resources: { W: { Type: 'AWS::CloudFormation::WaitConditionHandle' } } });
const MACHINE = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Succeed' } } });
const FUNCTION_URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:f/invocations`;
/** API with an integration that uses the role. */
const INTEGRATED = JSON.stringify({
  openapi: '3.0.1',
  info: { title: 'a', version: '1' },
  paths: {
    '/': {
      get: {
        'x-amazon-apigateway-integration': {
          type: 'aws_proxy',
          httpMethod: 'POST',
          payloadFormatVersion: '2.0',
          uri: FUNCTION_URI,
          credentials: ROLE,
        },
      },
    },
  },
});

let identities: TestIdentities;
let emulator: TestEmulator;
beforeAll(async () => {
  identities = new TestIdentities();
  identities.role('app', {
    may: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
    trusts: [{ Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' }],
  });
  emulator = await createTestEmulator({
    manifests: [
      apigateway,
      apigatewayv2,
      cloudcontrol,
      cloudformation,
      cloudwatch,
      cognitoIdentity,
      cognitoIdp,
      dynamodb,
      events,
      firehose,
      kinesis,
      logs,
      pipes,
      s3,
      scheduler,
      ses,
      sns,
      sqs,
      ssm,
      stepfunctions,
      sts,
      identities.manifest,
    ],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  await new S3({ ...emulator.clientConfig(), forcePathStyle: true }).createBucket({ Bucket: 'bucket' });
  for (const QueueName of ['q', 'q2']) await new SQS(emulator.clientConfig()).createQueue({ QueueName });
  const streams = new Firehose(emulator.clientConfig());
  const DeliveryStreamName = 'd';
  const ExtendedS3DestinationConfiguration = { RoleARN: ROLE, BucketARN: 'arn:aws:s3:::bucket' };
  await streams.createDeliveryStream({ DeliveryStreamName, ExtendedS3DestinationConfiguration });
  await vi.waitFor(async () => {
    const { DeliveryStreamDescription } = await streams.describeDeliveryStream({ DeliveryStreamName });
    expect(DeliveryStreamDescription!.DeliveryStreamStatus).toBe('ACTIVE');
  }, 10_000);
});
afterAll(() => emulator.close());

/** Creates a client of a service with credentials of a user. */
type As = <Client>(client: new (config: ReturnType<TestEmulator['clientConfig']>) => Client) => Client;

/** Call that passes the role: the service that receives it, the operation, and the call with a unique name. */
type Case = readonly [receiver: string, operation: string, call: (as: As, name: string) => Promise<unknown>];

/** Creates an API with a method for an integration, as root. */
async function method(name: string) {
  const root = new APIGateway(emulator.clientConfig());
  const { id: restApiId, rootResourceId: resourceId } = await root.createRestApi({ name });
  await root.putMethod({ restApiId, resourceId, httpMethod: 'GET', authorizationType: 'NONE' });
  return { restApiId, resourceId, httpMethod: 'GET' };
}

const CASES: readonly Case[] = [
  [
    'apigateway',
    'PutIntegration',
    async (as, name) =>
      as(APIGateway).putIntegration({
        ...(await method(name)),
        type: 'AWS',
        integrationHttpMethod: 'POST',
        uri: `arn:aws:apigateway:us-east-1:sqs:path/${ACCOUNT}/q`,
        credentials: ROLE,
      }),
  ],
  [
    'apigateway',
    'UpdateIntegration',
    async (as, name) => {
      const place = await method(name);
      await new APIGateway(emulator.clientConfig()).putIntegration({ ...place, type: 'MOCK' });
      const patchOperations = [{ op: 'replace' as const, path: '/credentials', value: ROLE }];
      await as(APIGateway).updateIntegration({ ...place, patchOperations });
    },
  ],
  [
    'apigateway',
    'UpdateAccount',
    (as) =>
      as(APIGateway).updateAccount({ patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value: ROLE }] }),
  ],
  ['apigateway', 'ImportRestApi', (as) => as(APIGateway).importRestApi({ body: Buffer.from(INTEGRATED) })],
  ['apigateway', 'ImportApi', (as) => as(ApiGatewayV2).importApi({ Body: INTEGRATED })],
  [
    'apigateway',
    'CreateAuthorizer',
    async (as, name) => {
      const root = new ApiGatewayV2(emulator.clientConfig());
      const { ApiId } = await root.createApi({ Name: name, ProtocolType: 'HTTP' });
      await as(ApiGatewayV2).createAuthorizer({
        ApiId,
        Name: name,
        AuthorizerType: 'REQUEST',
        AuthorizerUri: FUNCTION_URI,
        AuthorizerPayloadFormatVersion: '2.0',
        IdentitySource: ['$request.header.Authorization'],
        AuthorizerCredentialsArn: ROLE,
      });
    },
  ],
  [
    'cloudformation',
    'CreateResource',
    (as, name) =>
      as(CloudControl).createResource({
        TypeName: 'AWS::SQS::Queue',
        DesiredState: JSON.stringify({ QueueName: name }),
        RoleArn: ROLE,
      }),
  ],
  [
    'cloudformation',
    'CreateStack',
    (as, name) => as(CloudFormation).createStack({ StackName: name, TemplateBody: TEMPLATE, RoleARN: ROLE }),
  ],
  [
    'cloudformation',
    'CreateStackSet',
    (as, name) =>
      as(CloudFormation).createStackSet({ StackSetName: name, TemplateBody: TEMPLATE, AdministrationRoleARN: ROLE }),
  ],
  [
    'streams.metrics.cloudwatch',
    'PutMetricStream',
    (as, name) =>
      as(CloudWatch).putMetricStream({
        Name: name,
        FirehoseArn: `arn:aws:firehose:us-east-1:${ACCOUNT}:deliverystream/d`,
        RoleArn: ROLE,
        OutputFormat: 'json',
      }),
  ],
  [
    'cognito-identity',
    'SetIdentityPoolRoles',
    async (as, IdentityPoolName) => {
      const root = new CognitoIdentity(emulator.clientConfig());
      const { IdentityPoolId } = await root.createIdentityPool({
        IdentityPoolName,
        AllowUnauthenticatedIdentities: true,
      });
      await as(CognitoIdentity).setIdentityPoolRoles({ IdentityPoolId, Roles: { unauthenticated: ROLE } });
    },
  ],
  [
    'cognito-idp',
    'CreateUserPool',
    (as, PoolName) =>
      as(CognitoIdentityProvider).createUserPool({
        PoolName,
        SmsConfiguration: { SnsCallerArn: ROLE, ExternalId: 'x' },
      }),
  ],
  [
    'cognito-idp',
    'CreateGroup',
    async (as, PoolName) => {
      const { UserPool } = await new CognitoIdentityProvider(emulator.clientConfig()).createUserPool({ PoolName });
      await as(CognitoIdentityProvider).createGroup({ UserPoolId: UserPool!.Id, GroupName: 'g', RoleArn: ROLE });
    },
  ],
  [
    'application-autoscaling',
    'UpdateTableReplicaAutoScaling',
    async (as, TableName) => {
      await new DynamoDB(emulator.clientConfig()).createTable({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'k', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }],
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      });
      await new DynamoDB(emulator.clientConfig()).updateTable({
        TableName,
        ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }],
      });
      await as(DynamoDB).updateTableReplicaAutoScaling({
        TableName,
        ProvisionedWriteCapacityAutoScalingUpdate: { AutoScalingRoleArn: ROLE, MinimumUnits: 1, MaximumUnits: 2 },
      });
    },
  ],
  [
    'events',
    'PutRule',
    (as, Name) => as(EventBridge).putRule({ Name, ScheduleExpression: 'rate(1 day)', RoleArn: ROLE }),
  ],
  [
    'firehose',
    'CreateDeliveryStream',
    (as, DeliveryStreamName) =>
      as(Firehose).createDeliveryStream({
        DeliveryStreamName,
        ExtendedS3DestinationConfiguration: { RoleARN: ROLE, BucketARN: 'arn:aws:s3:::bucket' },
      }),
  ],
  [
    'logs',
    'PutAccountPolicy',
    (as, policyName) =>
      as(CloudWatchLogs).putAccountPolicy({
        policyName,
        policyType: 'SUBSCRIPTION_FILTER_POLICY',
        policyDocument: JSON.stringify({
          DestinationArn: `arn:aws:firehose:us-east-1:${ACCOUNT}:deliverystream/d`,
          RoleArn: ROLE,
          FilterPattern: '',
        }),
      }),
  ],
  [
    'pipes',
    'CreatePipe',
    (as, Name) => as(Pipes).createPipe({ Name, RoleArn: ROLE, Source: QUEUE, Target: `${QUEUE}2` }),
  ],
  [
    'scheduler',
    'CreateSchedule',
    (as, Name) =>
      as(Scheduler).createSchedule({
        Name,
        ScheduleExpression: 'rate(1 day)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: QUEUE, RoleArn: ROLE },
      }),
  ],
  [
    'ses',
    'CreateReceiptRule',
    async (as, RuleSetName) => {
      await new SES(emulator.clientConfig()).createReceiptRuleSet({ RuleSetName });
      const Actions = [{ S3Action: { BucketName: 'bucket', IamRoleArn: ROLE } }];
      await as(SES).createReceiptRule({ RuleSetName, Rule: { Name: 'r', Actions } });
    },
  ],
  ['sns', 'SetSMSAttributes', (as) => as(SNS).setSMSAttributes({ attributes: { DeliveryStatusIAMRole: ROLE } })],
  [
    'ssm',
    'UpdateServiceSetting',
    (as) =>
      as(SSM).updateServiceSetting({
        SettingId: '/ssm/managed-instance/default-ec2-instance-management-role',
        SettingValue: 'app',
      }),
  ],
  [
    'states',
    'CreateStateMachine',
    (as, name) => as(SFN).createStateMachine({ name, definition: MACHINE, roleArn: ROLE }),
  ],
];

/** Statement that allows everything except passing roles. */
const EVERYTHING: PolicyStatement = { Effect: 'Allow', NotAction: 'iam:PassRole', Resource: '*' };
const passing = (receiver: string): PolicyStatement => ({
  Effect: 'Allow',
  Action: 'iam:PassRole',
  Resource: ROLE,
  Condition: { StringEquals: { 'iam:PassedToService': `${receiver}.amazonaws.com` } },
});

/** Operations that respond 501 to a role that the caller may pass. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['UpdateServiceSetting', 'UpdateTableReplicaAutoScaling']);

describe('the caller passes the role', () => {
  test.each(CASES)('to %s by %s', async (receiver, operation, call) => {
    const attempt = (name: string, ...may: PolicyStatement[]) => {
      const credentials = identities.user(emulator, name, { may: [EVERYTHING, ...may] });
      return call((client) => new client(emulator.clientConfig(credentials)), `${operation}-${name}`);
    };
    const refusal = (name: string) => ({
      message: expect.stringContaining(
        `User: arn:aws:iam::${ACCOUNT}:user/${name} is not authorized to perform: iam:PassRole on resource: ${ROLE} because no identity-based policy allows the iam:PassRole action`,
      ),
    });
    await expect(attempt('jane')).rejects.toMatchObject(refusal('jane'));
    await expect(attempt('jack', passing('ec2'))).rejects.toMatchObject(refusal('jack'));
    const allowed = attempt('june', passing(receiver));
    await (UNSUPPORTED.has(operation) ? expect(allowed).rejects.toMatchObject({ name: 'NotImplemented' }) : allowed);
  });
});

test("CloudWatch's actions are on each alarm, by the service's own prefix", async () => {
  const alarm = (name: string) => `arn:aws:cloudwatch:us-east-1:${ACCOUNT}:alarm:${name}`;
  const statement = { Effect: 'Allow', Action: 'cloudwatch:DisableAlarmActions', Resource: alarm('own-*') };
  const user = new CloudWatch(emulator.clientConfig(identities.user(emulator, 'ann', { may: [statement] })));
  await user.disableAlarmActions({ AlarmNames: ['own-a', 'own-b'] });
  await expect(user.disableAlarmActions({ AlarmNames: ['own-a', 'other'] })).rejects.toMatchObject({
    message: expect.stringContaining(
      `is not authorized to perform: cloudwatch:DisableAlarmActions on resource: ${alarm('other')} because`,
    ),
  });
});

/** Creations with the tag `env=dev`, each with a unique name. */
const TAGGED: readonly [operation: string, call: (as: As, name: string) => Promise<unknown>][] = [
  ['CreateRestApi', (as, name) => as(APIGateway).createRestApi({ name, tags: { env: 'dev' } })],
  ['CreateUsagePlan', (as, name) => as(APIGateway).createUsagePlan({ name, tags: { env: 'dev' } })],
  ['CreateApi', (as, name) => as(ApiGatewayV2).createApi({ Name: name, ProtocolType: 'HTTP', Tags: { env: 'dev' } })],
  [
    'CreateStack',
    (as, StackName) =>
      as(CloudFormation).createStack({ StackName, TemplateBody: TEMPLATE, Tags: [{ Key: 'env', Value: 'dev' }] }),
  ],
  [
    'PutMetricAlarm',
    (as, AlarmName) =>
      as(CloudWatch).putMetricAlarm({
        AlarmName,
        Namespace: 'shop',
        MetricName: 'orders',
        Statistic: 'Sum',
        Period: 60,
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanThreshold',
        Tags: [{ Key: 'env', Value: 'dev' }],
      }),
  ],
  [
    'CreateUserPool',
    (as, PoolName) => as(CognitoIdentityProvider).createUserPool({ PoolName, UserPoolTags: { env: 'dev' } }),
  ],
  [
    'CreateIdentityPool',
    (as, IdentityPoolName) =>
      as(CognitoIdentity).createIdentityPool({
        IdentityPoolName,
        AllowUnauthenticatedIdentities: true,
        IdentityPoolTags: { env: 'dev' },
      }),
  ],
  ['CreateLogGroup', (as, logGroupName) => as(CloudWatchLogs).createLogGroup({ logGroupName, tags: { env: 'dev' } })],
  ['CreateActivity', (as, name) => as(SFN).createActivity({ name, tags: [{ key: 'env', value: 'dev' }] })],
  [
    'CreateMaintenanceWindow',
    (as, Name) =>
      as(SSM).createMaintenanceWindow({
        Name,
        Schedule: 'rate(1 day)',
        Duration: 2,
        Cutoff: 1,
        AllowUnassociatedTargets: true,
        Tags: [{ Key: 'env', Value: 'dev' }],
      }),
  ],
];

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-requesttag */
test.each(TAGGED)("%s is denied and allowed by the request's tags", async (operation, call) => {
  const attempt = (name: string, ...may: PolicyStatement[]) => {
    const credentials = identities.user(emulator, `${operation}-${name}`, { may });
    return call((client) => new client(emulator.clientConfig(credentials)), `${operation}-${name}`);
  };
  const tagged = (Effect: string, key: string, value: string): PolicyStatement => ({
    Effect,
    Action: '*',
    Resource: '*',
    Condition: { 'ForAnyValue:StringEquals': { [key]: value } },
  });
  const refusal = { message: expect.stringContaining('is not authorized to perform: ') };
  await expect(attempt('a', EVERYTHING, tagged('Deny', 'aws:RequestTag/env', 'dev'))).rejects.toMatchObject(refusal);
  await expect(attempt('b', EVERYTHING, tagged('Deny', 'aws:TagKeys', 'env'))).rejects.toMatchObject(refusal);
  await expect(attempt('c', tagged('Allow', 'aws:RequestTag/env', 'prod'))).rejects.toMatchObject(refusal);
  await attempt('d', tagged('Allow', 'aws:RequestTag/env', 'dev'));
});

/** Creations with or without tags that need another permission for them, each with a unique name. */
const TAGGING: readonly [
  action: string,
  operation: string,
  call: (as: As, name: string, tagged: boolean) => Promise<unknown>,
][] = [
  [
    'cloudformation:TagResource',
    'CreateStackSet',
    (as, StackSetName, tagged) =>
      as(CloudFormation).createStackSet({ StackSetName, TemplateBody: TEMPLATE, ...withTags(tagged) }),
  ],
  [
    'cloudformation:TagResource',
    'UpdateStackSet',
    async (as, StackSetName, tagged) => {
      const input = { StackSetName, TemplateBody: TEMPLATE };
      await new CloudFormation(emulator.clientConfig()).createStackSet(input);
      await as(CloudFormation).updateStackSet({ ...input, ...withTags(tagged) });
    },
  ],
  [
    'cloudformation:UntagResource',
    'UpdateStackSet',
    // Tags that the request omits are removed.
    async (as, name, omitted) => {
      const input = { StackSetName: `${name}-before`, TemplateBody: TEMPLATE };
      await new CloudFormation(emulator.clientConfig()).createStackSet({ ...input, ...withTags(true) });
      await as(CloudFormation).updateStackSet({ ...input, ...(omitted ? { Tags: [] } : withTags(true)) });
    },
  ],
  [
    'cloudwatch:TagResource',
    'PutManagedInsightRules',
    (as, _name, tagged) =>
      as(CloudWatch).putManagedInsightRules({
        ManagedRules: [
          {
            TemplateName: 'VpcEndpointService-BytesByEndpointId-v1',
            ResourceARN: `arn:aws:ec2:us-east-1:${ACCOUNT}:vpc-endpoint-service/vpce-svc-1`,
            ...withTags(tagged),
          },
        ],
      }),
  ],
  [
    'cloudwatch:TagResource',
    'PutMetricAlarm',
    (as, AlarmName, tagged) => as(CloudWatch).putMetricAlarm({ ...ALARM, AlarmName, ...withTags(tagged) }),
  ],
  [
    'cloudwatch:TagResource',
    'PutCompositeAlarm',
    async (as, AlarmName, tagged) => {
      await new CloudWatch(emulator.clientConfig()).putMetricAlarm({ ...ALARM, AlarmName: 'child' });
      await as(CloudWatch).putCompositeAlarm({ AlarmName, AlarmRule: 'ALARM(child)', ...withTags(tagged) });
    },
  ],
  [
    'cloudwatch:TagResource',
    'PutInsightRule',
    (as, RuleName, tagged) =>
      as(CloudWatch).putInsightRule({ RuleName, RuleDefinition: INSIGHT_RULE, ...withTags(tagged) }),
  ],
  [
    'firehose:TagDeliveryStream',
    'CreateDeliveryStream',
    (as, DeliveryStreamName, tagged) =>
      as(Firehose).createDeliveryStream({
        DeliveryStreamName,
        ExtendedS3DestinationConfiguration: { RoleARN: ROLE, BucketARN: 'arn:aws:s3:::bucket' },
        ...withTags(tagged),
      }),
  ],
  [
    'kinesis:AddTagsToStream',
    'CreateStream',
    (as, StreamName, tagged) =>
      as(Kinesis).createStream({ StreamName, ShardCount: 1, ...(tagged && { Tags: { env: 'dev' } }) }),
  ],
  [
    'kinesis:TagResource',
    'RegisterStreamConsumer',
    async (as, ConsumerName, tagged) => {
      const StreamARN = await stream();
      await as(Kinesis).registerStreamConsumer({ StreamARN, ConsumerName, ...(tagged && { Tags: { env: 'dev' } }) });
    },
  ],
  [
    'logs:TagResource',
    'CreateLogGroup',
    (as, logGroupName, tagged) =>
      as(CloudWatchLogs).createLogGroup({ logGroupName, ...(tagged && { tags: { env: 'dev' } }) }),
  ],
  [
    's3:TagResource',
    'CreateBucket',
    (as, name, tagged) => {
      const CreateBucketConfiguration = withTags(tagged);
      return as(S3).createBucket({ Bucket: name.toLowerCase(), ...(tagged && { CreateBucketConfiguration }) });
    },
  ],
  [
    's3express:TagResource',
    'CreateBucket',
    (as, name, tagged) =>
      as(SessionlessS3).createBucket({
        Bucket: `${name.toLowerCase()}--use1-az4--x-s3`,
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
          ...withTags(tagged),
        },
      }),
  ],
  // SNS writes its prefix in upper case in messages.
  ['SNS:TagResource', 'CreateTopic', (as, Name, tagged) => as(SNS).createTopic({ Name, ...withTags(tagged) })],
  [
    'ssm:AddTagsToResource',
    'CreateOpsItem',
    (as, Title, tagged) => as(SSM).createOpsItem({ Title, Source: 'test', Description: 'a', ...withTags(tagged) }),
  ],
];

/** Client for directory buckets that signs without sessions, which need an existing bucket. */
class SessionlessS3 extends S3 {
  constructor(config: ReturnType<TestEmulator['clientConfig']>) {
    super({ ...config, forcePathStyle: true, disableS3ExpressSessionAuth: true });
  }
}

const withTags = (tagged: boolean) => (tagged ? { Tags: [{ Key: 'env', Value: 'dev' }] } : {});
const ALARM = {
  Namespace: 'shop',
  MetricName: 'orders',
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 1,
  Threshold: 1,
  ComparisonOperator: 'GreaterThanThreshold',
} as const;
const INSIGHT_RULE = JSON.stringify({
  Schema: { Name: 'CloudWatchLogRule', Version: 1 },
  LogGroupNames: ['g'],
  LogFormat: 'JSON',
  Contribution: { Keys: ['$.a'], Filters: [] },
  AggregateOn: 'Count',
});

/** Returns the ARN of an active stream, created once. */
async function stream(): Promise<string> {
  const root = new Kinesis(emulator.clientConfig());
  const StreamName = 'consumed';
  const { StreamNames = [] } = await root.listStreams({});
  if (!StreamNames.includes(StreamName)) await root.createStream({ StreamName, ShardCount: 1 });
  await waitUntilStreamExists({ client: root, maxWaitTime: 20, minDelay: 1 }, { StreamName });
  return `arn:aws:kinesis:us-east-1:${ACCOUNT}:stream/${StreamName}`;
}

test.each(TAGGING)('%s is needed by %s with tags, and not without', async (action, operation, call) => {
  const user = (name: string) => {
    const may: PolicyStatement[] = [
      { Effect: 'Allow', Action: '*', Resource: '*' },
      { Effect: 'Deny', Action: action, Resource: '*' },
    ];
    const credentials = identities.user(emulator, `${operation}-${name}`, { may });
    return <Client>(client: new (config: ReturnType<TestEmulator['clientConfig']>) => Client) =>
      new client(emulator.clientConfig(credentials));
  };
  const as = user(action.replace(':', '-'));
  await expect(call(as, `${operation}-tagged`, true)).rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`is not authorized to perform: ${action} on resource: .* explicit deny`)),
  });
  await call(as, `${operation}-plain`, false);
});

/** Removals of the tag of a key from a new resource. */
const UNTAGGED: readonly [operation: string, call: (as: As, name: string, key: string) => Promise<unknown>][] = [
  [
    'UntagLogGroup',
    async (as, logGroupName, key) => {
      await as(CloudWatchLogs).createLogGroup({ logGroupName });
      await as(CloudWatchLogs).untagLogGroup({ logGroupName, tags: [key] });
    },
  ],
  [
    'states:UntagResource',
    async (as, name, key) => {
      const { activityArn } = await as(SFN).createActivity({ name });
      await as(SFN).untagResource({ resourceArn: activityArn, tagKeys: [key] });
    },
  ],
  [
    'cloudwatch:UntagResource',
    async (as, DashboardName, key) => {
      await as(CloudWatch).putDashboard({ DashboardName, DashboardBody: '{"widgets":[]}' });
      const { DashboardArn } = await as(CloudWatch).getDashboard({ DashboardName });
      await as(CloudWatch).untagResource({ ResourceARN: DashboardArn, TagKeys: [key] });
    },
  ],
  [
    'RemoveTagsFromResource',
    async (as, Name, key) => {
      await as(SSM).putParameter({ Name, Type: 'String', Value: 'a' });
      await as(SSM).removeTagsFromResource({ ResourceType: 'Parameter', ResourceId: Name, TagKeys: [key] });
    },
  ],
  [
    'sqs:UntagQueue',
    async (as, QueueName, key) => {
      const { QueueUrl } = await as(SQS).createQueue({ QueueName });
      await as(SQS).untagQueue({ QueueUrl, TagKeys: [key] });
    },
  ],
];

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-tagkeys */
test.each(UNTAGGED)('%s is denied by the tag key that it removes', async (operation, call) => {
  const name = operation.replace(':', '-');
  const denial: PolicyStatement = {
    Effect: 'Deny',
    Action: '*',
    Resource: '*',
    Condition: { 'ForAnyValue:StringEquals': { 'aws:TagKeys': 'env' } },
  };
  const credentials = identities.user(emulator, name, { may: [EVERYTHING, denial] });
  const as: As = (client) => new client(emulator.clientConfig(credentials));
  await expect(call(as, `${name}-a`, 'env')).rejects.toMatchObject({
    message: expect.stringContaining('is not authorized to perform: '),
  });
  await call(as, `${name}-b`, 'stage');
});
