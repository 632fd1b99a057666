import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let cfn: CloudFormation;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [apigateway, cloudcontrol, cloudformation, dynamodb, events, iam, lambda, s3, secretsmanager, sns, sqs],
  });
  cfn = new CloudFormation(emulator.clientConfig());
});
afterAll(() => emulator.close());

type Properties = Readonly<Record<string, unknown>>;
type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties: Properties }>>;

/** Waits for the stack's end state; a failure is in the message. */
async function settled(StackName: string): Promise<string> {
  for (;;) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    const { StackStatus = '' } = Stacks![0]!;
    if (!StackStatus.endsWith('_IN_PROGRESS')) {
      if (StackStatus === 'CREATE_COMPLETE' || StackStatus === 'UPDATE_COMPLETE') return StackStatus;
      const { StackEvents = [] } = await cfn.describeStackEvents({ StackName });
      return StackEvents.map(({ ResourceStatusReason = '' }) => ResourceStatusReason).join('\n');
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const role = {
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole'],
  },
};
const code = {
  Code: { ZipFile: 'exports.handler = async () => {}' },
  Handler: 'index.handler',
  Runtime: 'nodejs22.x',
  Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
};
const queue = { Type: 'AWS::SQS::Queue', Properties: {} };
const bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'other' } };

const attribute = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
const hash = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' }];
const table = {
  AttributeDefinitions: [attribute('a'), attribute('b')],
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [{ IndexName: 'by-b', KeySchema: hash('b'), Projection: { ProjectionType: 'ALL' } }],
  KeySchema: hash('a'),
};
const off = { ContributorInsightsSpecification: { Enabled: false } };

/** Type of the resource, its properties, blank properties, and other resources. */
const cases: readonly [type: string, least: Properties, blank: Properties, others?: Resources][] = [
  ['AWS::S3::Bucket', {}, { IntelligentTieringConfigurations: [] }],
  ['AWS::SNS::Topic', {}, { DeliveryStatusLogging: [] }],
  // As the CDK's TableV2 writes it.
  [
    'AWS::DynamoDB::GlobalTable',
    { ...table, Replicas: [{ Region: 'us-east-1' }] },
    { Replicas: [{ Region: 'us-east-1', ...off, GlobalSecondaryIndexes: [{ IndexName: 'by-b', ...off }] }] },
  ],
  ['AWS::Events::EventBus', { Name: 'bus' }, { KmsKeyIdentifier: '' }],
  ['AWS::Events::Archive', { SourceArn: { 'Fn::GetAtt': ['Bus', 'Arn'] } }, { KmsKeyIdentifier: '' }, { Bus: bus }],
  [
    'AWS::Events::Connection',
    {
      AuthorizationType: 'BASIC',
      AuthParameters: { BasicAuthParameters: { Username: 'user', Password: 'password' } },
    },
    { KmsKeyIdentifier: '' },
  ],
  ['AWS::Lambda::Function', code, { FileSystemConfigs: [] }, { Role: role }],
  [
    'AWS::Lambda::EventSourceMapping',
    { EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] }, FunctionName: { 'Fn::GetAtt': ['Function', 'Arn'] } },
    { SourceAccessConfigurations: [], Topics: [] },
    { Role: role, Function: { Type: 'AWS::Lambda::Function', Properties: code }, Queue: queue },
  ],
  ['AWS::ApiGateway::RestApi', { Name: 'api' }, { Policy: '' }],
];

for (const [type, least, blank, others = {}] of cases)
  test(`${type} ignores ${JSON.stringify(blank)}`, async () => {
    const StackName = type.replaceAll('::', '');
    const templateOf = (Properties: Properties) =>
      JSON.stringify({ Resources: { ...others, Thing: { Type: type, Properties } } });
    const Capabilities = ['CAPABILITY_IAM' as const];
    await cfn.createStack({ StackName, Capabilities, TemplateBody: templateOf({ ...least, ...blank }) });
    expect(await settled(StackName)).toBe('CREATE_COMPLETE');
    const { StackResourceDrift } = await cfn.detectStackResourceDrift({ StackName, LogicalResourceId: 'Thing' });
    expect(StackResourceDrift!.StackResourceDriftStatus).toBe('IN_SYNC');
    await cfn.updateStack({ StackName, Capabilities, TemplateBody: templateOf(least) });
    expect(await settled(StackName)).toBe('UPDATE_COMPLETE');
    await cfn.updateStack({ StackName, Capabilities, TemplateBody: templateOf({ ...least, ...blank }) });
    expect(await settled(StackName)).toBe('UPDATE_COMPLETE');
  });
